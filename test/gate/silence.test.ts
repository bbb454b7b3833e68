import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { verifies } from '../harness/verifies.ts';
import { browsersOfThisRun } from './browser-under-test.ts';
import { buildChild, buildScript, type BuiltChild } from './built-child.ts';

const run = promisify(execFile);
const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0;

const UNSHARE = ['--net', '--mount', '--', 'sh', '-c'];

interface Silence {
  readonly guarded: { readonly queries: string[]; readonly datagrams: number };
  readonly control: { readonly queries: string[]; readonly datagrams: number };
  readonly blocked: string[];
}

describe.runIf(isLinuxRoot)('behind the gate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oriel-silence-'));
  let child: BuiltChild;
  let script: BuiltChild;

  beforeAll(async () => {
    child = await buildChild();
    script = await buildScript('silence-under-test');
    writeFileSync(join(folder, 'resolv.conf'), 'nameserver 127.0.0.1\n');
  });
  afterAll(() => {
    child[Symbol.dispose]();
    script[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  it.each(browsersOfThisRun())(
    '%s asks no resolver and sends no datagram, WebRTC, TURN and QUIC pages included',
    { timeout: 120_000 },
    async (_name, path) => {
      verifies('A-066', 'A-060');
      const inside = `
        ip link set lo up
        ip link add out0 type veth peer name in0
        for name in out0 in0; do echo 1 > /proc/sys/net/ipv6/conf/$name/disable_ipv6; done
        ip addr add 192.0.2.10/24 dev out0
        ip link set in0 up && ip link set out0 up && ip route add default dev out0
        mount --bind ${folder}/resolv.conf /etc/resolv.conf
        exec "$@"`;
      const { stdout } = await run('unshare', [
        ...UNSHARE,
        inside,
        'sh',
        process.execPath,
        script.path,
        child.path,
        path,
      ]);
      const seen = JSON.parse(stdout) as Silence;
      expect(seen.guarded).toEqual({ queries: [], datagrams: 0 });
      // TCP to names and to literals did come to the gate, which refused it.
      expect(seen.blocked).toEqual(expect.arrayContaining(['webrtc-leak.test', '198.51.100.7']));
      // A browser without the gate does both, so the zeros mean something.
      expect(seen.control.queries).toContain('control.test');
      expect(seen.control.datagrams).toBeGreaterThan(0);
    },
  );
});
