import { isDeepStrictEqual } from 'node:util';

import { OrielError } from '../kernel/errors.ts';
import type { NetworkPolicy } from '../model/network.ts';
import { compilePolicy, type CompiledPolicy } from './policy.ts';
import { type HostPattern, parseAllowlistEntry } from './host-pattern.ts';

const FILE_ACCESS = ['none', 'workspace', 'all'] as const;
const EGRESS_DEMANDS = ['best', 'intercept', 'gate', 'kernel'] as const;

/**
 * A session's policy under the server's: keys that are not named keep the server's value, deny
 * lists add up. The result is judged together with `base`, so it cannot let through more, also
 * where the checks here would have missed something.
 * @throws OrielError `denied` naming the key and value that would widen, `bad_input` as compilePolicy
 */
export function narrow(base: CompiledPolicy, narrower: Partial<NetworkPolicy>): CompiledPolicy {
  const server = base.source;
  const wanted: NetworkPolicy = { ...server, ...definedOf(narrower) };
  refuse('blockPrivate', server.blockPrivate && !wanted.blockPrivate, 'false');
  refuse('strict', server.strict && !wanted.strict, 'false');
  refuse('local', !server.local && wanted.local, 'true');
  refuse('nat64', server.nat64 === 'block' && wanted.nat64 === 'inspect', 'inspect');
  refuse('upstream', wanted.upstream !== server.upstream, 'another proxy');
  refuse('hosts', !isDeepStrictEqual(wanted.hosts, server.hosts), 'other names');
  refuse(
    'fileAccess',
    FILE_ACCESS.indexOf(wanted.fileAccess) > FILE_ACCESS.indexOf(server.fileAccess),
    wanted.fileAccess,
  );
  refuse(
    'egress',
    EGRESS_DEMANDS.indexOf(wanted.egress) < EGRESS_DEMANDS.indexOf(server.egress),
    wanted.egress,
  );
  refuseExtra('exemptHosts', wanted.exemptHosts, server.exemptHosts);
  refuseExtra('allowedPorts', wanted.allowedPorts, server.allowedPorts);
  refuseExtra('allowedProtocols', wanted.allowedProtocols, server.allowedProtocols);
  refuseAllowlist(wanted.allowlist, base.allowlist);
  return compilePolicy(
    {
      ...wanted,
      denyHosts: [...new Set([...server.denyHosts, ...wanted.denyHosts])],
      denyCidrs: [...new Set([...server.denyCidrs, ...wanted.denyCidrs])],
    },
    base.facts,
    base,
  );
}

function definedOf(policy: Partial<NetworkPolicy>): Partial<NetworkPolicy> {
  return Object.fromEntries(
    Object.entries(policy).filter(([, value]) => value !== undefined),
  ) as Partial<NetworkPolicy>;
}

function refuse(key: keyof NetworkPolicy, isWider: boolean, value: string): void {
  if (!isWider) return;
  throw new OrielError(
    'denied',
    `A session's network policy may only be narrower than the server's: ${key} cannot become ${value}.`,
    { hint: 'Only the operator can widen the server’s policy.', details: { key } },
  );
}

function refuseExtra<T>(key: keyof NetworkPolicy, wanted: readonly T[], base: readonly T[]): void {
  const extra = wanted.find((entry) => !base.includes(entry));
  if (extra !== undefined) refuse(key, true, `wider by ${JSON.stringify(extra)}`);
}

function refuseAllowlist(
  wanted: readonly string[] | null,
  base: readonly HostPattern[] | undefined,
): void {
  if (!base) return;
  if (wanted === null) refuse('allowlist', true, 'none');
  for (const text of wanted ?? []) {
    const entry = parseAllowlistEntry(text);
    const isCovered = base.some(
      (outer) =>
        (outer.name === entry.name && (outer.isSuffix || !entry.isSuffix)) ||
        (outer.isSuffix && entry.name.endsWith(`.${outer.name}`)),
    );
    if (!isCovered) refuse('allowlist', true, `wider by ${JSON.stringify(text)}`);
  }
}
