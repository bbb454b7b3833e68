import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { reply } from '../../../test/harness/route-handlers.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

interface Waited {
  waitedMs: number;
  requestedMs: number | null;
  effectiveMs: number;
}

beforeAll(async () => {
  server = await startFixtureServer();
  server.route(
    '/bursts',
    reply(`<title>b</title><script>
      fetch("/slow?ms=900").then(() => fetch("/slow?ms=900")).then(() => { document.title = "done" });
    </script>`),
  );
  server.route('/late', reply('<title>l</title><h1>Early</h1><script src=/late.js></script>'));
  server.route('/events', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  bench = await openBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const wait = async (input: object) => (await bench.call<Waited>('browser_wait', input)).output;
const open = (path: string, waitUntil = 'commit') =>
  bench.call('browser_navigate', { url: server.url(path), waitUntil });
const run = (script: string) => bench.call('browser_evaluate', { function: `() => { ${script} }` });

test.each([
  { timeMs: -5, effectiveMs: 0 },
  { timeMs: 0, effectiveMs: 0 },
  { timeMs: 250, effectiveMs: 250 },
])('waits $effectiveMs ms when asked for $timeMs', async ({ timeMs, effectiveMs }) => {
  await open('/blank.html');
  const waited = await wait({ timeMs });
  expect(waited).toMatchObject({ requestedMs: timeMs, effectiveMs });
  expect(waited.waitedMs).toBeGreaterThanOrEqual(effectiveMs);
  expect(waited.waitedMs).toBeLessThan(effectiveMs + 1_000);
});

test(
  'waits at most 30 seconds, though waits of other kinds end sooner',
  { timeout: 60_000 },
  async () => {
    await open('/blank.html');
    const [clamped, exact] = await Promise.all([
      (async () => {
        await using other = await openBench({ timeouts: { waitMs: 1_000 } });
        await other.call('browser_navigate', { url: server.url('/blank.html') });
        return (await other.call<Waited>('browser_wait', { timeMs: 30_001 })).output;
      })(),
      wait({ timeMs: 30_000 }),
    ]);
    expect(clamped).toMatchObject({ requestedMs: 30_001, effectiveMs: 30_000 });
    expect(exact).toMatchObject({ requestedMs: 30_000, effectiveMs: 30_000 });
    for (const { waitedMs } of [clamped, exact]) {
      expect(waitedMs).toBeGreaterThanOrEqual(30_000);
      expect(waitedMs).toBeLessThan(32_000);
    }
  },
);

test('waits for a load state', async () => {
  let release = () => {};
  server.route('/late.js', async (...exchange) => {
    await new Promise<void>((resolve) => (release = resolve));
    await reply('1', { type: 'text/javascript' })(...exchange);
  });
  await open('/late');
  // Whatever time opening it took: it loads only while it is waited for.
  setTimeout(() => release(), 300);
  const { waitedMs, requestedMs, effectiveMs } = await wait({ loadState: 'load' });
  expect(waitedMs).toBeGreaterThan(100);
  expect([requestedMs, effectiveMs]).toEqual([null, 20_000]);
});

test('waits until the network rests, chains of requests included', async () => {
  await open('/bursts', 'load');
  await wait({ loadState: 'networkidle' });
  const { output } = await bench.call('browser_evaluate', { function: 'document.title' });
  expect(output['value']).toBe('done');
});

test('counts a network as at rest while a stream of events stays open', async () => {
  await open('/blank.html', 'load');
  await run('window.events = new EventSource("/events")');
  expect((await wait({ loadState: 'networkidle' })).waitedMs).toBeLessThan(5_000);
});

test('names what is still under way when the network does not come to rest', async () => {
  await open('/blank.html', 'load');
  await run('void fetch("/never")');
  const { code, message, text } = await bench.fail('browser_wait', {
    loadState: 'networkidle',
    timeoutMs: 900,
  });
  expect(code).toBe('timeout');
  expect(message).toMatch(/did not come about in (?:8|9)\d\d ms/);
  expect(text).toContain(`still under way: GET ${server.url('/never')}`);
});

test('waits for an address by glob and by regular expression', async () => {
  await open('/blank.html', 'load');
  await run('setTimeout(() => history.pushState({}, "", "/shop/done?x=1"), 200)');
  expect((await wait({ url: '**/done?x=*' })).waitedMs).toBeLessThan(5_000);
  await wait({ url: '/\\/done\\?x=\\d$/' });
  expect((await bench.fail('browser_wait', { url: '/(/' })).code).toBe('bad_input');
  expect((await bench.fail('browser_wait', { url: '**/other', timeoutMs: 300 })).code).toBe(
    'timeout',
  );
});

test('waits for an expression or a function to become true', async () => {
  await open('/blank.html', 'load');
  await run('setTimeout(() => { window.isReady = true }, 200)');
  await wait({ function: 'window.isReady' });
  await wait({ function: '() => window.isReady === true' });
  const { code } = await bench.fail('browser_wait', { function: '() => false', timeoutMs: 300 });
  expect(code).toBe('timeout');
});

test('waits for text, for its end, and for an element', async () => {
  await open('/observe.html', 'load');
  await run('document.getElementById("go").click()');
  await wait({ text: 'It has arrived' });
  await run('setTimeout(() => document.getElementById("later").remove(), 200)');
  await wait({ textGone: 'It has arrived' });
  await wait({ selector: '#name' });
});

test('needs something to wait for', async () => {
  expect((await bench.fail('browser_wait', {})).code).toBe('bad_input');
});

test('refuses a function where script is switched off, and still waits for the rest', async () => {
  await using quiet = await openBench({ script: false });
  await quiet.call('browser_navigate', { url: server.url('/blank.html') });
  expect((await quiet.fail('browser_wait', { function: 'true' })).code).toBe('denied');
  await quiet.call('browser_wait', { timeMs: 1 });
});
