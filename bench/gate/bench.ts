/**
 * What the gate costs, as ratios to a browser without one: a page with 100 resources, a download,
 * and forty names whose lookup is slow. Run it with `npx tsx bench/gate/bench.ts` as root on Linux
 * (the slow resolver and the kernel level need namespaces); it writes Markdown to stdout.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

import { Gate } from '../../src/gate/gate.ts';
import type { GateListener } from '../../src/gate/gate-listener.ts';
import { probeKernelLevel } from '../../src/gate/namespace.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { buildChild } from '../../test/gate/built-child.ts';
import { launchOn } from '../../test/gate/browser-under-test.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
const DOWNLOAD_BYTES = 200 * 1024 * 1024;
const PUBLIC = '93.184.216.34';
const path = process.env['BROWSER'] ?? '/usr/bin/chromium';
const signal = AbortSignal.timeout(540_000);

const server = createServer((request, response) => {
  if (request.url?.startsWith('/download')) {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-length', DOWNLOAD_BYTES);
    const chunk = Buffer.alloc(1024 * 1024);
    let left = DOWNLOAD_BYTES / chunk.length;
    const more = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', more);
      response.end();
    };
    more();
    return;
  }
  if (request.url?.startsWith('/page')) {
    const images = Array.from({ length: 100 }, (_, n) => `<img src="/r${n}?${Math.random()}">`);
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html>${images.join('')}`);
    return;
  }
  response.setHeader('content-type', 'image/svg+xml');
  response.setHeader('cache-control', 'no-store');
  response.end('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

interface Lane {
  readonly name: string;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly origin: string;
}

using child = await buildChild();
await using gate = new Gate({
  policy: networkPolicySchema.parse({ hosts: { 'public.test': [PUBLIC] } }),
  childPath: child.path,
  testing: { dialMap: { [PUBLIC]: { host: '127.0.0.1', port } } },
});
await gate.start(signal);
const lanes: Lane[] = [await openDirect(), await openGated('gate')];
const probe = await probeKernelLevel({ signal });
await using namespace =
  probe.level === 'kernel' ? await gate.openNamespace(probe.command, signal) : undefined;
if (namespace) lanes.push(await openGated('kernel'));

const pages = new Map<string, number[]>();
const downloads = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++) {
  // Lanes take turns within a round, so that a busy moment of the machine meets them all.
  for (const lane of lanes) note(pages, lane.name, await loadPage(lane));
  if (round < 3) for (const lane of lanes) note(downloads, lane.name, await download(lane));
}
for (const { browser } of lanes) await browser.close();
const connects = await measureConnects();
const names = await measureNames();
server.close();
server.closeAllConnections();

const direct = { page: median(pages, 'direct'), download: median(downloads, 'direct') };
const rows = lanes.map(({ name }) => {
  const page = median(pages, name);
  const speed = median(downloads, name);
  return `| ${name} | ${page.toFixed(0)} | ${(page / direct.page).toFixed(2)} | ${speed.toFixed(0)} | ${(speed / direct.download).toFixed(2)} |`;
});
process.stdout.write(`# The gate's cost

${path}, Node ${process.version}, medians of ${ROUNDS} pages and 3 downloads, lanes in turn.

| | page of 100 resources (ms) | × direct | 200 MB download (MB/s) | × direct |
|---|---|---|---|---|
${rows.join('\n')}

A tunnel through the gate to a local server stands in ${connects.toFixed(1)} ms (median of 200).
Forty names of 100 ms each resolve in ${names.forty.toFixed(0)} ms, one in ${names.one.toFixed(0)} ms: ${(names.forty / names.one).toFixed(2)} × one.
`);
process.exit(0);

async function openDirect(): Promise<Lane> {
  const browser = await chromium.launch({
    executablePath: path,
    chromiumSandbox: false,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      `--host-resolver-rules=MAP public.test:80 127.0.0.1:${port}`,
    ],
  });
  const context = await browser.newContext();
  return { name: 'direct', browser, context, origin: 'http://public.test' };
}

async function openGated(name: 'gate' | 'kernel'): Promise<Lane> {
  const inside = name === 'kernel' ? namespace : undefined;
  const browser = await launchOn(gate, path, inside ? { namespace: inside } : {});
  const listener = await gate.openListener(`bench-${name}`, {}, signal, inside);
  const context = await browser.newContext({ proxy: listener.contextProxy });
  return { name, browser, context, origin: 'http://public.test' };
}

async function loadPage({ context, origin }: Lane): Promise<number> {
  const page = await context.newPage();
  const startedAt = performance.now();
  await page.goto(`${origin}/page?${Math.random()}`, { waitUntil: 'load' });
  const ms = performance.now() - startedAt;
  await page.close();
  return ms;
}

/** Megabytes a second, the bytes thrown away in the page as they come. */
async function download({ context, origin }: Lane): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${origin}/r0`);
  const ms = await page.evaluate<number>(`(async () => {
    const startedAt = performance.now();
    const reader = (await fetch('/download?' + Math.random())).body.getReader();
    while (!(await reader.read()).done);
    return performance.now() - startedAt;
  })()`);
  await page.close();
  return DOWNLOAD_BYTES / 1_000_000 / (ms / 1000);
}

async function measureConnects(): Promise<number> {
  const listener = await gate.openListener('connects', {}, signal);
  const taken: number[] = [];
  for (let n = 0; n < 200; n++) taken.push(await connectMs(listener, 'public.test'));
  return middle(taken);
}

async function connectMs(listener: GateListener, host: string): Promise<number> {
  const startedAt = performance.now();
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(Buffer.from([5, 1, 0, 5, 1, 0, 3, host.length, ...Buffer.from(host), 0, 80]));
  let bytes = 0;
  while (bytes < 12) bytes += ((await once(socket, 'data')) as [Buffer])[0].length;
  const ms = performance.now() - startedAt;
  socket.destroy();
  return ms;
}

/** One slow name and forty at once, through a gate whose resolver answers after 100 ms. */
async function measureNames(): Promise<{ one: number; forty: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'oriel-names-'));
  const resolver = createSocket('udp4');
  resolver.on('message', (query, peer) => {
    setTimeout(() => resolver.send(answerTo(query), peer.port, peer.address), 100);
  });
  // Another loopback address than 127.0.0.1: port 53 is seldom taken there.
  resolver.bind(53, '127.53.53.53');
  await once(resolver, 'listening');
  writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.53.53.53\noptions timeout:5\n');
  const node = join(folder, 'node');
  writeFileSync(
    node,
    `#!/bin/sh
