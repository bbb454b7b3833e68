import { readFileSync } from 'node:fs';

import { compilePolicy, type CompiledPolicy, type PolicyFacts } from '../../src/gate/policy.ts';
import { networkPolicySchema } from '../../src/model/network.ts';

/** One case of `ssrf-vectors.json`. */
export interface Vector {
  readonly id: string;
  readonly layer: 'gate' | 'guard' | 'gate-protocol' | 'e2e';
  readonly url?: string;
  readonly scenario?: string;
  readonly category: string;
  readonly expect: 'allow' | 'block';
  readonly why: string;
  readonly policy?: VectorPolicy;
  /** Name to successive answers; a name that is absent does not exist. */
  readonly dns?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly socks?: { readonly host: string; readonly port: number; readonly atyp: 1 | 3 | 4 };
  readonly bytes?: string;
  readonly connects?: readonly { readonly expect: 'allow' | 'block' }[];
  readonly assert?: { readonly lookupsPerConnect?: number; readonly dialEqualsChecked?: boolean };
  readonly kind?: string;
  readonly target?: string;
  readonly status?: number;
  readonly hops?: number;
}

interface VectorPolicy {
  readonly mode?: 'allowlist';
  readonly allowedHosts?: readonly string[];
  readonly ports?: readonly number[];
  readonly denyHosts?: readonly string[];
  readonly denyCidrs?: readonly string[];
  readonly nat64?: 'inspect';
  readonly ownAddrs?: readonly string[];
  readonly selfPorts?: readonly number[];
}

const ALL = JSON.parse(
  readFileSync(new URL('./ssrf-vectors.json', import.meta.url), 'utf8'),
) as Vector[];

export function vectorsOf(layer: Vector['layer']): Vector[] {
  return ALL.filter((vector) => vector.layer === layer);
}

/** A vector's policy in the words of the config, and the facts of its machine. */
export function policyOf(vector: Vector): CompiledPolicy {
  const wanted = vector.policy ?? {};
  const facts: Partial<PolicyFacts> = {
    ownAddresses: () => wanted.ownAddrs ?? [],
    controlPorts: () => wanted.selfPorts ?? [],
  };
  return compilePolicy(
    networkPolicySchema.parse({
      exemptHosts: wanted.allowedHosts ?? [],
      ...(wanted.mode === 'allowlist' ? { allowlist: wanted.allowedHosts } : {}),
      ...(wanted.ports ? { allowedPorts: wanted.ports } : {}),
      ...(wanted.denyHosts ? { denyHosts: wanted.denyHosts } : {}),
      ...(wanted.denyCidrs ? { denyCidrs: wanted.denyCidrs } : {}),
      ...(wanted.nat64 ? { nat64: wanted.nat64 } : {}),
    }),
    facts,
  );
}

/** A resolver that gives a vector's answers one after the other and counts what it was asked. */
export function scriptedLookup(vector: Vector): {
  readonly asked: string[];
  readonly lookup: (name: string) => Promise<readonly string[]>;
} {
  const asked: string[] = [];
  return {
    asked,
    lookup: (name) => {
      const answers = vector.dns?.[name] ?? [];
      const nth = asked.filter((entry) => entry === name).length;
      asked.push(name);
      return Promise.resolve(answers[Math.min(nth, answers.length - 1)] ?? []);
    },
  };
}
