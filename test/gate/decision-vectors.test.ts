import { describe, expect, it } from 'vitest';

import { decide, decideKnown } from '../../src/gate/decide.ts';
import { guardUrl } from '../../src/gate/guard-url.ts';
import { verifies } from '../harness/verifies.ts';
import { policyOf, scriptedLookup, type Vector, vectorsOf } from './vectors.ts';

const signal = new AbortController().signal;

/** What Chromium hands to the gate for a URL, or nothing when it refuses the URL itself. */
function targetOf(vector: Vector): { host: string; port: number } | undefined {
  if (vector.socks) return { host: vector.socks.host, port: vector.socks.port };
  if (!URL.canParse(vector.url ?? '')) return undefined;
  const url = new URL(vector.url ?? '');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
}

/** Requirements by the start of the ids of the vectors that prove them. */
const FAMILIES = [
  ['enc-', 'A-053'],
  ['multi-', 'A-054'],
  ['rebind-', 'A-055'],
] as const;

describe('the decision on the vectors of the gate', () => {
  const vectors = vectorsOf('gate');

  it('has them all', () => {
    expect(vectors).toHaveLength(233);
  });

  it.each(vectors.map((vector) => [`${vector.id} is ${vector.expect}ed: ${vector.why}`, vector]))(
    '%s',
    async (_title, vector) => {
      for (const [family, id] of FAMILIES) if (vector.id.startsWith(family)) verifies(id);
      const policy = policyOf(vector);
      const target = targetOf(vector);
      const { asked, lookup } = scriptedLookup(vector);
      for (const { expect: expected } of vector.connects ?? [{ expect: vector.expect }]) {
        asked.length = vector.connects ? asked.length : 0;
        const decision = target && (await decide(policy, target, lookup, signal));
        expect(decision?.allow ?? false).toBe(expected === 'allow');
        if (!decision?.allow) continue;
        const isName = vector.dns?.[decision.host] !== undefined;
        if (isName && !vector.connects) expect(asked).toEqual([decision.host]);
        if (vector.assert?.dialEqualsChecked) {
          expect(decision.addresses).toEqual(vector.dns?.[decision.host]?.[0]);
        }
        // Judged again with the addresses it connected to, it still passes.
        expect(decideKnown(policy, { ...decision }, decision.addresses).allow).toBe(true);
      }
    },
  );
});

describe('the guard on the vectors of agent-given URLs', () => {
  const vectors = vectorsOf('guard');

  it('has them all', () => {
    expect(vectors).toHaveLength(48);
  });

  it.each(vectors.map((vector) => [`${vector.id} is ${vector.expect}ed: ${vector.why}`, vector]))(
    '%s',
    (_title, vector) => {
      const verdict = guardUrl(vector.url ?? '', policyOf(vector));
      expect(verdict.verdict).toBe(vector.expect);
      if (verdict.verdict === 'block') expect(verdict.remedy).not.toBe('');
    },
  );

  it('never passes a URL whose gate vector is a literal or special name to be blocked', () => {
    const early = vectorsOf('gate').filter(
      ({ category, expect: expected, policy }) =>
        expected === 'block' && !policy && /literal|encoding|^name$|^port$/.test(category),
    );
    const passed = early.filter(
      (vector) => vector.url && guardUrl(vector.url, policyOf(vector)).verdict === 'allow',
    );
    expect(early.length).toBeGreaterThan(100);
    expect(passed.map(({ id }) => id)).toEqual([]);
  });
});
