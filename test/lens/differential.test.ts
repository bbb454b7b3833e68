import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../fixtures/lens/pages.ts';
import { openBench } from './harness.ts';
import type { Bench } from './harness.ts';

/** Chromium's internal role names, in the words of ARIA. */
const ROLE_WORDS: Readonly<Record<string, string>> = {
  image: 'img',
  DisclosureTriangle: 'button',
  DisclosureTriangleGrouped: 'button',
  Details: 'group',
  ColorWell: 'button',
  Date: 'textbox',
  DateTime: 'textbox',
  InputTime: 'textbox',
  Iframe: 'iframe',
  Canvas: 'canvas',
  Video: 'video',
  Audio: 'audio',
  SvgRoot: 'img',
  MenuListOption: 'option',
  ListBoxOption: 'option',
  sectionheader: 'generic',
  sectionfooter: 'generic',
  'graphics-document': 'img',
};
/** Parts that Chromium lists and that are text to us. */
const NOT_NODES = new Set([
  'StaticText',
  'InlineTextBox',
  'LabelText',
  'LineBreak',
  'ListMarker',
  'RootWebArea',
  'none',
  'Legend',
  'Figcaption',
  'caption',
  'Abbr',
  'MenuListPopup',
  'paragraph',
  'term',
  'definition',
  'emphasis',
  'strong',
]);

/**
 * Where we differ on purpose, with the reason. An entry that no longer differs fails the test.
 */
const REASONS: Readonly<Record<string, string>> = {
  'editable/generic Plain': 'a person types into it, so it is shown as a textbox',
  'media/video Unable to play media.':
    'Chromium names a film that fails to load by its error; the author gave it a name',
  'media/audio Unable to play media.': 'as for the film',
};

interface Spoken {
  readonly role: string;
  readonly name: string;
}

let bench: Bench;
let accnameScript: string;
beforeAll(async () => {
  bench = await openBench();
  const { outputFiles } = await build({
    stdin: {
      contents: `export { computeAccessibleName } from 'dom-accessibility-api'`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'accname',
  });
  accnameScript = outputFiles[0]?.text ?? '';
});
afterAll(() => bench[Symbol.asyncDispose]());

async function mark(page: Page): Promise<string[]> {
  return page.locator('css=body *').evaluateAll((elements) =>
    elements.map((element, index) => {
      (element as unknown as { setAttribute(n: string, v: string): void }).setAttribute(
        'data-k',
        String(index),
      );
      return String(index);
    }),
  );
}

async function ours(page: Page): Promise<Map<string, Spoken>> {
  const keys = await page
    .locator('css=[data-k]')
    .evaluateAll((all) =>
      all.map((one) =>
        (one as unknown as { getAttribute(n: string): string }).getAttribute('data-k'),
      ),
    );
  const json = await page
    .locator(`css=[data-k] >> lens=pick:0:n${++batches}`)
    .textContent({ timeout: 5_000 });
  const { matches } = JSON.parse(json ?? '') as { matches: { role: string; spoken: string }[] };
  expect(matches).toHaveLength(keys.length);
  return new Map(
    matches.map(({ role, spoken }, index) => [keys[index] ?? '', { role, name: spoken }]),
  );
}

let batches = 0;

async function chromiums(page: Page): Promise<Map<string, Spoken>> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  const keys = new Map<number, string>();
  type DomNode = typeof root;
  const visit = (node: DomNode): void => {
    const at = node.attributes?.indexOf('data-k') ?? -1;
    if (at >= 0) keys.set(node.backendNodeId, node.attributes?.[at + 1] ?? '');
    for (const child of [
      ...(node.children ?? []),
      ...(node.shadowRoots ?? []),
      ...(node.pseudoElements ?? []),
    ])
      visit(child);
  };
  visit(root);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const found = new Map<string, Spoken>();
  for (const node of nodes) {
    const key = node.backendDOMNodeId === undefined ? undefined : keys.get(node.backendDOMNodeId);
    const role = String(node.role?.value ?? '');
    const name = squeeze(String(node.name?.value ?? ''));
    if (key === undefined || node.ignored || name === '' || NOT_NODES.has(role)) continue;
    found.set(key, { role: ROLE_WORDS[role] ?? role, name });
  }
  await session.detach();
  return found;
}

function squeeze(text: string): string {
  return text.replace(/[\s\u200b\u00ad]+/g, ' ').trim();
}

test('roles and names agree with Chromium on at least 98 % of the named nodes', async () => {
  let named = 0;
  const differences: string[] = [];
  const explained = new Set<string>();
  const page = await bench.page();
  for (const [fixture, html] of Object.entries(PAGES)) {
    await page.goto('about:blank');
    await page.setContent(`<!doctype html><body>${html}`);
    await mark(page);
    const theirs = await chromiums(page);
    const mine = await ours(page);
    for (const [key, their] of theirs) {
      named++;
      const my = mine.get(key);
      if (my?.role === their.role && squeeze(my.name) === their.name) continue;
      if (my && my.name.length >= 2_000) continue;
      const id = `${fixture}/${their.role} ${their.name.slice(0, 40)}`;
      if (id in REASONS) explained.add(id);
      differences.push(`${id}  (ours: ${my?.role} ${my?.name.slice(0, 60)})`);
    }
  }
  expect(Object.keys(PAGES).length).toBeGreaterThanOrEqual(60);
  expect(named).toBeGreaterThan(250);
  console.log(
    `named nodes: ${named}, disagreements: ${differences.length}\n${differences.join('\n')}`,
  );
  expect(differences.filter((line) => !((line.split('  (')[0] ?? '') in REASONS))).toEqual([]);
  expect(Object.keys(REASONS).filter((id) => !explained.has(id))).toEqual([]);
  expect(differences.length / named).toBeLessThanOrEqual(0.02);
}, 120_000);

test('names agree with dom-accessibility-api on at least 98 % of the named nodes', async () => {
  let named = 0;
  const differences: string[] = [];
  const page = await bench.page();
  for (const [fixture, html] of Object.entries(PAGES)) {
    await page.goto('about:blank');
    await page.setContent(`<!doctype html><body>${html}`);
    await mark(page);
    await page.evaluate(accnameScript);
    const theirs = (await page.locator('css=[data-k]').evaluateAll((all) =>
      all.map((one) => {
        const { accname } = globalThis as unknown as {
          accname: { computeAccessibleName(e: unknown, o: object): string };
        };
        return [
          (one as unknown as { getAttribute(n: string): string }).getAttribute('data-k'),
          accname.computeAccessibleName(one, { computedStyleSupportsPseudoElements: true }),
        ];
      }),
    )) as [string, string][];
    const mine = await ours(page);
    const visible = await chromiums(page);
    for (const [key, name] of theirs) {
      // Chromium tells which nodes are exposed; the library names whatever it is asked about.
      const my = mine.get(key);
      if (!visible.has(key) || !my || squeeze(name) === '') continue;
      named++;
      if (squeeze(my.name) === squeeze(name)) continue;
      differences.push(
        `${fixture}/${my.role} "${squeeze(name).slice(0, 50)}"  (ours: "${my.name.slice(0, 50)}", Chromium: "${visible.get(key)?.name.slice(0, 50)}")`,
      );
    }
  }
  console.log(
    `named nodes: ${named}, disagreements: ${differences.length}\n${differences.join('\n')}`,
  );
  expect(named).toBeGreaterThan(250);
  expect(differences.length / named).toBeLessThanOrEqual(0.02);
}, 120_000);
