import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Found } from '../../model/console.ts';
import type { Exchange, ExchangeDetail } from '../../model/traffic.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { reply, replyJson } from '../../../test/harness/route-handlers.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  server.route(
    '/observe-worker.js',
    reply('fetch("/echo?from=worker")', { type: 'text/javascript' }),
  );
  server.route('/sw.js', reply('fetch("/echo?from=service")', { type: 'text/javascript' }));
  server.route(
    '/sized',
    reply('0123456789', { type: 'text/plain', headers: { 'content-length': 10 } }),
  );
  server.route('/unsized', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('in ');
    response.end('chunks');
  });
  server.route('/login', replyJson({ ok: true, name: 'Ada' }));
  server.route(
    '/secret-headers',
    reply('{}', {
      type: 'application/json',
      headers: {
        'set-cookie': ['sid=topsecret1; Path=/', 'theme=topsecret2'],
        'x-api-key': 'topsecret3',
      },
    }),
  );
  server.route('/big.txt', ({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end('b'.repeat(Number(url.searchParams.get('bytes'))));
  });
  server.route('/binary', reply(Buffer.from([0, 1, 2, 255]), { type: 'application/octet-stream' }));
  bench = await openBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const list = async (input: object = {}) =>
  (await bench.call<Found<Exchange>>('browser_network', input)).output;

async function fetchOn(script: string): Promise<void> {
  await bench.call('browser_navigate', { url: server.url('/blank.html') });
  await bench.call('browser_evaluate', { function: `async () => { ${script} }` });
}

async function detailOf(containsUrl: string, more: object = {}) {
  await expect
    .poll(async () => (await list({ containsUrl })).returned.at(-1)?.durationMs)
    .toBeDefined();
  const id = (await list({ containsUrl })).returned.at(-1)?.id;
  const { output, text } = await bench.call<{ detail: ExchangeDetail }>('browser_network', {
    id,
    ...more,
  });
  return { detail: output.detail, text };
}

test('lists method, address, status, time, duration and, where the server said it, the size', async () => {
  verifies('E-040');
  await fetchOn(
    'await fetch("/sized").then(r => r.text()); await fetch("/unsized").then(r => r.text())',
  );
  await expect
    .poll(async () =>
      (await list({ containsUrl: 'sized' })).returned.every((e) => e.durationMs !== undefined),
    )
    .toBe(true);
  const [sized, unsized] = (await list({ containsUrl: 'sized' })).returned;
  expect(sized).toMatchObject({
    method: 'GET',
    url: server.url('/sized'),
    status: 200,
    resourceType: 'fetch',
    sizeBytes: 10,
  });
  expect(Math.abs(Date.now() - (sized?.timestamp ?? 0))).toBeLessThan(20_000);
  expect(unsized).not.toHaveProperty('sizeBytes');
});

test('has no duration while a request is under way', async () => {
  await fetchOn('void fetch("/never")');
  const { returned } = await list({ containsUrl: '/never', status: 'pending' });
  expect(returned).toHaveLength(1);
  expect(returned[0]).toMatchObject({ status: null });
  expect(returned[0]).not.toHaveProperty('durationMs');
});

test('filters by address, status, class of status, method and kind', async () => {
  await fetchOn(`
    await fetch("/status?code=404"); await fetch("/status?code=503");
    await fetch("/echo?x", {method: "POST", body: "a"}); await fetch("/hang-up").catch(() => {});
  `);
  const urls = async (input: object) =>
    (await list(input)).returned.map(
      (entry) => new URL(entry.url).pathname + new URL(entry.url).search,
    );
  expect(await urls({ status: '404' })).toEqual(['/status?code=404']);
  expect(await urls({ status: '5xx' })).toEqual(['/status?code=503']);
  expect(await urls({ method: 'post' })).toEqual(['/echo?x']);
  expect(await urls({ status: 'failed', containsUrl: 'hang-up' })).toContain('/hang-up');
  expect((await list({ resourceType: 'document' })).returned.at(-1)?.url).toBe(
    server.url('/blank.html'),
  );
  expect((await bench.fail('browser_network', { status: '999' })).code).toBe('bad_input');
});

test('lists each hop of a redirect', async () => {
  await fetchOn('await fetch("/redirect?hops=2&to=/sized")');
  const { returned } = await list({ containsUrl: 'redirect' });
  expect(returned.map((entry) => entry.status)).toEqual([302, 302]);
});

test.each([199, 200, 201])(
  'keeps the newest 200 of %i requests and counts the rest',
  async (requests) => {
    verifies('E-041');
    await bench.call('browser_tabs', { action: 'new' });
    await bench.call('browser_navigate', { url: server.url('/blank.html') });
    // The document is one of them.
    await bench.call('browser_evaluate', {
      function: `async () => { for (let i = 2; i <= ${requests}; i++) await fetch("/sized?n=" + i) }`,
    });
    const found = await list({ limit: 200 });
    expect(found.total).toBe(Math.min(200, requests));
    expect(found.dropped).toBe(Math.max(0, requests - 200));
    expect(found.returned.at(-1)?.url).toBe(server.url(`/sized?n=${requests}`));
    expect((await list()).returned).toHaveLength(50);
    expect((await bench.fail('browser_network', { limit: 201 })).code).toBe('bad_input');
    expect((await bench.fail('browser_network', { limit: 0 })).code).toBe('bad_input');
  },
);

test('misses nothing of a popup, its document and its worker included', async () => {
  await bench.call('browser_navigate', { url: server.url('/blank.html') });
  await bench.call('browser_evaluate', {
    function: '() => void window.open("/observe-popup.html")',
  });
  const pages = () => bench.core.deps.sessions.all[0]?.pages ?? [];
  await expect.poll(() => pages().at(-1)?.url).toContain('/observe-popup.html');
  const popup = pages().at(-1)?.id;
  await expect
    .poll(async () => (await list({ page: popup, status: '200' })).returned.map((e) => e.url))
    .toEqual(
      expect.arrayContaining([
        server.url('/observe-popup.html'),
        server.url('/echo?from=popup'),
        server.url('/observe-worker.js'),
        server.url('/echo?from=worker'),
      ]),
    );
  await bench.call('browser_tabs', { action: 'close', page: popup });
});

test('shows what a service worker asks for on the pages of its origin', async () => {
  await fetchOn(
    'await navigator.serviceWorker.register("/sw.js"); await navigator.serviceWorker.ready',
  );
  await expect
    .poll(async () => (await list({ containsUrl: 'from=service' })).returned[0]?.worker)
    .toBe(server.url('/sw.js'));
  await bench.call('browser_evaluate', {
    function:
      'async () => { for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister() }',
  });
});

test('shows one request in full, with phases and sizes', async () => {
  await fetchOn(
    'await fetch("/login", {method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({user: "ada", n: 3})}).then(r => r.json())',
  );
  const { detail, text } = await detailOf('/login');
  expect(detail).toMatchObject({ method: 'POST', status: 200, postData: '{"user":"ada","n":3}' });
  expect(detail.remoteAddress).toBeUndefined();
  expect(detail.body).toEqual({
    kind: 'json',
    text: '{"ok":true,"name":"Ada"}',
    bytes: 24,
    isTruncated: false,
  });
  expect(detail.timing.waitMs).toBeGreaterThan(0);
  // On the wire, where the framing of chunks counts.
  expect(detail.sizes?.responseBodyBytes).toBeGreaterThanOrEqual(24);
  expect(detail.requestHeaders.map((header) => header.name.toLowerCase())).toContain(
    'content-type',
  );
  expect(text).toContain('{"ok":true,"name":"Ada"}');
});

test('never shows passwords, cookies, keys or tokens', async () => {
  await fetchOn(`
    document.cookie = "sid=topsecret0; path=/";
    await fetch("/secret-headers?access_token=topsecret4&q=shoes", {
      method: "POST",
      headers: {authorization: "Bearer topsecret5", "x-api-key": "topsecret6", "content-type": "application/x-www-form-urlencoded"},
      body: "user=ada&password=topsecret7",
    }).then(r => r.text());
    await fetch("/secret-headers?multi", {method: "POST", body: (() => { const f = new FormData(); f.set("user", "ada"); f.set("pwd", "topsecret8"); return f })()});
    await fetch("/secret-headers?json", {method: "POST", body: '{"login": {"newPassword": "topsecret9", "user": "ada"}'});
  `);
  for (const part of ['q=shoes', '?multi', '?json']) {
    const { detail, text } = await detailOf(part);
    expect(JSON.stringify(detail) + text).not.toContain('topsecret');
    expect(detail.postData).toContain('ada');
  }
  const { detail } = await detailOf('q=shoes');
  expect(detail.url).toContain('q=shoes');
  const header = (name: string) =>
    detail.requestHeaders.find((one) => one.name.toLowerCase() === name)?.value;
  expect(header('authorization')).toBe('Bearer [hidden]');
  expect(header('cookie')).toContain('sid=[hidden]');
  expect(JSON.stringify(await list({ limit: 200 }))).not.toContain('topsecret');
});

test.each([
  { bytes: 999, isTruncated: false },
  { bytes: 1_000, isTruncated: false },
  { bytes: 1_001, isTruncated: true },
])('bounds a body of $bytes bytes at 1,000', async ({ bytes, isTruncated }) => {
  await fetchOn(`await fetch("/big.txt?bytes=${bytes}").then(r => r.text())`);
  const { detail } = await detailOf(`bytes=${bytes}`, { maxBytes: 1_000 });
  expect(detail.body).toMatchObject({ kind: 'text', bytes, isTruncated });
  expect(detail.body.text).toHaveLength(Math.min(bytes, 1_000));
  expect(detail.body.file !== undefined).toBe(isTruncated);
  if (detail.body.file) expect(await readFile(detail.body.file, 'utf8')).toBe('b'.repeat(bytes));
});

test('keeps a binary body as a file', async () => {
  await fetchOn('await fetch("/binary").then(r => r.arrayBuffer())');
  const { detail } = await detailOf('/binary');
  expect(detail.body).toMatchObject({ kind: 'binary', bytes: 4 });
  expect([...(await readFile(detail.body.file ?? ''))]).toEqual([0, 1, 2, 255]);
});

test('tells of an id that is none', async () => {
  expect((await bench.fail('browser_network', { id: 'r9999' })).code).toBe('not_found');
});

test('keeps no file where nothing may be kept', async () => {
  await fetchOn('await fetch("/binary?unkept").then(r => r.arrayBuffer())');
  const id = (await list({ containsUrl: '?unkept' })).returned[0]?.id ?? '';
  const { deps } = bench.core;
  const raw = deps.sessions.all[0]?.current?.raw;
  const traced = raw && deps.journals.of(raw).network.find(id);
  if (!traced) throw new Error('the request is not in the buffer');
  const options = { maxBytes: 10, keep: null };
  const detail = await deps.observe.describeRequest(traced, options, AbortSignal.timeout(5_000));
  expect(detail.body).toEqual({ kind: 'binary', bytes: 4, isTruncated: true });
});
