import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Gate } from '../../src/gate/gate.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { verifies } from '../harness/verifies.ts';
import { browsersOfThisRun, launchOn } from './browser-under-test.ts';
import { buildChild, buildScript, type BuiltChild } from './built-child.ts';
import { CountingServer } from './counting-server.ts';
import { connectRequest } from './socks-client.ts';

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

describe.each(browsersOfThisRun())('with %s', (_name, path) => {
  it('a dead gate ends the browser through its host, and both come up again', async () => {
    const gate: Gate = scope.own(
      new Gate({
        policy: networkPolicySchema.parse({}),
        childPath: child.path,
        onDeath: () => void browser.close(),
      }),
    );
    await gate.start(signal);
    const browser = await launchOn(gate, path);
    const page = await browser.newPage();
    const gone = new Promise<void>((resolve) => browser.on('disconnected', () => resolve()));
    process.kill(gate.pid ?? 0, 'SIGKILL');
    await gone;
    expect(page.isClosed()).toBe(true);
    await gate.start(signal);
    const again = await launchOn(gate, path);
    scope.defer(() => again.close());
    await expect((await again.newPage()).goto('http://10.0.0.5/')).rejects.toThrow(/SOCKS/);
  });

  it.runIf(process.platform === 'linux')(
    'a killed host takes the gate and the browser with it',
    async () => {
      const script = scope.own(await buildScript('host-under-test'));
      const host = spawn(process.execPath, [script.path, child.path, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      scope.defer(() => host.kill('SIGKILL'));
      const line = String((await once(host.stdout, 'data'))[0]);
      const { gate } = JSON.parse(line) as { gate: number };
      const family = descendantsOf(host.pid ?? 0);
      expect(family).toContain(gate);
      expect(family.length).toBeGreaterThan(3);
      host.kill('SIGKILL');
      await expect.poll(() => family.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    },
  );
});

describe.runIf(process.platform === 'linux')('a foreign process on this machine', () => {
  it.each([
    [true, false],
    [false, true],
  ])('with the peer check %s is let in: %s', async (checksPeers, isLetIn) => {
    verifies('A-063');
    const server = scope.own(await CountingServer.open((socket) => socket.end('welcome')));
    const gate = scope.own(
      new Gate({
        policy: networkPolicySchema.parse({ hosts: { 'public.test': ['93.184.216.34'] } }),
        childPath: child.path,
        checksPeers,
        testing: { dialMap: { '93.184.216.34': { host: '127.0.0.1', port: server.port } } },
      }),
    );
    const listener = await gate.openListener('s1', {}, signal);
    const done = scope.own(await CountingServer.open((socket) => socket.end()));
    const request = Buffer.concat([Buffer.from([5, 1, 0]), connectRequest('public.test', 80)]);
    // Orphaned, so that it descends from init and no longer from this process.
    const code = `const s = require('net').connect(${listener.port}, '127.0.0.1');
      s.on('error', () => {}).on('data', () => {}).write(Buffer.from('${request.toString('hex')}', 'hex'));
      s.on('close', () => require('net').connect(${done.port}, '127.0.0.1').on('close', () => process.exit()));
      setTimeout(() => process.exit(), 10000);`;
    const shell = spawn('sh', ['-c', `sleep 0.3 && exec "$0" -e "$1" &`, process.execPath, code], {
      stdio: 'ignore',
    });
    await once(shell, 'exit');
    await expect.poll(() => done.connections, { timeout: 10_000 }).toBe(1);
    await listener.flush();
    expect(server.connections).toBe(isLetIn ? 1 : 0);
    expect(listener.blocked().map(({ rule }) => rule)).toEqual(isLetIn ? [] : ['peer']);
    // Our own process may come in either way, and is judged by the same rules.
    const own = connect(listener.port, '127.0.0.1');
    own.end(request);
    own.resume();
    await once(own, 'close');
    expect(server.connections).toBe(isLetIn ? 2 : 1);
  });
});

function descendantsOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== root && isBelow(pid));
}

function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}
