import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Gate } from '../../src/gate/gate.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { buildChild, type BuiltChild } from './built-child.ts';
import { CountingServer } from './counting-server.ts';
import { openHttpProxy, openSocksProxy } from './loopback-proxy.ts';
import { echo, openTunnel } from './socks-client.ts';
import { verifies } from '../harness/verifies.ts';

const { signal } = new AbortController();
let child: BuiltChild;
let scope = new Scope();

beforeAll(async () => {
  child = await buildChild();
});
afterAll(() => child[Symbol.dispose]());
afterEach(async () => {
  await scope[Symbol.asyncDispose]();
  scope = new Scope();
});

async function listenerBehind(upstream: string, env: Record<string, string> = {}) {
  const hosts = { 'public.test': ['93.184.216.34'], 'intra.test': ['10.0.0.5'] };
  const policy = networkPolicySchema.parse({ hosts, upstream });
  const gate = scope.own(new Gate({ policy, childPath: child.path, env }));
  return gate.openListener('s1', {}, signal);
}

describe('an upstream proxy of the operator', () => {
  it('carries what the gate let in, by name and with its credentials', async () => {
    const server = scope.own(await CountingServer.open());
    const proxy = scope.own(await openHttpProxy(server.port));
    const listener = await listenerBehind(`http://me:s%40crt@127.0.0.1:${proxy.port}`);
    const socket = await openTunnel(listener, 'public.test', 443);
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    scope.defer(() => socket.destroy());
    expect(await echo(socket, 'hello')).toBe('hello');
    const credentials = Buffer.from('me:s@crt').toString('base64');
    expect(proxy.asked).toEqual([`public.test:443 Basic ${credentials}`]);
    expect(await openTunnel(listener, 'intra.test', 80)).toBe(2);
    expect(await openTunnel(listener, '10.0.0.5', 80)).toBe(2);
    expect(proxy.asked).toHaveLength(1);
  });

  it('speaks SOCKS5 with user name and password as well', async () => {
    const server = scope.own(await CountingServer.open());
    const proxy = scope.own(await openSocksProxy(server.port));
    const listener = await listenerBehind(`socks5://me:secret@127.0.0.1:${proxy.port}`);
    const socket = await openTunnel(listener, 'public.test', 443);
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    scope.defer(() => socket.destroy());
    expect(await echo(socket, 'hello')).toBe('hello');
    expect(proxy.asked).toEqual(['public.test:443']);
    const wrong = await listenerBehind(`socks5://me:wrong@127.0.0.1:${proxy.port}`);
    expect(await openTunnel(wrong, 'public.test', 443)).toBe(5);
  });

  it('speaks TLS to one whose certificate the operator trusts, and to no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oriel-proxy-'));
    scope.defer(async () => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=proxy', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync(
      'openssl',
      ['req', '-x509', ...curve, ...subject, '-days', '2', '-keyout', key, '-out', cert],
      { stdio: 'ignore' },
    );
    const server = scope.own(await CountingServer.open());
    const identity = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    const proxy = scope.own(await openHttpProxy(server.port, undefined, identity));
    const upstream = `https://me:secret@127.0.0.1:${proxy.port}`;
    const wary = await listenerBehind(upstream);
    expect(await openTunnel(wary, 'public.test', 443)).toBe(5);
    await wary.flush();
    expect(wary.failed().at(-1)?.error).toMatch(/SELF_SIGNED/);
    expect(proxy.asked).toEqual([]);

    const listener = await listenerBehind(upstream, { NODE_EXTRA_CA_CERTS: cert });
    const socket = await openTunnel(listener, 'public.test', 443);
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    scope.defer(() => socket.destroy());
    expect(await echo(socket, 'hello')).toBe('hello');
    expect(proxy.asked).toEqual([expect.stringMatching(/^public\.test:443 Basic /)]);
  });

  it('passes its 403 on as such, naming the host, and is never gone around', async () => {
    verifies('B-080');
    const server = scope.own(await CountingServer.open());
    const proxy = scope.own(await openHttpProxy(server.port, 403));
    const listener = await listenerBehind(`http://127.0.0.1:${proxy.port}`);
    expect(await openTunnel(listener, 'public.test', 443)).toBe(5);
    await listener.flush();
    expect(listener.blocked()).toMatchObject([
      { rule: 'upstream', host: 'public.test', reason: expect.stringMatching(/public\.test.*403/) },
    ]);
    expect(server.connections).toBe(0);
  });
});
