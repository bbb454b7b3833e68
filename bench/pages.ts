import type { FixtureServer } from '../test/harness/fixture-server.ts';
import type { Field } from './subject.ts';

/** A page and the control on it that is clicked. */
export interface BenchPage {
  readonly name: string;
  readonly path: string;
  readonly role: string;
  readonly control: string;
  /** The control for a raw click. */
  readonly selector: string;
  /** What a look at the page holds once more after the click than before. */
  readonly effect: RegExp;
  /** Words by which that is found. */
  readonly words: string;
}

export const PAGES: readonly BenchPage[] = [
  {
    name: 'form',
    path: '/form-50.html',
    role: 'checkbox',
    control: 'Newsletter',
    selector: 'input[name=newsletter]',
    effect: /checkbox "Newsletter".*checked(?!=(false|"false"))/g,
    words: 'Newsletter',
  },
  {
    name: 'table',
    path: '/table-1000.html',
    role: 'button',
    control: 'Order part 1',
    selector: 'tbody tr:first-child button',
    // The name of the button and, once it is clicked, the text of the status.
    effect: /Order part 1(?!\d)/g,
    words: 'Order part 1',
  },
  {
    name: 'deep',
    path: '/deep-5000.html',
    role: 'button',
    control: 'At the bottom',
    selector: '#root button',
    effect: /reached/g,
    words: 'reached',
  },
];

/** Twenty text fields of the form. */
export const FIELDS: readonly Field[] = (
  [
    ['first-name', 'First name'],
    ['last-name', 'Last name'],
    ['company', 'Company'],
    ['street', 'Street'],
    ['city', 'City'],
    ['postcode', 'Postcode'],
    ['required-note', 'Required note'],
    ['plate', 'Number plate'],
    ['browser', 'Favourite browser'],
    ['email', 'E-mail'],
    ['copies', 'Copies to'],
    ['website', 'Website'],
    ['phone', 'Phone'],
    ['topic', 'Topic'],
    ['password', 'Password'],
    ['pin', 'PIN'],
    ['age', 'Age'],
    ['quantity', 'Quantity'],
    ['notes', 'Notes'],
    ['biography', 'Biography'],
  ] as const
).map(([id, label], index) => ({
  id,
  label,
  value: ['age', 'quantity'].includes(id) ? String(index) : `a${index}@b.example`,
}));

/** Numbers of nodes of the pages on which growth is measured. */
export const SIZES = [5_000, 10_000, 20_000];

/** Serves pages of {@link SIZES} as `/nodes?n=`: sections of cards with headings and controls. */
export function addNodePages(server: FixtureServer): void {
  server.route('/nodes', ({ url }, response) => {
    const cards = Math.floor(Number(url.searchParams.get('n')) / 5);
    const body = Array.from(
      { length: cards },
      (_, card) =>
        `<div><h3>Card ${card}</h3><p>Text of ${card}</p><a href="#${card}">Open ${card}</a><button>Keep ${card}</button></div>`,
    ).join('');
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="en"><title>Nodes</title><h1>Nodes</h1>${body}</html>`);
  });
}
