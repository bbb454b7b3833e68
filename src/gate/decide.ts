import {
  type AddressKind,
  addressKind,
  canonicalAddress,
  isListed,
  isNeverAddress,
  nat64Target,
} from './address.ts';
import { blockedError } from './explain.ts';
import { type Host, isLocalhostName, parseHost, specialName } from './host.ts';
import { matchesHost, matchesTarget } from './host-pattern.ts';
import { type CompiledPolicy, isLoopbackPattern } from './policy.ts';
import type { ConnectRule, Refusal } from './refusal.ts';

/** Where a connection wants to go, as it came over the wire. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export type Decision =
  | {
      readonly allow: true;
      readonly host: string;
      readonly port: number;
      /** The judged addresses, canonical, in the order they were answered. Dial no other. */
      readonly addresses: readonly string[];
    }
  | {
      readonly allow: false;
      readonly refusal: Refusal;
      /** For the operator's audit alone. */
      readonly addresses: readonly string[];
    };

/** Answers a name once, with all its addresses; rejects or answers none when there are none. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** What opened a host beyond the public rule. */
type Exemption = 'listed' | 'loopback' | undefined;

/**
 * The one decision on a connection. Looks a name up at most once and judges every answer; one
 * bad answer refuses all. Rejects only with the signal's reason.
 */
