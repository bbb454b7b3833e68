import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { flyCanary } from '../../src/gate/canary.ts';
import { Gate } from '../../src/gate/gate.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { BROWSERS, browsersOfThisRun, launchOn, type LaunchOptions } from './browser-under-test.ts';
import { buildChild, type BuiltChild } from './built-child.ts';

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

async function fly(path: string, options: LaunchOptions = {}): Promise<void> {
  const gate = scope.own(
    new Gate({ policy: networkPolicySchema.parse({}), childPath: child.path }),
  );
  await gate.start(signal);
  const browser = await launchOn(gate, path, options);
  scope.defer(() => browser.close());
  await flyCanary(browser, gate, { signal });
}

const refused = (what: RegExp) => ({
  code: 'setup_needed',
  message: expect.stringMatching(what),
});

describe.each(browsersOfThisRun())('the canary in %s', (_name, path) => {
  it('refuses a browser with the proxy flags but without the lock on loopback', async () => {
    await expect(
      fly(path, {
        args: ['--proxy-bypass-list=127.0.0.1;localhost;[::1]', '--host-resolver-rules='],
      }),
    ).rejects.toMatchObject(refused(/gate/));
  });

  it('refuses a browser that was switched to direct, though the lock held', async () => {
    await expect(fly(path, { args: ['--proxy-server=direct://'] })).rejects.toMatchObject(
      refused(/did not go through/),
    );
  });
});

const full = BROWSERS.filter(([, path]) => !path.includes('shell'));

/** Policies are read from one place on the machine; a mount namespace gives this browser its own. */
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0).each(full)(
  'a managed policy for %s',
  (_name, path) => {
    it('that switches the proxy to direct is found by the canary, and reaches nothing', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'oriel-policy-'));
      scope.defer(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'p.json'), JSON.stringify({ ProxyMode: 'direct' }));
      const wrapper = join(folder, 'browser');
      writeFileSync(
        wrapper,
        `#!/bin/sh
exec unshare --mount sh -c '
  mount -t tmpfs none /etc/chromium 2>/dev/null || { mount -t tmpfs none /etc && mkdir /etc/chromium; }
  mkdir -p /etc/chromium/policies/managed && cp ${folder}/p.json /etc/chromium/policies/managed/
  exec ${path} "$@"' sh "$@"
`,
        { mode: 0o755 },
      );
      await expect(fly(wrapper)).rejects.toMatchObject(refused(/did not go through/));
    });
  },
);
