import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { verifies } from '../harness/verifies.ts';
import { type Bench, openBench } from '../observe/harness.ts';

let bench: Bench;
let listed: string;
let unlisted: string;
const hosts: string[] = [];
const site = createServer((request, response) => {
  hosts.push(request.headers.host ?? '');
  const link = `<a href="${unlisted}/there">Leave</a><img src="${unlisted}/picture.png">`;
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>listed</title>${link}`);
});

beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const { port } = site.address() as AddressInfo;
  listed = `http://127.0.0.1:${port}`;
  unlisted = `http://localhost:${port}`;
  bench = await openBench({ network: { local: true, allowlist: ['127.0.0.1'] } });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  site.close();
});

it('refuses an unlisted host before any browser is started', async () => {
  verifies('B-049', 'B-051', 'B-057');
  const failure = await bench.fail('browser_navigate', { url: `${unlisted}/` });
  expect(failure.code).toBe('blocked');
  expect(failure.message).toMatch(/localhost.*allowlist/);
  expect(bench.core.deps.engine.running ?? null).toBeNull();
});

it('refuses what is no address of the web before any browser is started', async () => {
  verifies('C-085', 'C-087');
  for (const url of [
    '',
    'http://',
    'ftp://127.0.0.1/',
    'chrome://version',
    'view-source:http://a/',
  ])
    expect((await bench.fail('browser_navigate', { url })).code, url).toMatch(
      /^(blocked|bad_input)$/,
    );
  expect(bench.core.deps.engine.running ?? null).toBeNull();
});

it('opens a listed one, and refuses links and parts of pages that lead elsewhere', async () => {
  verifies('B-056');
  await bench.call('browser_navigate', { url: `${listed}/` });
  await expect
    .poll(async () => (await bench.call('browser_session')).text)
    .toMatch(/refused localhost:\d+.*allowlist/);
  const { text } = await bench.call('browser_click', { target: 'role=link' });
  expect(text).toMatch(/blocked: localhost:\d+.*allowlist/);
  expect(hosts.filter((host) => host.startsWith('localhost'))).toEqual([]);
  expect(hosts.length).toBeGreaterThan(0);
});
