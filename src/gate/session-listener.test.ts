import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';

import { Scope } from '../kernel/scope.ts';
import { networkPolicySchema } from '../model/network.ts';
import type { AuditRecord } from './audit.ts';
import type { Lookup } from './decide.ts';
import { compilePolicy } from './policy.ts';
import { connectPinned } from './race.ts';
import { GATE_LIMITS, SessionListener } from './session-listener.ts';

const PUBLIC = '93.184.216.34';
let scope = new Scope();
afterEach(async () => {
  await scope[Symbol.asyncDispose]();
  scope = new Scope();
});

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    scope.defer(() => socket.destroy());
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.defer(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function open(serve: (socket: Socket) => void, lookup: Lookup, resolveMs = 300) {
  const records: AuditRecord[] = [];
  const target = await listen(serve);
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const policy = compilePolicy(networkPolicySchema.parse({}), { ownAddresses: () => [] });
  const listener = scope.own(
    new SessionListener('s1', server, policy, {
      lookup,
      connect: (_address, _port, onread) => connectPinned('127.0.0.1', target, onread),
      audit: (record) => records.push(record),
      peerCheck: undefined,
      limits: { ...GATE_LIMITS, resolveMs },
    }),
  );
  return { listener, records };
}

/** A tunnel to `host`, or nothing when it was refused. */
async function tunnel(port: number, host: string): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  scope.defer(() => socket.destroy());
  socket.write(Buffer.from([5, 1, 0, 5, 1, 0, 3, host.length, ...Buffer.from(host), 0, 80]));
  const answer = await new Promise<Buffer>((resolve) => {
    let received = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 12) return;
      socket.off('data', read).pause();
      // In this very turn: what comes later must stay behind it.
      if (received.length > 12) socket.unshift(received.subarray(12));
      resolve(received);
    };
    socket.on('data', read);
  });
  return answer[3] === 0 ? socket : undefined;
}

const answering: Lookup = () => Promise.resolve([PUBLIC]);

describe('SessionListener', () => {
  it('carries much data both ways unchanged, past a reader that is slow', async () => {
    const down = randomBytes(24 * 1024 * 1024 + 17);
    const up = randomBytes(8 * 1024 * 1024 + 5);
    let received: Promise<string> | undefined;
    const { listener } = await open((socket) => {
      socket.end(down);
      received = hashOf(socket);
    }, answering);
    const socket = await tunnel(listener.port, 'public.test');
    if (!socket) throw new Error('refused');
    socket.end(up);
    expect(await hashOf(socket, 2)).toBe(createHash('sha256').update(down).digest('hex'));
    expect(await received).toBe(createHash('sha256').update(up).digest('hex'));
  });

  it('keeps what a server says first', async () => {
    const { listener } = await open((socket) => socket.end('220 welcome'), answering);
    const socket = await tunnel(listener.port, 'public.test');
    const chunks: Buffer[] = [];
    for await (const chunk of socket as Socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('220 welcome');
  });

  it('gives a slow resolver up in time, and serves others meanwhile', async () => {
    const slow: Lookup = (name, signal) =>
      name === 'slow.test'
        ? new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          })
        : Promise.resolve([PUBLIC]);
    const { listener, records } = await open((socket) => socket.resume(), slow);
    const startedAt = performance.now();
    const waiting = tunnel(listener.port, 'slow.test');
    expect(await tunnel(listener.port, 'quick.test')).toBeDefined();
    expect(performance.now() - startedAt).toBeLessThan(290);
    expect(await waiting).toBeUndefined();
    expect(records).toMatchObject([{ host: 'slow.test', rule: 'unresolved' }]);
  });

  it('judges by the policy that came while a name was looked up', async () => {
    let answer: (addresses: string[]) => void = () => {};
    const later: Lookup = () => new Promise((resolve) => (answer = resolve));
    const { listener, records } = await open((socket) => socket.resume(), later, 5000);
    const waiting = tunnel(listener.port, 'public.test');
    await setTimeout(50);
    const narrower = networkPolicySchema.parse({ denyHosts: ['public.test'] });
    listener.setPolicy(compilePolicy(narrower, { ownAddresses: () => [] }));
    answer([PUBLIC]);
    expect(await waiting).toBeUndefined();
    expect(records).toMatchObject([{ rule: 'deny_host' }]);
  });

  it('lets a lookup go when its client leaves', async () => {
    let isAborted = false;
    const hanging: Lookup = (_name, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
          reject(signal.reason as Error);
        });
      });
    const { listener, records } = await open(() => {}, hanging, 10_000);
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(Buffer.from([5, 1, 0, 5, 1, 0, 3, 6, ...Buffer.from('a.test'), 0, 80]));
    await once(socket, 'data');
    await setTimeout(50);
    socket.resetAndDestroy();
    await expect.poll(() => isAborted).toBe(true);
    expect(records).toEqual([]);
  });
});

async function hashOf(socket: Socket, pauseMs = 0): Promise<string> {
  const hash = createHash('sha256');
  let nth = 0;
  // Plain iteration would destroy the socket at its end, with what is still to be sent.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    hash.update(chunk as Buffer);
    if (pauseMs > 0 && ++nth % 50 === 0) await setTimeout(pauseMs);
  }
  return hash.digest('hex');
}
