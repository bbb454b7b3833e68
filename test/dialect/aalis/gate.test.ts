import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../../src/config/schema.ts';
import { aalis } from '../../../src/dialect/aalis/aalis.ts';
import type { FixtureServer } from '../../harness/fixture-server.ts';
import { startOriel, textOf, type TestOriel } from '../../harness/oriel.ts';
import { verifies } from '../../harness/verifies.ts';
import { startSite } from './site.ts';

let site: FixtureServer;
let oriel: TestOriel | undefined;
/** Requests that came to what must not be reached, by kind. */
const hits: string[] = [];

beforeAll(async () => {
  site = await startSite();
  site.route('/secret', (request, response) => {
    hits.push(request.url.searchParams.get('by') ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' });
    response.end('secret');
  });
  site.route('/hop', (request, response) => {
    response.writeHead(302, { location: request.url.searchParams.get('to') ?? '/' }).end();
  });
  for (const [path, script] of Object.entries(WORKERS)) {
    site.route(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script(site.otherOrigin));
    });
  }
  site.route('/try', (request, response) => {
    const body = WAYS[request.url.searchParams.get('way') ?? '']?.(site.otherOrigin) ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Try</title><body><button id="b">b</button>${body}`);
  });
});
afterAll(() => site[Symbol.asyncDispose]());
afterEach(async () => {
  await oriel?.[Symbol.asyncDispose]();
  oriel = undefined;
  hits.length = 0;
});

const tries = (by: string) => (origin: string) =>
  `fetch('${origin}/secret?by=${by}', {mode: 'no-cors'}).catch(() => {}).then(() => NEXT);`;
const WORKERS: Readonly<Record<string, (origin: string) => string>> = {
  '/worker.js': (origin) => tries('worker')(origin).replace('NEXT', 'postMessage(1)'),
  '/shared.js': (origin) =>
    `onconnect = (event) => { ${tries('shared')(origin).replace('NEXT', 'event.ports[0].postMessage(1)')} };`,
  '/sw.js': (origin) =>
    `onmessage = (event) => event.waitUntil(${tries('service')(origin).replace('NEXT', 'event.source.postMessage(1)').replace(/;$/, '')});`,
};

const DONE = "document.title = 'Tried'";
/** What a page does to reach another origin; it says `Tried` when it has failed or not. */
const WAYS: Readonly<Record<string, (origin: string) => string>> = {
  page: (origin) => `<script>${tries('page')(origin).replace('NEXT', DONE)}</script>`,
  'window.open': (origin) =>
    `<script>b.onclick = () => { window.open('${origin}/secret?by=open'); ${DONE}; }</script>`,
  worker: () => `<script>new Worker('/worker.js').onmessage = () => ${DONE};</script>`,
  'shared worker': () =>
    `<script>new SharedWorker('/shared.js').port.onmessage = () => ${DONE};</script>`,
  'service worker': () => `<script>
    navigator.serviceWorker.onmessage = () => ${DONE};
    navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)
      .then(({active}) => active.postMessage(1));
  </script>`,
  navigation: (origin) =>
    `<script>b.onclick = () => { location = '${origin}/secret?by=go'; }</script>`,
  click: (origin) =>
    `<a href="${origin}/secret?by=click" id="a">a</a><script>b.onclick = () => a.click();</script>`,
  form: (origin) =>
    `<form method="post" action="${origin}/secret?by=form"></form><script>b.onclick = () => document.forms[0].submit();</script>`,
  redirect: (origin) =>
    `<script>b.onclick = () => { location = '/hop?to=' + encodeURIComponent('${origin}/secret?by=hop'); }</script>`,
  'sub-resource': (origin) =>
    `<img src="${origin}/secret?by=img" onerror="${DONE}" onload="${DONE}">`,
  fetch: (origin) => `<script>${tries('fetch')(origin).replace('NEXT', DONE)}</script>`,
  WebSocket: (origin) => `<script>
    const socket = new WebSocket('${origin.replace('http', 'ws')}/secret?by=ws');
    socket.onerror = socket.onopen = () => ${DONE};
  </script>`,
};

async function start(config: ConfigInput = {}, options = {}): Promise<TestOriel> {
  const started = await startOriel({
    dialect: aalis(),
    config: {
      dialectOptions: {
        defaultTimeout: 6_000,
        allowedHosts: ['127.0.0.1'],
        maxPages: 30,
        ...options,
      },
      ...config,
      network: {
        exemptHosts: ['127.0.0.1'],
        allowedPorts: [80, 443, site.port],
        ...config.network,
      },
    },
  });
  oriel = started;
  return started;
}

async function navigate(url: string): Promise<Record<string, unknown>> {
  const outcome = await oriel?.speak('browser_navigate', { url });
  if (outcome?.status === 'needs_input' || !outcome) throw new Error('no outcome');
  return outcome.output as Record<string, unknown>;
}

describe('before anything is opened', () => {
  it.each([
    'about:blank',
    'data:text/html,x',
    'file:///etc/passwd',
    'chrome://version',
    'ftp://a/',
  ])('refuses the protocol of %s', async (url) => {
    verifies('A-044', 'A-013');
    const { core } = await start();
    expect((await navigate(url))['error']).toContain('allowedProtocols');
    expect(core.deps.engine.running).toBeNull();
  });

  it('refuses http where only https is allowed', async () => {
    verifies('A-013', 'A-044');
    const { core } = await start({}, { allowedProtocols: ['https'] });
    expect((await navigate(site.url('/plain')))['error']).toContain('allowedProtocols');
    expect(core.deps.engine.running).toBeNull();
  });

  it.each([
    'localhost',
    '127.0.0.2',
    '[::1]',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.1',
    '192.168.1.1',
    '169.254.1.1',
    '0.0.0.0',
  ])('refuses %s, and starts no browser', async (host) => {
    verifies('A-012', 'A-045');
    const { core } = await start();
    expect((await navigate(`http://${host}/`))['error']).toContain('不允许');
    expect(core.deps.engine.running).toBeNull();
  });

  it('lets a host of allowedHosts pass, exactly as it is written', async () => {
    verifies('A-014', 'A-045', 'A-052', 'A-069');
    await start();
    expect((await navigate(site.url('/plain')))['title']).toBe('Plain');
    expect((await navigate(`http://sub.localhost:${site.port}/plain`))['error']).toContain(
      '不允许',
    );
    // However the same address is spelled, the browser and the list mean its canonical form.
    expect((await navigate(`http://0x7f000001:${site.port}/plain`))['title']).toBe('Plain');
  });
});

