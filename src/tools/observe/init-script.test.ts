import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  bench = await openBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Listed {
  scripts: { id: string; script: string }[];
}
const evaluate = async (script: string) =>
  (await bench.call('browser_evaluate', { function: script })).output['value'];
const open = () => bench.call('browser_navigate', { url: server.url('/observe.html') });

test('runs before the scripts of every document, popups and frames included, until cleared', async () => {
  const first = 'window.seenTitle = document.title; window.isFirst = true';
  const { output } = await bench.call<Listed>('browser_init_script', { script: first });
  expect(output.scripts).toEqual([{ id: 'i1', script: first }]);
  await bench.call('browser_init_script', { script: 'window.isSecond = true' });
  await open();
  expect(await evaluate('[window.seenTitle, window.isFirst, window.isSecond]')).toEqual([
    '',
    true,
    true,
  ]);
  expect(
    await evaluate(
      '() => { const f = document.body.appendChild(document.createElement("iframe")); return f.contentWindow.isFirst }',
    ),
  ).toBe(true);

  const one = await bench.call<Listed>('browser_init_script', { action: 'clear', id: 'i1' });
  expect(one.output.scripts.map((script) => script.id)).toEqual(['i2']);
  await open();
  expect(await evaluate('[window.isFirst ?? null, window.isSecond]')).toEqual([null, true]);

  expect(
    (await bench.call<Listed>('browser_init_script', { action: 'clear' })).output.scripts,
  ).toEqual([]);
  await open();
  expect(await evaluate('window.isSecond ?? null')).toBeNull();
  expect(
    (await bench.call<Listed>('browser_init_script', { action: 'list' })).output.scripts,
  ).toEqual([]);
});

test('refuses an id that none has, an add without script, and a 51st script', async () => {
  expect((await bench.fail('browser_init_script', { action: 'clear', id: 'i99' })).code).toBe(
    'not_found',
  );
  expect((await bench.fail('browser_init_script', {})).code).toBe('bad_input');
  for (let n = 1; n <= 50; n++)
    await bench.call('browser_init_script', { script: `window.n = ${n}` });
  expect((await bench.fail('browser_init_script', { script: '1' })).code).toBe('over_limit');
  await bench.call('browser_init_script', { action: 'clear' });
});

test('is script: refused where script is switched off', async () => {
  await using quiet = await openBench({ script: false });
  expect((await quiet.fail('browser_init_script', { script: '1' })).code).toBe('denied');
});