export async function decide(
  policy: CompiledPolicy,
  target: Target,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<Decision> {
  const screened = screenTarget(policy, target);
  if ('rule' in screened) return { allow: false, refusal: screened, addresses: [] };
  const addresses = await addressesOf(policy, screened, lookup, signal);
  return decideKnown(policy, target, addresses);
}

/** The same decision over addresses that are known already: no lookup, nothing to wait for. */
export function decideKnown(
  policy: CompiledPolicy,
  target: Target,
  addresses: readonly string[],
): Decision {
  const host = screenTarget(policy, target);
  if ('rule' in host) return { allow: false, refusal: host, addresses };
  const refuse = (rule: ConnectRule, kind?: AddressKind): Decision => ({
    allow: false,
    refusal: refusalOf(rule, host, target.port, kind),
    addresses,
  });
  if (addresses.length === 0) return refuse('unresolved');
  const judged: string[] = [];
  for (const text of addresses) {
    const address = canonicalAddress(text);
    if (address === undefined) return refuse('not_public');
    const rule = judgeAddress(policy, host, target.port, address);
    if (rule) return refuse(rule, addressKind(address));
    judged.push(address);
  }
  return { allow: true, host: host.name, port: target.port, addresses: judged };
}

/**
 * What can be said of a target without a lookup: the host as it will be judged, or the refusal.
 * A literal is not judged here beyond its text.
 */
export function screenTarget(policy: CompiledPolicy, target: Target): Host | Refusal {
  const host = parseHost(target.host);
  if (!host) {
    return {
      rule: 'host_grammar',
      host: printable(target.host),
      port: target.port,
      kind: undefined,
      isLiteral: false,
    };
  }
  for (let layer: CompiledPolicy | undefined = policy; layer; layer = layer.within) {
    const rule = screenHost(layer, host, target.port);
    if (rule) {
      const kind = host.address === undefined ? undefined : addressKind(host.address);
      return refusalOf(rule, host, target.port, kind);
    }
  }
  return host;
}

function screenHost(policy: CompiledPolicy, host: Host, port: number): ConnectRule | undefined {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'port';
  if (!policy.ports.has(port) && !opensPort(policy, host, port)) return 'port';
  if (policy.deny.some((entry) => matchesTarget(entry, host, port))) return 'deny_host';
  if (policy.allowlist && !policy.allowlist.some((entry) => matchesHost(entry, host))) {
    return 'not_allowlisted';
  }
  if (!policy.source.blockPrivate || exemptionOf(policy, host, port)) return undefined;
  return host.address === undefined && specialName(host.name) ? 'special_name' : undefined;
}

function opensPort(policy: CompiledPolicy, host: Host, port: number): boolean {
  const isNamed = policy.exempt.some(
    (entry) => entry.port !== undefined && matchesTarget(entry, host, port),
  );
  return isNamed || opensLoopback(policy, host, port);
}

function exemptionOf(policy: CompiledPolicy, host: Host, port: number): Exemption {
  if (policy.exempt.some((entry) => matchesTarget(entry, host, port))) return 'listed';
  return opensLoopback(policy, host, port) ? 'loopback' : undefined;
}

/** `local`, or a loopback host that the allowlist names (B-056): loopback addresses only. */
function opensLoopback(policy: CompiledPolicy, host: Host, port: number): boolean {
  const isLoopback =
    host.address === undefined
      ? isLocalhostName(host.name)
      : addressKind(host.address) === 'loopback';
  if (!isLoopback) return false;
  if (policy.source.local && port >= 1024) return true;
  return (policy.allowlist ?? []).some(
    (entry) => isLoopbackPattern(entry) && matchesHost(entry, host),
  );
}

async function addressesOf(
  policy: CompiledPolicy,
  host: Host,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (host.address !== undefined) return [host.address];
  const known = policy.hosts.get(host.name);
  if (known) return known;
  if (isLocalhostName(host.name)) return ['127.0.0.1', '::1'];
  try {
    return await lookup(host.name, signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function judgeAddress(
  policy: CompiledPolicy,
  host: Host,
  port: number,
  address: string,
): ConnectRule | undefined {
  for (let layer: CompiledPolicy | undefined = policy; layer; layer = layer.within) {
    const rule = judgeIn(layer, host, port, address);
    if (rule) return rule;
  }
  return undefined;
}

function judgeIn(
  policy: CompiledPolicy,
  host: Host,
  port: number,
  address: string,
): ConnectRule | undefined {
  const embedded = nat64Target(address);
  const reached = embedded === undefined ? [address] : [address, embedded];
  const isNamedLiteral = policy.exempt.some(
    (entry) => entry.address === address && matchesTarget(entry, host, port),
  );
  if (!isNamedLiteral && reached.some(isNeverAddress)) return 'never';
  if (reached.some((entry) => isListed(policy.denied, entry))) return 'deny_cidr';
  const own = policy.facts.ownAddresses();
  if (policy.facts.controlPorts().includes(port)) {
    const isHere = reached.some(
      (entry) => own.includes(entry) || ['loopback', 'unspecified'].includes(addressKind(entry)),
    );
    if (isHere) return 'control_port';
  }
  // With private addresses open, loopback reaches the same services; refusing ours adds nothing.
  if (!policy.source.blockPrivate) return undefined;
  if (reached.some((entry) => own.includes(entry))) return 'own_address';
  const final = policy.source.nat64 === 'inspect' && embedded !== undefined ? embedded : address;
  const kind = addressKind(final);
  const exemption = exemptionOf(policy, host, port);
  const isOpen =
    kind === 'public' ||
    exemption === 'listed' ||
    (exemption === 'loopback' && kind === 'loopback');
  return isOpen ? undefined : 'not_public';
}

/**
 * The judged spelling of a host's addresses, for those who dial.
 * @throws OrielError `blocked`, with the rule and how an operator would allow it
 */
export function assertAddressesSafe(
  policy: CompiledPolicy,
  target: Target,
  addresses: readonly string[],
): readonly string[] {
  const decision = decideKnown(policy, target, addresses);
  if (decision.allow) return decision.addresses;
  throw blockedError(decision.refusal);
}

function refusalOf(
  rule: ConnectRule,
  host: Host,
  port: number,
  kind: AddressKind | undefined,
): Refusal {
  const isLiteral = host.address !== undefined;
  return { rule, host: host.name, port, isLiteral, kind: isLiteral ? kind : undefined };
}

/** A host that is no host, fit for a log line. */
function printable(text: string): string {
  return text.slice(0, 300).replace(/[^\x21-\x7e]/g, '?');
}
