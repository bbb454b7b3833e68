import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { browsersOfThisRun } from './browser-under-test.ts';
import { buildChild, buildScript, type BuiltChild } from './built-child.ts';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'env', 'HOME=/tmp'];

let child: BuiltChild;
let script: BuiltChild;

beforeAll(async () => {
  child = await buildChild();
  script = await buildScript('kernel-under-test');
});
afterAll(() => {
  child[Symbol.dispose]();
  script[Symbol.dispose]();
});

async function seenBy(prefix: readonly string[], path: string): Promise<Record<string, unknown>> {
  const [file = '', ...args] = [...prefix, process.execPath, script.path, child.path, path];
  const { stdout } = await run(file, args);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const USERS = [
  ['this user', []],
  ...(isRoot ? ([['an unprivileged user', NOBODY]] as const) : []),
] as const;

describe.runIf(process.platform === 'linux').each(USERS)(
  'the kernel level as %s',
  (user, prefix) => {
    it.each(browsersOfThisRun())(
      'keeps %s in, also without a single flag of the gate',
      { timeout: 120_000 },
      async (_name, path) => {
        const seen = await seenBy(prefix, path);
        expect(seen).toMatchObject({
          level: 'kernel',
          canary: 'passed',
          inside: { tcp: 0, udp: 0 },
        });
        // The same browser outside the namespace gets through: the zeros above mean something.
        const outside = seen['outside'] as { tcp: number; udp: number };
        expect(outside.tcp).toBeGreaterThan(0);
        expect(outside.udp).toBeGreaterThan(0);
        const isSandboxed = user === 'an unprivileged user' || !isRoot;
        if (isSandboxed && !path.includes('shell')) {
          expect(seen['sandbox']).toContain('You are adequately sandboxed');
        }
      },
    );
  },
);
