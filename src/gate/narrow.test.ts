import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { NetworkPolicy } from '../model/network.ts';
import { networkPolicySchema } from '../model/network.ts';
import { isOrielError } from '../kernel/errors.ts';
import { decideKnown } from './decide.ts';
import { narrow } from './narrow.ts';
import { compilePolicy, type CompiledPolicy } from './policy.ts';

const base = (over: object = {}) =>
  compilePolicy(networkPolicySchema.parse(over), { ownAddresses: () => [] });
const isAllowed = (policy: CompiledPolicy, host: string, port: number, address: string) =>
  decideKnown(policy, { host, port }, [address]).allow;

describe('narrow', () => {
  it.each<[object, Partial<NetworkPolicy>]>([
    [{}, { blockPrivate: false }],
    [{}, { exemptHosts: ['10.0.0.5'] }],
    [{}, { allowedPorts: [80, 22] }],
    [{}, { local: true }],
    [{}, { nat64: 'inspect' }],
    [{}, { fileAccess: 'workspace' }],
    [{}, { hosts: { 'a.test': ['8.8.8.8'] } }],
    [{}, { upstream: 'http://proxy.test:3128' }],
    [{ strict: true }, { strict: false }],
    [{ egress: 'kernel' }, { egress: 'gate' }],
    [{ allowlist: ['example.com'] }, { allowlist: null }],
    [{ allowlist: ['example.com'] }, { allowlist: ['.example.com'] }],
    [{ allowlist: ['.example.com'] }, { allowlist: ['notexample.com'] }],
  ])('refuses to widen %j by %j, naming the key', (server, session) => {
    expect(() => narrow(base(server), session)).toThrow(
      expect.objectContaining({
        code: 'denied',
        message: expect.stringContaining(Object.keys(session)[0] ?? ''),
      }),
    );
  });

  it('keeps what the session does not name and adds deny lists up', () => {
    const session = narrow(base({ exemptHosts: ['10.0.0.5'], denyHosts: ['a.test'] }), {
      denyHosts: ['b.test'],
    });
    expect(session.source.denyHosts).toEqual(['a.test', 'b.test']);
    expect(isAllowed(session, '10.0.0.5', 80, '10.0.0.5')).toBe(true);
    expect(isAllowed(session, 'b.test', 80, '93.184.216.34')).toBe(false);
  });

  it('does not let a session open loopback by listing it', () => {
    const session = narrow(base(), { allowlist: ['localhost'] });
    expect(isAllowed(session, 'localhost', 80, '127.0.0.1')).toBe(false);
    const local = narrow(base({ local: true }), { allowlist: ['localhost'] });
    expect(isAllowed(local, 'localhost', 3000, '127.0.0.1')).toBe(true);
    expect(isAllowed(local, 'localhost', 22, '127.0.0.1')).toBe(false);
  });

  it('never passes what the server’s policy refuses', () => {
    const hosts = ['a.test', 'x.a.test', 'b.test', 'localhost', '10.0.0.5', '169.254.169.254'];
    const entries = ['a.test', '*.a.test', 'localhost:*', '10.0.0.5', 'b.test:22', 'a.test:*'];
    const over = fc.record(
      {
        blockPrivate: fc.boolean(),
        local: fc.boolean(),
        exemptHosts: fc.subarray(entries),
        allowlist: fc.option(fc.subarray(['a.test', '.a.test', 'localhost', 'b.test', '10.0.0.5'])),
        denyHosts: fc.subarray(entries),
        allowedPorts: fc.subarray([22, 80, 3000]),
        denyCidrs: fc.subarray(['10.0.0.0/8', '93.184.0.0/16']),
      },
      { requiredKeys: [] },
    );
    let narrowed = 0;
    fc.assert(
      fc.property(
        over,
        over,
        fc.constantFrom(...hosts),
        fc.constantFrom(22, 80, 3000),
        fc.constantFrom('93.184.216.34', '10.0.0.5', '127.0.0.1', '169.254.169.254'),
        (server, session, host, port, address) => {
          const outer = base(server);
          let inner: CompiledPolicy;
          try {
            inner = narrow(outer, session);
          } catch (thrown) {
            expect(isOrielError(thrown, 'denied')).toBe(true);
            return;
          }
          narrowed++;
          if (isAllowed(inner, host, port, address)) {
            expect(isAllowed(outer, host, port, address)).toBe(true);
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(narrowed).toBeGreaterThan(100);
  });
});
