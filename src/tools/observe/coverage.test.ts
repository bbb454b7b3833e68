import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CoverageFacts } from '../../model/coverage.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { reply } from '../../../test/harness/route-handlers.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

const UNUSED_BODY = '{ return "this body is never run" }';
const SCRIPT = `function used() { return 1 }\nfunction unused() ${UNUSED_BODY}\nused();`;
const USED_RULE = 'h1 { color: red }';
const UNUSED_RULE = '.nowhere { color: blue }';

beforeAll(async () => {
  server = await startFixtureServer();
  server.route('/app.js', reply(SCRIPT, { type: 'text/javascript' }));
  server.route('/app.css', reply(`${USED_RULE}\n${UNUSED_RULE}`, { type: 'text/css' }));
  server.route(
    '/covered-page',
    reply(
      '<title>c</title><link rel=stylesheet href=/app.css><h1>C</h1><script src=/app.js></script><button onclick="unused()">u</button>',
    ),
  );
  bench = await openBench();
  await bench.call('browser_navigate', { url: server.url('/covered-page') });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Measured {
  isMeasuring: boolean;
  coverage: CoverageFacts | null;
}
const measure = async (input: object) =>
  (await bench.call<Measured>('browser_coverage', input)).output;

test('counts the bytes of scripts and styles that a load does not use', async () => {
  const { coverage } = await measure({});
  const file = (name: string) => coverage?.files.find((one) => one.url === server.url(name));
  expect(file('/app.js')).toMatchObject({ kind: 'js', totalBytes: Buffer.byteLength(SCRIPT) });
  // The head of a function that is never called does not count as used either.
  expect(file('/app.js')?.unusedBytes).toBe(`function unused() ${UNUSED_BODY}`.length);
  expect(file('/app.css')).toMatchObject({
    kind: 'css',
    totalBytes: USED_RULE.length + 1 + UNUSED_RULE.length,
  });
  expect(file('/app.css')?.unusedBytes).toBe(1 + UNUSED_RULE.length);
  expect(coverage?.css.unusedBytes).toBe(file('/app.css')?.unusedBytes);
});

test('counts what is used between start and stop', async () => {
  expect(await measure({ action: 'start' })).toEqual({ isMeasuring: true, coverage: null });
  expect((await bench.fail('browser_coverage', { action: 'start' })).code).toBe('busy');
  await bench.call('browser_navigate', { history: 'reload', waitUntil: 'load' });
  await bench.call('browser_click', { target: 'css=button' });
  const { coverage } = await measure({ action: 'stop' });
  expect(coverage?.files.find((one) => one.url === server.url('/app.js'))?.unusedBytes).toBe(0);
  expect((await bench.fail('browser_coverage', { action: 'stop' })).code).toBe('not_found');
});