/** Chromium with one more feature off: a second list of them would replace the first. */
function unchecked(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oriel-test-chromium-'));
  const file = path.join(folder, 'chromium');
  const real = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((one) =>
    existsSync(one),
  );
  const script = [
    '#!/bin/sh',
    'for arg; do',
    '  case "$arg" in --disable-features=*) arg="$arg,LocalNetworkAccessChecks";; esac',
    '  set -- "$@" "$arg"; shift',
    'done',
    `exec ${real} "$@"`,
  ];
  writeFileSync(file, `${script.join('\n')}\n`, { mode: 0o755 });
  return file;
}

const BROWSERS = ['as it is', 'without its local network checks'] as const;

describe.each(BROWSERS)('behind the gate, with Chromium %s', (name) => {
  const isUnchecked = name !== 'as it is';
  const executablePath = isUnchecked ? unchecked() : '';
  afterAll(() => {
    if (isUnchecked) rmSync(path.dirname(executablePath), { recursive: true });
  });

  it.each([
    ...['page', 'window.open', 'worker', 'shared worker', 'service worker'].map(
      (way) => ['A-049', way] as const,
    ),
    ...['navigation', 'click', 'form', 'redirect', 'sub-resource', 'fetch', 'WebSocket'].map(
      (way) => ['A-050', way] as const,
    ),
  ])('(%s) nothing private is reached by %s', async (id, way) => {
    verifies(id);
    if (isUnchecked) verifies('A-068', 'A-010');
    const running = await start({}, { executablePath });
    const { core } = running;
    const before = isUnchecked ? 'LocalNetworkAccessChecks' : '';
    const url = site.url(`/try?way=${encodeURIComponent(way)}`);
    const { pageId } = await navigate(url);
    const page = running.raw(String(pageId));
    const gone = way === 'window.open' ? page.waitForEvent('popup') : null;
    await running.speak('browser_click', { pageId, selector: '#b' });
    const popup = await gone;
    await popup?.waitForLoadState().catch(() => {});
    // Where it stayed, it has tried; where it left, it stands on an error page.
    const state = () => page.evaluate('document.title + location.href').catch(() => '');
    await expect.poll(state, { timeout: 10_000 }).toMatch(/^Tried|chrome-error|secret/);
    expect(hits).toEqual([]);
    const pid = core.deps.engine.running?.facts.pid ?? 0;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain(before);
    // It was the gate that refused it.
    const network = core.deps.sessions.all[0]?.context?.network;
    expect(await network?.blockedSince(0)).toMatchObject([{ host: 'localhost' }]);
  });
});

