import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createCore } from '../../src/app/core.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { verifies } from '../harness/verifies.ts';
import { type Bench, openBench } from '../observe/harness.ts';

const PAGES: Record<string, string> = {
  '/plain': '<title>plain</title>ok',
  '/image':
    '<title>image</title><img src="http://10.0.0.7/a.png"><img src="http://10.0.0.7/b.png">',
  '/popup': '<button onclick="window.open(\'http://10.0.0.8/\')">Open</button>',
  '/worker': `<button onclick="new Worker(window.URL.createObjectURL(new Blob(['fetch(\\'http://10.0.0.9/\\')'])))">Work</button>`,
  '/save': '<a href="http://10.0.0.10/file.bin" download>Save</a>',
  '/file': '<a href="/attachment">Take</a>',
};

let bench: Bench;
let base: string;
let resetting: number;
let silent: number;
const servers: { close(): unknown }[] = [];

beforeAll(async () => {
  const site = createHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/to') {
      response.writeHead(302, { location: searchParams.get('url') ?? '/' }).end();
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[pathname] ?? 'none');
    }
  }).listen(0, '127.0.0.1');
  const reset = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  const nobody = createServer().listen(0, '127.0.0.1');
  servers.push(site, reset);
  await Promise.all(
    [site, reset, nobody].map((server) => server.listening || once(server, 'listening')),
  );
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  resetting = (reset.address() as AddressInfo).port;
  silent = (nobody.address() as AddressInfo).port;
  nobody.close();
  bench = await openBench();
}, 120_000);
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  for (const server of servers) server.close();
}, 60_000);

const open = (path: string) => bench.call('browser_navigate', { url: `${base}${path}` });

describe('a navigation that was let out and fails', () => {
  it('says that nothing listens where nothing does', async () => {
    const failure = await bench.fail('browser_navigate', { url: `http://127.0.0.1:${silent}/` });
    expect(failure.code).toBe('upstream');
    expect(failure.message).toBe(`Nothing listens at 127.0.0.1:${silent} (connection refused).`);
  });

  it('says so as well where the server hangs up', async () => {
    const failure = await bench.fail('browser_navigate', { url: `http://127.0.0.1:${resetting}/` });
    expect(failure.code).toBe('upstream');
    expect(failure.message).toMatch(/ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|connection reset/);
  });

  it('hints at the spelling of a name that does not exist', async () => {
    const failure = await bench.fail('browser_navigate', { url: 'http://no-such-host.example/' });
    expect(failure.code).toBe('upstream');
    expect(failure.message).toBe('no-such-host.example could not be resolved to an address.');
    expect(failure.text).toContain('Check the spelling');
  });
});

describe('what is blocked', () => {
  it('names the hop of a redirect that may not be followed, and the way to allow it', async () => {
    verifies('C-091');
    const there = `${base}/to?url=${encodeURIComponent('http://10.0.0.5/')}`;
    const failure = await bench.fail('browser_navigate', {
      url: `${base}/to?url=${encodeURIComponent(there)}`,
    });
    expect(failure.code).toBe('blocked');
    expect(failure.message).toContain('hop 2');
    // Where it leads is the page's word, not ours.
    expect(failure.message).not.toContain('10.0.0.5');
    expect(failure.text).toContain('10.0.0.5 is a private address.');
    expect(failure.text).toContain('--exempt-hosts 10.0.0.5');
  });

  it.each([
    ['a popup', '/popup', 'role=button', '10.0.0.8'],
    ['a worker', '/worker', 'role=button', '10.0.0.9'],
    ['a download', '/save', 'role=link', '10.0.0.10'],
  ])('is in the effect of the click that led to it: %s', async (_what, path, target, host) => {
    await open(path);
    const { text } = await bench.call('browser_click', { target });
    expect(text).toMatch(new RegExp(`blocked: ${host.replaceAll('.', '\\.')}:80.*private address`));
  });

  it('is counted and listed by status, parts of pages included', async () => {
    await open('/image');
    await expect
      .poll(async () => (await bench.call('browser_session')).text)
      .toMatch(/refused 10\.0\.0\.7:80.*private address.*--exempt-hosts 10\.0\.0\.7/);
    const { output } = await bench.call<{
      network: { blocked: number; lastBlocked: { host: string }[] };
    }>('browser_session');
    expect(output.network.blocked).toBeGreaterThan(1);
    expect(output.network.lastBlocked.length).toBeLessThanOrEqual(5);
    expect(output.network.lastBlocked.at(-1)?.host).toBe('10.0.0.7');
  });
});

describe('the requests that Playwright sends from our own process', () => {
  it('throw, of the context, of the page and of a route', async () => {
    await open('/plain');
    const page = bench.core.deps.sessions.all.flatMap((session) => session.pages)[0]!.raw;
    const past = expect.objectContaining({
      message: expect.stringContaining('past the network gate'),
    });
    await expect(page.request.get(`${base}/plain`)).rejects.toEqual(past);
    await expect(page.context().request.fetch(`${base}/plain`)).rejects.toEqual(past);
    let thrown: unknown;
    await page.route('**/routed', async (route) => {
      thrown = await route.fetch().catch((failure: unknown) => failure);
      await route.abort();
    });
    await page.evaluate('fetch("/routed").catch(() => {})');
    expect(thrown).toEqual(past);
    await page.unroute('**/routed');
  });
});

describe('a configuration', () => {
  const start = (values: ConfigInput) => () => {
    const { config } = loadConfig({ values: { dataDir: bench.folder, ...values } });
    return createCore(config, {}, silentLog);
  };

  it.each<[string, ConfigInput, RegExp]>([
    ['a level without a gate', { network: { blockPrivate: false, egress: 'kernel' } }, /egress/],
    [
      'a level above that of an upstream proxy',
      { network: { upstream: 'http://127.0.0.1:1', egress: 'gate' } },
      /upstream/,
    ],
    [
      'confined files without the kernel level',
      { sandbox: { files: true }, network: { egress: 'gate' } },
      /sandbox\.files/,
    ],
    [
      'confined files without a gate',
      { sandbox: { files: true }, network: { blockPrivate: false } },
      /sandbox\.files/,
    ],
    [
      'an upstream proxy under strict',
      { network: { upstream: 'http://127.0.0.1:1', strict: true } },
      /strict/,
    ],
  ])('that demands %s is refused before anything starts', (_what, values, says) => {
    expect(start(values)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringMatching(says) }),
    );
  });
});

it('names --local for a server on this machine', async () => {
  await using closed = await openBench({ network: {} });
  const failure = await closed.fail('browser_navigate', { url: 'http://localhost:3000/' });
  expect(failure.code).toBe('blocked');
  expect(failure.text).toContain('--local');
});
