import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';

import { flyCanary } from '../../src/gate/canary.ts';
import { Gate } from '../../src/gate/gate.ts';
import { probeKernelLevel } from '../../src/gate/namespace.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { browsersOfThisRun, launchOn } from './browser-under-test.ts';
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

function openGate(): Gate {
  const policy = networkPolicySchema.parse({ exemptHosts: ['localhost:*', '127.0.0.1:*'] });
  return scope.own(new Gate({ policy, childPath: child.path }));
}

describe.each(browsersOfThisRun())('the canary in %s', (_name, path) => {
  it('passes a browser that is tied to the gate', async () => {
    const gate = openGate();
    await gate.start(signal);
    const browser = await launchOn(gate, path);
    scope.defer(() => browser.close());
    await flyCanary(browser, gate, { signal });
  });

  it('passes one in a network namespace of its own', async () => {
    const probe = await probeKernelLevel({ signal });
    if (probe.level !== 'kernel') throw new Error(probe.reason);
    const gate = openGate();
    const namespace = scope.own(await gate.openNamespace(probe.command, signal));
    const browser = await launchOn(gate, path, { namespace });
    scope.defer(() => browser.close());
    await flyCanary(browser, gate, { signal, namespace });
  });
});
