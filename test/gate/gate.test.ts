import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { AuditRecord } from '../../src/gate/audit.ts';
import { Gate, type GateOptions } from '../../src/gate/gate.ts';
import type { GateListener } from '../../src/gate/gate-listener.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { type NetworkPolicy, networkPolicySchema } from '../../src/model/network.ts';
import { verifies } from '../harness/verifies.ts';
import { buildChild, type BuiltChild } from './built-child.ts';
import { CountingServer } from './counting-server.ts';
import { connectRequest, echo, exchange, openTunnel } from './socks-client.ts';
import { vectorsOf } from './vectors.ts';

const PUBLIC = '93.184.216.34';
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

interface Opened {
  readonly gate: Gate;
  readonly records: AuditRecord[];
  readonly server: CountingServer;
  readonly listener: GateListener;
}

/** A gate in front of an echo server that stands for the public address. */
async function open(
  policy: Partial<NetworkPolicy> = {},
  options: Partial<GateOptions> = {},
): Promise<Opened> {
  const server = scope.own(await CountingServer.open());
  const records: AuditRecord[] = [];
  const gate = scope.own(
    new Gate({
      policy: networkPolicySchema.parse({ hosts: { 'public.test': [PUBLIC] }, ...policy }),
      childPath: child.path,
      audit: (record) => records.push(record),
      ...options,
      testing: {
        ...options.testing,
        dialMap: {
          [PUBLIC]: { host: '127.0.0.1', port: server.port },
          ...options.testing?.dialMap,
        },
      },
    }),
  );
  const listener = await gate.openListener('s1', {}, signal);
  return { gate, records, server, listener };
}

async function tunnel(listener: GateListener, host = 'public.test', port = 80): Promise<Socket> {
  const socket = await openTunnel(listener, host, port);
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  scope.defer(() => socket.destroy());
  return socket;
}

/** Resolves when the gate has let go of a tunnel, by FIN or by RST. */
async function cut(socket: Socket): Promise<void> {
  socket.resume();
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
}

const eventually = (check: () => void) =>
  expect.poll(() => (check(), true), { timeout: 5000 }).toBe(true);