describe('the gate', () => {
  it('is what the browser is tied to', async () => {
    verifies('A-047', 'A-048', 'A-060', 'A-061');
    const { core } = await start();
    await navigate(site.url('/plain'));
    const pid = core.deps.engine.running?.facts.pid ?? 0;
    const flags = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const server = flags.find((flag) => flag.startsWith('--proxy-server='));
    const [, label] =
      /^--proxy-server=socks5:\/\/base\.(\w+)\.invalid:\d+$/.exec(server ?? '') ?? [];
    expect(label).toBeTruthy();
    expect(flags).toContain(
      `--host-resolver-rules=MAP *.${label}.invalid 127.0.0.1, MAP * ~NOTFOUND`,
    );
    expect(flags).toContain('--proxy-bypass-list=<-loopback>');
    expect(flags).toContain('--webrtc-ip-handling-policy=disable_non_proxied_udp');
    expect(core.deps.sessions.all[0]?.context?.network.level).toBe('gate');
  });

  it('checks ports first, also of allowed hosts', async () => {
    verifies('A-051', 'A-057');
    await start({ network: { allowedPorts: [80, 443] } });
    const { error } = await navigate(site.url('/plain'));
    expect(error).toContain('net::ERR_SOCKS_CONNECTION_FAILED');
    expect(error).toContain('blockPrivate');
  });

  it.each([
    ['a refusal', 'http://inside.test/', 80],
    ['a name that is not there', 'http://nowhere.oriel-test.com/', 80],
    ['a connection that nobody takes', 'http://127.0.0.1:65431/', 65_431],
  ])('fails with the one error of SOCKS for %s', async (_why, url, port) => {
    verifies('A-056', 'A-057');
    await start({
      network: { hosts: { 'inside.test': ['10.0.0.7'] }, allowedPorts: [port] },
    });
    const { error } = await navigate(url);
    expect(error).toContain('net::ERR_SOCKS_CONNECTION_FAILED');
    expect(error).toContain('blockPrivate');
  });

  it('is not there where blockPrivate is off, nor is any check of allowedHosts', async () => {
    verifies('A-067', 'A-070');
    oriel = await startOriel({
      dialect: aalis(),
      config: {
        dialectOptions: { blockPrivate: false, allowedHosts: ['nowhere'] },
        network: { egress: 'best' },
      },
    });
    expect((await navigate(`${site.otherOrigin}/plain`))['title']).toBe('Plain');
    const pid = oriel.core.deps.engine.running?.facts.pid ?? 0;
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('--proxy-server');
    expect(oriel.core.deps.sessions.all[0]?.context?.network.level).toBe('none');
  });

  it.each([
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.1.2.3',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    'localhost',
    'a.localhost',
    'printer.local',
  ])('judges %s as private by its text', async (host) => {
    verifies('A-071');
    const { core } = await start();
    expect(() => core.deps.urls.admit(`http://${host}/`, {})).toThrow();
  });

  it('has one judge of addresses, which guard, gate and fetch all ask', () => {
    verifies('A-071');
    const importsOf = (file: string) => readFileSync(`src/gate/${file}.ts`, 'utf8');
    for (const file of ['guard-url', 'session-listener', 'guarded-fetch']) {
      expect(importsOf(file), file).toMatch(/from '\.\/decide\.ts'/);
    }
    expect(importsOf('decide')).toMatch(/from '\.\/address\.ts'/);
    const rules = readFileSync('.dependency-cruiser.mjs', 'utf8');
    expect(rules).toContain('one-judge-of-addresses');
  });

  it('tells of a failed page in the words of the dialect alone', async () => {
    await start();
    const outcome = await oriel?.speak('browser_navigate', { url: 'http://10.0.0.1/' });
    expect(outcome && textOf(outcome)).not.toContain('browser_tabs');
  });
});
