import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../../../test/harness/oriel.ts';

let oriel: TestOriel;
let workspace: string;
beforeAll(async () => {
  workspace = mkdtempSync(path.join(tmpdir(), 'fill-'));
  writeFileSync(path.join(workspace, 'a.txt'), 'content of a');
  writeFileSync(path.join(workspace, 'b.txt'), 'b');
  oriel = await startOriel({ config: { workspace, timeouts: { actionMs: 4_000 } } });
  oriel.fixtures.route('/fields', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(FIELDS);
  });
});
afterAll(async () => {
  await oriel[Symbol.asyncDispose]();
  rmSync(workspace, { recursive: true });
});

const FIELDS = [
  'text',
  'number',
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'color',
  'range',
]
  .map((type) => `<input id="${type}" type="${type}" aria-label="${type}">`)
  .concat(
    '<input id="check" type="checkbox"><input id="radio" type="radio"><input id="file" type="file">',
    '<input id="files" type="file" multiple><input id="hidden" type="file" hidden>',
    '<select id="one"><option value="a">Apple</option><option value="b">Berry</option></select>',
    '<select id="many" multiple><option>x</option><option>y</option><option>z</option></select>',
    '<div id="edit" contenteditable>old</div><textarea id="area"></textarea>',
  )
  .join('');

interface Row {
  readonly value: string | null;
  readonly error?: string;
}
const fill = async (fields: { target: string; value: unknown }[], more: object = {}) =>
  ((await oriel.done('browser_fill', { fields, ...more })).output as { fields: Row[] }).fields;

describe('browser_fill', () => {
  it.each<[string, unknown, string]>([
    ['text', 'Ada', 'Ada'],
    ['text', 42, '42'],
    ['number', 42, '42'],
    ['number', '3.5', '3.5'],
    ['date', '2026-12-31', '2026-12-31'],
    ['time', '13:45', '13:45'],
    ['datetime-local', '2026-12-31T13:45', '2026-12-31T13:45'],
    ['month', '2026-12', '2026-12'],
    ['week', '2026-W53', '2026-W53'],
    ['color', '#1A2B3C', '#1a2b3c'],
    ['range', 30, '30'],
    ['check', true, 'checked'],
    ['check', 'false', 'unchecked'],
    ['radio', true, 'checked'],
    ['one', 'b', 'Berry'],
    ['one', 'Apple', 'Apple'],
    ['many', ['x', 'z'], 'x, z'],
    ['edit', 'new', 'new'],
    ['area', 'two\nlines', 'two\nlines'],
  ])('sets a %s field to %j', async (id, value, stands) => {
    await oriel.open('/fields');
    expect(await fill([{ target: `css=#${id}`, value }])).toMatchObject([{ value: stands }]);
  });

  it.each<[string, unknown, string]>([
    ['date', '31.12.2026', '2026-12-31'],
    ['time', 'noon', '13:45'],
    ['datetime-local', 'now', 'T'],
    ['month', 'May', '2026-12'],
    ['week', '53', 'W53'],
    ['color', 'red', '#1a2b3c'],
    ['number', 'many', ''],
    ['check', 'maybe', 'true'],
  ])('says what a %s field takes when given %j', async (id, value, hint) => {
    await oriel.open('/fields');
    const { error } = await oriel.fails('bad_input', 'browser_fill', {
      fields: [{ target: `css=#${id}`, value }],
    });
    expect(error.hint).toContain(hint);
  });

  it.each<[string, unknown, string[]]>([
    ['file', 'a.txt', ['a.txt: content of a']],
    ['files', ['a.txt', 'b.txt'], ['a.txt: content of a', 'b.txt: b']],
    ['hidden', ['b.txt'], ['b.txt: b']],
    ['files', [], []],
  ])('gives a %s field the files %j, beside other fields', async (id, value, held) => {
    await oriel.open('/fields');
    const outcome = await oriel.done('browser_fill', {
      fields: [
        { target: 'css=#text', value: 'Ada' },
        { target: `css=#${id}`, value },
      ],
    });
    expect(textOf(outcome)).toContain('Set 2 fields as asked.');
    expect(
      await oriel
        .raw()
        .evaluate(
          `Promise.all([...document.getElementById('${id}').files].map(async (file) => file.name + ': ' + await file.text()))`,
        ),
    ).toEqual(held);
  });

  it.each<[string, unknown, 'denied' | 'not_found' | 'bad_input']>([
    ['file', '/etc/passwd', 'denied'],
    ['file', '../../etc/passwd', 'denied'],
    ['files', ['a.txt', '/etc/hosts'], 'denied'],
    ['file', 'none.txt', 'not_found'],
    ['file', ['a.txt', 'b.txt'], 'bad_input'],
  ])('gives a %s field nothing of %j', async (id, value, code) => {
    await oriel.open('/fields');
    await oriel.fails(code, 'browser_fill', { fields: [{ target: `css=#${id}`, value }] });
    expect(await oriel.raw().evaluate(`document.getElementById('${id}').files.length`)).toBe(0);
  });

  it('names the options there are', async () => {
    await oriel.open('/fields');
    const { error } = await oriel.fails('not_found', 'browser_fill', {
      fields: [{ target: 'css=#one', value: 'Cherry' }],
    });
    expect(error.pageText).toContain('Apple, Berry');
  });

  it('stops at the first that fails, or goes on where asked', async () => {
    await oriel.open('/fields');
    const fields = [
      { target: 'css=#text', value: 'first' },
      { target: 'css=#none', value: 'second' },
      { target: 'css=#area', value: 'third' },
    ];
    await oriel.fails('not_found', 'browser_fill', { fields });
    expect(await oriel.raw().locator('#area').inputValue()).toBe('');
    const rows = await fill(fields, { stopOnError: false });
    expect(rows.map(({ error }) => error?.slice(0, 9))).toEqual([
      undefined,
      'not_found',
      undefined,
    ]);
    expect(await oriel.raw().locator('#area').inputValue()).toBe('third');
  });

  it('refuses no fields, more than 200, and fields of another shape', async () => {
    const field = { target: 'css=#text', value: 'x' };
    for (const fields of [[], Array.from({ length: 201 }, () => field), [{ target: 'x' }], 'x']) {
      const { error } = await oriel.fails('bad_input', 'browser_fill', { fields });
      expect(error.message).toContain('`fields');
    }
    const unknown = await oriel.fails('bad_input', 'browser_fill', {
      fields: [{ ...field, name: 'x' }],
    });
    expect(unknown.error.message).toContain('name');
  });
});