describe('a session’s listener', () => {
  it('carries bytes both ways to a judged address and writes one line about it', async () => {
    const { listener, records, server } = await open();
    const socket = await tunnel(listener);
    expect(await echo(socket, 'hello')).toBe('hello');
    socket.end();
    await once(socket, 'close');
    await eventually(() =>
      expect(records).toMatchObject([
        {
          session: 's1',
          host: 'public.test',
          port: 80,
          decision: 'allow',
          addresses: [PUBLIC],
          dialled: PUBLIC,
          bytesUp: 5,
          bytesDown: 5,
          end: 'closed',
          count: 1,
        },
      ]),
    );
    expect(server.bytes).toBe(5);
  });

  it('keeps what comes early, and lets the two halves of a tunnel end apart', async () => {
    const { listener } = await open();
    const request = Buffer.concat([
      Buffer.from([5, 1, 0]),
      connectRequest('public.test', 80),
      Buffer.from('early'),
    ]);
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(request);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).subarray(12).toString()).toBe('early');
  });

  it('refuses by the policy and tells the agent why, without what a name resolved to', async () => {
    const { listener, server } = await open({
      hosts: { 'intra.test': ['10.9.8.7'], 'public.test': [PUBLIC] },
    });
    expect(await openTunnel(listener, 'intra.test', 80)).toBe(2);
    expect(await openTunnel(listener, '10.0.0.5', 80)).toBe(2);
    expect(await openTunnel(listener, '0:0:0:0:0:0:0:1', 80, 4)).toBe(2);
    expect(await openTunnel(listener, 'public.test', 22)).toBe(2);
    await listener.flush();
    expect(listener.blocked().map(({ rule }) => rule)).toEqual([
      'not_public',
      'not_public',
      'not_public',
      'port',
    ]);
    expect(JSON.stringify(listener.blocked())).not.toContain('10.9.8.7');
    expect(listener.blockedSince(0, '10.0.0.5')?.remedy).toContain('--exempt-hosts 10.0.0.5');
    expect(server.connections).toBe(0);
  });

  it('folds repeats of a refusal into one line a second and still counts them', async () => {
    const { listener, records } = await open();
    for (let n = 0; n < 25; n++) await openTunnel(listener, '10.0.0.5', 80);
    await eventually(() => expect(listener.blockedCount).toBe(25));
    expect(records.length).toBeLessThan(6);
  });

  it('reaches none of the gate’s own ports, exempt or not', async () => {
    const { gate, listener } = await open({ exemptHosts: ['127.0.0.1:*', 'localhost:*'] });
    const other = await gate.openListener('s2', {}, signal);
    expect(await openTunnel(listener, '127.0.0.1', other.port)).toBe(2);
    expect(await openTunnel(listener, 'localhost', listener.port)).toBe(2);
    await listener.flush();
    expect(listener.blocked().map(({ rule }) => rule)).toEqual(['control_port', 'control_port']);
    const console = scope.own(await CountingServer.open());
    await echo(await tunnel(listener, '127.0.0.1', console.port), 'open');
    await gate.setControlPorts([console.port], signal);
    expect(await openTunnel(listener, '127.0.0.1', console.port)).toBe(2);
  });

  it('reports a connection that nobody takes as failed, not as refused', async () => {
    const dead = await CountingServer.open();
    const { port } = dead;
    await dead[Symbol.asyncDispose]();
    const { listener, records } = await open(
      {},
      { testing: { dialMap: { [`${PUBLIC}:8080`]: { host: '127.0.0.1', port } } } },
    );
    expect(await openTunnel(listener, 'public.test', 8080)).toBe(5);
    await listener.flush();
    expect(records).toMatchObject([{ decision: 'allow', end: 'failed', error: 'ECONNREFUSED' }]);
    expect(listener.blocked()).toEqual([]);
  });

  it('gets past a dead AAAA to a good A, after the stagger of RFC 8305', async () => {
    const dead = '2606:2800:220:1:248:1893:25c8:1946';
    // A listener that is full never answers a SYN: loopback's way of being dead.
    const { listener, records } = await open(
      { hosts: { 'dual.test': [dead, PUBLIC] } },
      { testing: { dialMap: { [dead]: await blackHole() } } },
    );
    const startedAt = performance.now();
    const socket = await tunnel(listener, 'dual.test');
    expect(performance.now() - startedAt).toBeGreaterThan(200);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    socket.destroy();
    await eventually(() => expect(records[0]).toMatchObject({ dialled: PUBLIC }));
  });

  it('survives 500 clients that never finish their greeting', async () => {
    const { listener } = await open({}, { checksPeers: false });
    const idle = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const socket = connect(listener.port, '127.0.0.1');
        socket.on('error', () => {});
        scope.defer(() => socket.destroy());
        await once(socket, 'connect');
        socket.write(Buffer.from([5]));
        return socket;
      }),
    );
    expect(await echo(await tunnel(listener), 'still here')).toBe('still here');
    await eventually(() =>
      expect(idle.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(128),
    );
  });

  it('holds no more open tunnels than its limit, and says so', async () => {
    const { listener } = await open({}, { testing: { limits: { maxOpen: 3 } } });
    for (let n = 0; n < 3; n++) await tunnel(listener);
    expect(await openTunnel(listener, 'public.test', 80)).toBe(-1);
    await listener.flush();
    expect(listener.blocked()).toMatchObject([{ rule: 'over_limit' }]);
  });

  it('drops a connection whose handshake does not finish in time', async () => {
    verifies('A-064');
    const { listener } = await open({}, { testing: { limits: { handshakeMs: 200 } } });
    const startedAt = performance.now();
    expect(await exchange(listener.port, Buffer.from([5, 1, 0, 5, 1]))).toEqual(
      Buffer.from([5, 0]),
    );
    expect(performance.now() - startedAt).toBeGreaterThan(150);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it.each(vectorsOf('gate-protocol').map((vector) => [vector.id, vector] as const))(
    'turns away the raw bytes of %s',
    async (id, vector) => {
      const { listener, records } = await open({}, { testing: { limits: { handshakeMs: 300 } } });
      const answer = await exchange(listener.port, Buffer.from(vector.bytes ?? '', 'hex'));
      const expected: Record<string, string> = {
        'socks-proto-udp': '050005070001000000000000',
        'socks-proto-nomethod': '05ff',
      };
      expect(answer.toString('hex')).toBe(expected[id] ?? '');
      expect(records).toEqual([]);
    },
  );

  it('answers BIND with 07 as well', async () => {
    verifies('A-046');
    const { listener } = await open();
    const bind = connectRequest('public.test', 80);
    bind[1] = 2;
    const answer = await exchange(listener.port, Buffer.concat([Buffer.from([5, 1, 0]), bind]));
    expect(answer[3]).toBe(7);
  });
});