exec unshare --mount sh -c 'mount --bind ${folder}/resolv.conf /etc/resolv.conf; exec ${process.execPath} "$@"' sh "$@"
`,
    { mode: 0o755 },
  );
  await using slow = new Gate({
    policy: networkPolicySchema.parse({}),
    childPath: child.path,
    testing: { execPath: node, dialMap: { [PUBLIC]: { host: '127.0.0.1', port } } },
  });
  const listener = await slow.openListener('names', {}, signal);
  await connectMs(listener, 'warm.test');
  const one: number[] = [];
  for (let n = 0; n < 5; n++) one.push(await connectMs(listener, `one${n}.test`));
  const startedAt = performance.now();
  const forty = Array.from({ length: 40 }, (_, n) => connectMs(listener, `forty${n}.test`));
  await Promise.all(forty);
  const ms = performance.now() - startedAt;
  resolver.close();
  rmSync(folder, { recursive: true });
  return { one: middle(one), forty: ms };
}

/** An A answer for an A question, an empty one for any other. */
function answerTo(query: Buffer): Buffer {
  let end = 12;
  while ((query[end] ?? 0) > 0) end += (query[end] ?? 0) + 1;
  const isA = query.readUInt16BE(end + 1) === 1;
  const head = Buffer.from(query.subarray(0, end + 5));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isA ? 1 : 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  if (!isA) return head;
  const answer = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...PUBLIC.split('.').map(Number)];
  return Buffer.concat([head, Buffer.from(answer)]);
}

function note(into: Map<string, number[]>, name: string, value: number): void {
  into.set(name, [...(into.get(name) ?? []), value]);
}

function median(of: Map<string, number[]>, name: string): number {
  return middle(of.get(name) ?? []);
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
