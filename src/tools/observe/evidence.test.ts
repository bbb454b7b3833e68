import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  bench = await openBench();
  await bench.call('browser_navigate', { url: server.url('/observe.html'), waitUntil: 'load' });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

test('collects the whole console as JSON inside the wrapper', async () => {
  const { output, text } = await bench.call<{ entries: { text: string }[] }>('browser_evidence', {
    kind: 'console',
  });
  expect(output.entries.map((entry) => entry.text)).toEqual(
    expect.arrayContaining(['first line of the page', 'an info', 'a debug', 'a warning']),
  );
  const body = /\n(\{.*\})\n\[end of page content/s.exec(text)?.[1] ?? '';
  expect(JSON.parse(body)).toEqual(output);
});

test('collects the whole network', async () => {
  const { output } = await bench.call<{ entries: { url: string; status: number }[] }>(
    'browser_evidence',
    { kind: 'network' },
  );
  expect(output.entries[0]).toMatchObject({ url: server.url('/observe.html'), status: 200 });
});

test('collects the snapshot', async () => {
  const { output } = await bench.call('browser_evidence', { kind: 'snapshot' });
  expect(output).toMatchObject({ url: server.url('/observe.html'), title: 'Observed' });
  expect(output['snapshot']).toContain('Observed page');
});

test('refuses another kind', async () => {
  expect((await bench.fail('browser_evidence', { kind: 'cookies' })).code).toBe('bad_input');
});
