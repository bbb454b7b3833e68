import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { reply } from '../../../test/harness/route-handlers.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

interface Result {
  value: unknown;
  text: string;
  bytes: number;
  isTruncated: boolean;
  file: { path: string } | null;
}

beforeAll(async () => {
  server = await startFixtureServer();
  server.route(
    '/strict',
    reply('<title>Strict</title><script src=/app.js></script><button id=b>x</button>', {
      headers: {
        'content-security-policy': "default-src 'self'; require-trusted-types-for 'script'",
      },
    }),
  );
  server.route(
    '/app.js',
    reply('\nfunction appFails() { notThere() }', { type: 'text/javascript' }),
  );
  bench = await openBench();
  await bench.call('browser_navigate', { url: server.url('/strict'), waitUntil: 'load' });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const run = async (script: string, more: object = {}) =>
  (await bench.call<Result>('browser_evaluate', { function: script, ...more })).output;

test.each([
  ['document.title', '"Strict"'],
  ['() => document.title', '"Strict"'],
  ['(n) => n * 2', '42'],
  ['async () => 5', '5'],
  ['await Promise.resolve(7)', '7'],
  ['const a = 1; a + 1', '2'],
  ['function twice(n) { return n + n }', '42'],
  ['({a: [1, null, "x"]})', '{"a":[1,null,"x"]}'],
  ['undefined', 'undefined'],
  ['() => {}', 'undefined'],
  ['null', 'null'],
  ['NaN', '"NaN"'],
  ['10n', '"10n"'],
  ['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
])('runs %s under the strictest content policy', async (script, text) => {
  expect((await run(script, { arg: 21 })).text).toBe(text);
});

test('writes undefined as undefined', async () => {
  verifies('E-064');
  expect(await run('undefined')).toMatchObject({ text: 'undefined', isTruncated: false });
});

test('hands the target to the function, then the argument', async () => {
  expect((await run('(el, n) => el.id + n', { target: 'css=#b', arg: 3 })).value).toBe('b3');
});

test('runs a script that fails but once', async () => {
  await bench.fail('browser_evaluate', {
    function: '() => { window.runs = (window.runs ?? 0) + 1; JSON.parse("{") }',
  });
  expect((await run('window.runs')).value).toBe(1);
});

test('shows the stack of the script and the page, and nothing of what ran it', async () => {
  const { code, text } = await bench.fail('browser_evaluate', {
    function: '() => {\n  const inner = () => appFails();\n  inner();\n}',
  });
  expect(code).toBe('bad_input');
  expect(text).toContain('ReferenceError: notThere is not defined');
  expect(text).toContain(`at appFails (${server.url('/app.js')}:2:`);
  expect(text).toContain('at inner (script:2)');
  expect(text).not.toMatch(/UtilityScript|eval at|node_modules|page\.evaluate/);
});

test('shows a thrown object as JSON', async () => {
  const { text } = await bench.fail('browser_evaluate', { function: '() => { throw {code: 7} }' });
  expect(text).toContain('threw {"code":7}');
});

describe('bounds the result', () => {
  // A JSON string has two quotes.
  test.each([
    { bytes: 65_535, isTruncated: false },
    { bytes: 65_536, isTruncated: false },
    { bytes: 65_537, isTruncated: true },
  ])('of $bytes bytes at 65,536', async ({ bytes, isTruncated }) => {
    const result = await run(`"a".repeat(${bytes - 2})`);
    expect(result).toMatchObject({ bytes, isTruncated });
    expect(Buffer.byteLength(result.text)).toBe(Math.min(bytes, 65_536));
    if (isTruncated) {
      expect(result.value).toBeNull();
      expect((await readFile(result.file?.path ?? '')).byteLength).toBe(bytes);
    } else {
      expect(result.file).toBeNull();
    }
  });

  test('at maxBytes, between characters', async () => {
    const result = await run('"ä".repeat(10)', { maxBytes: 8 });
    expect(result).toMatchObject({ text: '"äää', bytes: 22, isTruncated: true });
  });

  test('of three megabytes within the budget of an answer', async () => {
    const { text, output } = await bench.call<Result>('browser_evaluate', {
      function: '"z".repeat(3e6)',
    });
    expect(output.bytes).toBe(3_000_002);
    expect(text.length).toBeLessThanOrEqual(25_000);
    expect(text).toContain(`of 3000002 bytes; whole in ${output.file?.path}`);
  });
});

test('ends after the time of scripts, and leaves the script to itself', async () => {
  await using quick = await openBench({ timeouts: { scriptMs: 700 } });
  await quick.call('browser_navigate', { url: server.url('/blank.html') });
  const startedAt = performance.now();
  const { code } = await quick.fail('browser_evaluate', {
    function:
      '() => new Promise((done) => setTimeout(() => { window.isDone = true; done() }, 1500))',
  });
  expect(code).toBe('timeout');
  expect(performance.now() - startedAt).toBeLessThan(1_400);
  await quick.call('browser_wait', { function: 'window.isDone' });
});

test('goes by 30 seconds unless told otherwise', () => {
  expect(bench.core.deps.config.timeouts.scriptMs).toBe(30_000);
});
