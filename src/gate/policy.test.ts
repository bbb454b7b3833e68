import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/harness/verifies.ts';

import { networkPolicySchema } from '../model/network.ts';
import { decide } from './decide.ts';
import { compilePolicy, needsGate } from './policy.ts';

const signal = new AbortController().signal;
const policy = (over: object) => networkPolicySchema.parse(over);
const isAllowed = async (over: object, host: string, port: number, answers: string[] = []) => {
  const compiled = compilePolicy(policy(over), { ownAddresses: () => [] });
  const decision = await decide(compiled, { host, port }, () => Promise.resolve(answers), signal);
  return decision.allow;
};

describe('compilePolicy', () => {
  it.each([
    [{ denyCidrs: ['10.0.0.0/33'] }, '10.0.0.0/33'],
    [{ denyCidrs: ['intranet'] }, 'intranet'],
    [{ denyCidrs: ['::ffff:10.0.0.0/104'] }, '::ffff:10.0.0.0/104'],
    [{ exemptHosts: ['http://intra.test'] }, 'http://intra.test'],
    [{ exemptHosts: ['intra.test:0'] }, 'intra.test:0'],
    [{ exemptHosts: ['*'] }, '*'],
    [{ exemptHosts: ['*.10.0.0.1'] }, '*.10.0.0.1'],
    [{ exemptHosts: ['10.0.0.0/8'] }, '10.0.0.0/8'],
    [{ exemptHosts: [''] }, '""'],
    [{ denyHosts: ['a b'] }, 'a b'],
    [{ allowlist: ['*.python.org'] }, '*.python.org'],
    [{ allowlist: ['example.com:80'] }, 'example.com:80'],
    [{ hosts: { 'intra.test': ['ten'] } }, 'ten'],
    [{ hosts: { '10.0.0.1': ['10.0.0.2'] } }, '10.0.0.1'],
    [{ strict: true, upstream: 'http://proxy.test:3128' }, 'strict'],
    [{ upstream: 'ftp://proxy.test' }, 'upstream'],
    [{ blockPrivate: false, egress: 'gate' }, 'egress'],
  ])('refuses %j and names %s', (over, named) => {
    expect(() => compilePolicy(policy(over))).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(named) }),
    );
  });

  it('keeps the upstream secret out of the message', () => {
    expect(() => compilePolicy(policy({ upstream: 'ftp://me:hunter2@proxy.test' }))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('warns when an entry opens a metadata address', () => {
    const { warnings } = compilePolicy(policy({ exemptHosts: ['169.254.169.254', '10.0.0.1'] }));
    expect(warnings).toEqual([expect.stringContaining('169.254.169.254')]);
  });
});

describe('a policy', () => {
  it('opens loopback on high ports alone with local', async () => {
    expect(await isAllowed({ local: true }, 'localhost', 3000)).toBe(true);
    expect(await isAllowed({ local: true }, 'app.localhost', 3000)).toBe(true);
    expect(await isAllowed({ local: true }, '::1', 5173)).toBe(true);
    expect(await isAllowed({ local: true }, 'localhost', 80)).toBe(false);
    expect(await isAllowed({ local: true }, '10.0.0.5', 3000)).toBe(false);
    expect(
      await isAllowed({ local: true, hosts: { localhost: ['10.0.0.5'] } }, 'localhost', 3000),
    ).toBe(false);
  });

  it('opens a loopback host that the allowlist names, on any port', async () => {
    verifies('B-056');
    const allowlist = ['localhost', '127.0.0.1'];
    expect(await isAllowed({ allowlist }, 'localhost', 3000)).toBe(true);
    expect(await isAllowed({ allowlist }, '127.0.0.1', 22)).toBe(true);
    expect(await isAllowed({ allowlist }, '127.0.0.2', 80)).toBe(false);
    expect(await isAllowed({ allowlist: ['intra.test'] }, 'intra.test', 80, ['10.0.0.5'])).toBe(
      false,
    );
  });

  it('matches a leading dot as the name and all below it, without regard to case', async () => {
    verifies('B-052', 'B-053', 'B-054');
    const allowlist = ['Example.com', '.Python.org'];
    const answers = ['93.184.216.34'];
    expect(await isAllowed({ allowlist }, 'EXAMPLE.com', 443, answers)).toBe(true);
    expect(await isAllowed({ allowlist }, 'www.example.com', 443, answers)).toBe(false);
    expect(await isAllowed({ allowlist }, 'python.org', 443, answers)).toBe(true);
    expect(await isAllowed({ allowlist }, 'docs.python.org', 443, answers)).toBe(true);
    expect(await isAllowed({ allowlist }, 'notpython.org', 443, answers)).toBe(false);
  });

  it('widens ports by host:* but not by host alone', async () => {
    const answers = ['10.0.0.5'];
    expect(await isAllowed({ exemptHosts: ['db.test:*'] }, 'db.test', 5432, answers)).toBe(true);
    expect(await isAllowed({ exemptHosts: ['db.test'] }, 'db.test', 5432, answers)).toBe(false);
  });

  it('keeps ports, deny lists and metadata closed while private addresses are open (A-059)', async () => {
    const over = { blockPrivate: false, denyCidrs: ['10.1.0.0/16'] };
    expect(await isAllowed(over, 'localhost', 80)).toBe(true);
    expect(await isAllowed(over, '10.0.0.5', 80)).toBe(true);
    expect(await isAllowed(over, '10.1.0.5', 80)).toBe(false);
    expect(await isAllowed(over, '10.0.0.5', 22)).toBe(false);
    expect(await isAllowed(over, '169.254.169.254', 80)).toBe(false);
  });

  it('never opens metadata for a name that resolves to it, exempt or not', async () => {
    const exemptHosts = ['intra.test', '169.254.169.254'];
    expect(await isAllowed({ exemptHosts }, 'intra.test', 80, ['169.254.169.254'])).toBe(false);
    expect(await isAllowed({ exemptHosts }, '169.254.169.254', 80)).toBe(true);
  });

  it('asks the hosts table before the resolver and judges its answer', async () => {
    const hosts = { 'public.test': ['93.184.216.34'], 'trick.test': ['10.0.0.5'] };
    expect(await isAllowed({ hosts }, 'public.test', 80, ['10.0.0.5'])).toBe(true);
    expect(await isAllowed({ hosts }, 'trick.test', 80, ['93.184.216.34'])).toBe(false);
  });

  it('refuses everything when the resolver fails, and rejects when the caller gives up', async () => {
    const compiled = compilePolicy(policy({}));
    const fail = () => Promise.reject(new Error('SERVFAIL'));
    const decision = await decide(compiled, { host: 'a.test', port: 80 }, fail, signal);
    expect(decision).toMatchObject({ allow: false, refusal: { rule: 'unresolved' } });
    const aborted = AbortSignal.abort(new Error('enough'));
    await expect(decide(compiled, { host: 'a.test', port: 80 }, fail, aborted)).rejects.toThrow(
      'enough',
    );
  });
});

describe('needsGate', () => {
  it.each([
    [{}, true],
    [{ blockPrivate: false }, false],
    [{ blockPrivate: false, allowlist: ['a.test'] }, true],
    [{ blockPrivate: false, denyHosts: ['a.test'] }, true],
    [{ blockPrivate: false, allowedPorts: [80] }, true],
    [{ blockPrivate: false, allowedPorts: [8443, 8080, 443, 80] }, false],
    [{ blockPrivate: false, strict: true }, true],
  ])('of %j is %s', (over, expected) => {
    expect(needsGate(policy(over))).toBe(expected);
  });
});