describe('policies at run time', () => {
  it('cuts the tunnels that a narrower policy would not have let in, and no other', async () => {
    const other = '151.101.1.69';
    const { listener, server, records } = await open(
      { hosts: { 'public.test': [PUBLIC], 'other.test': [other] } },
      {},
    );
    const kept = await tunnel(listener);
    expect(await echo(kept, 'kept')).toBe('kept');
    const lost = await tunnel(listener, 'public.test', 8080);
    expect(server.connections).toBe(2);
    const closed = cut(lost);
    await listener.setPolicy({ allowedPorts: [80] });
    await closed;
    expect(await echo(kept, 'and still')).toBe('and still');
    expect(await openTunnel(listener, 'public.test', 8080)).toBe(2);
    await eventually(() => expect(records.some(({ end }) => end === 'cut')).toBe(true));
    await expect(listener.setPolicy({ allowedPorts: [80, 22] })).rejects.toMatchObject({
      code: 'denied',
    });
  });

  it('puts a new server policy in force for every session', async () => {
    const { gate, listener } = await open();
    const strictest = await gate.openListener('s2', { allowedPorts: [80] }, signal);
    const socket = await tunnel(listener);
    const closed = cut(socket);
    const next = { hosts: { 'public.test': [PUBLIC] }, denyHosts: ['public.test'] };
    await gate.setPolicy(networkPolicySchema.parse(next), signal);
    await closed;
    expect(await openTunnel(strictest, 'public.test', 80)).toBe(2);
    expect(listener.policy.source.denyHosts).toEqual(['public.test']);
  });

  it('keeps eight sessions with eight policies apart', async () => {
    const { gate, server } = await open();
    const ports = [80, 443, 8080, 8443];
    const listeners = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        gate.openListener(`eight-${n}`, { allowedPorts: [ports[n % 4] ?? 80] }, signal),
      ),
    );
    for (const [n, listener] of listeners.entries()) {
      for (const port of ports) {
        const socket = await openTunnel(listener, 'public.test', port);
        expect(typeof socket === 'number').toBe(port !== ports[n % 4]);
        if (typeof socket !== 'number') socket.destroy();
      }
    }
    expect(server.connections).toBe(8);
  });
});

describe('the life of a gate', () => {
  it('cuts what is in flight when it closes, and does not start again', async () => {
    verifies('A-065');
    const { gate, listener } = await open();
    const socket = await tunnel(listener);
    const closed = cut(socket);
    await gate.close();
    await closed;
    await expect(gate.start(signal)).rejects.toMatchObject({ code: 'gone' });
  });

  it('says when its process died, and comes up again at the next call', async () => {
    const deaths: string[] = [];
    const { gate, listener } = await open({}, { onDeath: (reason) => deaths.push(reason.code) });
    const socket = await tunnel(listener);
    const closed = cut(socket);
    process.kill(gate.pid ?? 0, 'SIGKILL');
    await closed;
    await eventually(() => expect(deaths).toEqual(['gone']));
    expect(gate.isRunning).toBe(false);
    const again = await gate.openListener('s1', {}, signal);
    expect(await echo(await tunnel(again), 'again')).toBe('again');
  });

  it('reports a child that does not come up, and tries again at the next call', async () => {
    verifies('A-062');
    const gate = scope.own(
      new Gate({ policy: networkPolicySchema.parse({}), childPath: '/nonexistent/gate.mjs' }),
    );
    await expect(gate.start(signal)).rejects.toMatchObject({ code: 'setup_needed' });
    await expect(gate.start(signal)).rejects.toMatchObject({ code: 'setup_needed' });
    expect(gate.isRunning).toBe(false);
    expect(() => gate.launchArgs()).toThrow(expect.objectContaining({ code: 'gone' }));
  });

  it('closes one session without touching another', async () => {
    const { gate, listener } = await open();
    const other = await gate.openListener('s2', {}, signal);
    const mine = await tunnel(other);
    const closed = cut(await tunnel(listener));
    await listener[Symbol.asyncDispose]();
    await closed;
    expect(await echo(mine, 'mine')).toBe('mine');
    await expect(exchange(listener.port, Buffer.from([5]))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

/** A port on loopback at which connecting never finishes: its queue is full, nobody accepts. */
async function blackHole(): Promise<{ host: string; port: number }> {
  const deaf = spawn(
    process.execPath,
    [
      '-e',
      `const server = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        require('fs').writeSync(1, String(server.address().port));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      });`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  scope.defer(() => deaf.kill('SIGKILL'));
  const port = Number(await once(deaf.stdout, 'data'));
  const connected: Socket[] = [];
  for (let n = 0; n < 6; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    scope.defer(() => socket.destroy());
    connected.push(socket);
  }
  await setTimeout(200);
  expect(connected.some((socket) => socket.connecting)).toBe(true);
  return { host: '127.0.0.1', port };
}
