import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Artifact } from '../../model/artifact.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { replyJson } from '../../../test/harness/route-handlers.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  server.route('/api/order', replyJson({ order: 7 }));
  bench = await openBench();
  await bench.call('browser_navigate', { url: server.url('/blank.html') });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Har {
  log: {
    version: string;
    entries: {
      request: { method: string; url: string; postData?: { text: string } };
      response: { status: number; content: { text?: string } };
    }[];
  };
}

async function record(input: object, script: string): Promise<{ har: Har; text: string }> {
  await bench.call('browser_har', { action: 'start', ...input });
  await bench.call('browser_evaluate', { function: `async () => { ${script} }` });
  const { output } = await bench.call<{ file: Artifact }>('browser_har', { action: 'stop' });
  const text = await readFile(output.file.path, 'utf8');
  return { har: JSON.parse(text) as Har, text };
}

const ORDER = 'await fetch("/api/order").then(r => r.text());';

test('keeps requests as HAR 1.2, without bodies unless asked', async () => {
  const { har } = await record({}, ORDER);
  expect(har.log.version).toBe('1.2');
  const entry = har.log.entries.find(({ request }) => request.url.endsWith('/api/order'));
  expect(entry?.response.status).toBe(200);
  expect(entry?.response.content.text).toBeUndefined();
  const full = await record({ bodies: true }, ORDER);
  expect(full.har.log.entries[0]?.response.content.text).toBe('{"order":7}');
});

test('keeps only the addresses asked for', async () => {
  const { har } = await record({ urlFilter: '**/api/**' }, `await fetch("/echo"); ${ORDER}`);
  expect(har.log.entries.map(({ request }) => new URL(request.url).pathname)).toEqual([
    '/api/order',
  ]);
});

test('hides secrets in headers, cookies, addresses and forms', async () => {
  const { text } = await record(
    {},
    `document.cookie = "sid=topsecret0";
     await fetch("/set-cookie?session_id=topsecret1");
     await fetch("/echo?api_key=topsecret2", {
       method: "POST",
       headers: {authorization: "Bearer topsecret3", "content-type": "application/x-www-form-urlencoded"},
       body: "user=ada&password=topsecret4",
     }).then(r => r.text());`,
  );
  expect(text).toContain('{"name":"user","value":"ada"}');
  expect(text).toContain('{"name":"password","value":"[hidden]"}');
  expect(text).not.toContain('topsecret');
});

test('refuses a second start, and a stop without one', async () => {
  await bench.call('browser_har', { action: 'start' });
  expect((await bench.fail('browser_har', { action: 'start' })).code).toBe('busy');
  await bench.call('browser_har', { action: 'stop' });
  expect((await bench.fail('browser_har', { action: 'stop' })).code).toBe('not_found');
});
