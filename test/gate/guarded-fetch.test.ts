import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GuardedFetch } from '../../src/gate/guarded-fetch.ts';
import { compilePolicy } from '../../src/gate/policy.ts';
import { connectPinned } from '../../src/gate/race.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { openHttpProxy } from './loopback-proxy.ts';

const PUBLIC = '93.184.216.34';
let server: Server;
let port = 0;
const asked: { url: string; method: string; headers: NodeJS.Dict<string | string[]> }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    asked.push({ url: url.href, method: request.method ?? '', headers: request.headers });
    const to = url.search === '?loop' ? '/?loop' : url.searchParams.get('to');
    if (to) response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to });
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function open(over: object = {}) {
  const lookups: string[] = [];
  const dialled: string[] = [];
  const answers: Record<string, string[]> = {
    'public.test': [PUBLIC],
    'other.test': [PUBLIC],
    'intra.test': ['10.9.8.7'],
  };
  const fetcher = new GuardedFetch({
    policy: compilePolicy(networkPolicySchema.parse(over), { ownAddresses: () => [] }),
    lookup: (name) => {
      lookups.push(name);
      return Promise.resolve(answers[name] ?? []);
    },
    connect: (address, to) => {
      dialled.push(address);
      return address === PUBLIC ? connectPinned('127.0.0.1', port) : connectPinned(address, to);
    },
  });
  return { fetcher, lookups, dialled };
}

const redirect = (to: string, status = 302) =>
  `http://public.test/?status=${status}&to=${encodeURIComponent(to)}`;

describe('GuardedFetch', () => {
  it('looks a name up once and connects to the judged address', async () => {
    const { fetcher, lookups, dialled } = open();
    await using _ = fetcher;
    const response = await fetcher.fetch('http://public.test/');
    expect(await response.text()).toBe('ok');
    expect(lookups).toEqual(['public.test']);
    expect(dialled).toEqual([PUBLIC]);
  });

  it.each([
    ['http://10.0.0.5/', 'not_public'],
    ['http://intra.test/', 'not_public'],
    ['http://localhost:3000/', 'port'],
    ['http://public.test:22/', 'port'],
    ['http://2852039166/', 'never'],
    ['file:///etc/passwd', 'file_access'],
    ['ftp://public.test/', 'protocol'],
    ['http://a:b@public.test/', 'userinfo'],
  ])('refuses %s by rule %s and connects to nothing', async (url, rule) => {
    const { fetcher, dialled } = open();
    await using _ = fetcher;
    await expect(fetcher.fetch(url)).rejects.toMatchObject({ code: 'blocked', details: { rule } });
    expect(dialled).toEqual([]);
  });

  it.each([
    ['http://10.0.0.5/'],
    ['http://intra.test/'],
    ['http://169.254.169.254/latest/'],
    ['file:///etc/passwd'],
    ['//127.0.0.1:80/'],
  ])('judges the redirect to %s and says which hop it was', async (to) => {
    const { fetcher, dialled } = open();
    await using _ = fetcher;
    await expect(fetcher.fetch(redirect(redirect(to)))).rejects.toMatchObject({
      code: 'blocked',
      message: expect.stringContaining('Redirect 2'),
      details: { hop: 2 },
    });
    expect(new Set(dialled)).toEqual(new Set([PUBLIC]));
  });

  it('drops credentials where a redirect leaves the origin, and the body where it becomes a GET', async () => {
    const { fetcher } = open();
    await using _ = fetcher;
    asked.length = 0;
    await fetcher.fetch(redirect('http://other.test/'), {
      method: 'POST',
      body: 'x',
      headers: { authorization: 'Bearer 1', 'x-kept': '1', 'content-type': 'text/plain' },
    });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(asked[1]?.headers).toMatchObject({ 'x-kept': '1' });
    expect(asked[1]?.headers['authorization']).toBeUndefined();
    expect(asked[1]?.headers['content-type']).toBeUndefined();
    await fetcher.fetch(redirect('/same', 307), {
      method: 'POST',
      body: 'x',
      headers: { authorization: 'Bearer 1' },
    });
    expect(asked.at(-1)).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer 1' } });
  });

  it('stops after 20 redirects and leaves them alone when asked to', async () => {
    const { fetcher } = open();
    await using _ = fetcher;
    const manual = await fetcher.fetch(redirect('http://10.0.0.5/'), { redirect: 'manual' });
    expect(manual.status).toBe(302);
    await expect(fetcher.fetch('http://public.test/?loop')).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('20 times'),
    });
  });

  it('goes through the upstream proxy, and reports its refusal with the host', async () => {
    await using proxy = await openHttpProxy(port);
    const through = open({ upstream: `http://127.0.0.1:${proxy.port}` });
    await using fetcher = through.fetcher;
    expect((await fetcher.fetch('http://public.test/')).status).toBe(200);
    expect(proxy.asked).toEqual(['public.test:80']);
    await using refusing = await openHttpProxy(port, 403);
    const refused = open({ upstream: `http://127.0.0.1:${refusing.port}` });
    await using other = refused.fetcher;
    await expect(other.fetch('http://public.test/')).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/public\.test.*403/),
    });
  });

  it('gives up with the caller', async () => {
    const { fetcher } = open();
    await using _ = fetcher;
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(fetcher.fetch('http://public.test/', { signal })).rejects.toThrow('enough');
  });
});
