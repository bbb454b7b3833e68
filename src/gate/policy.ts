import type { BlockList } from 'node:net';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

import { OrielError } from '../kernel/errors.ts';
import { type NetworkPolicy, networkPolicySchema } from '../model/network.ts';
import { addressKind, blockList, canonicalAddress, isNeverAddress } from './address.ts';
import { isLocalhostName, parseHost } from './host.ts';
import { type HostPattern, parseAllowlistEntry, parseHostPattern } from './host-pattern.ts';

/** What a policy needs to know of the machine it holds on. Asked at each decision. */
export interface PolicyFacts {
  /** Canonical addresses of this machine's own interfaces, loopback left out. */
  readonly ownAddresses: () => readonly string[];
  /** Ports on this machine that control Oriel or its browsers. */
  readonly controlPorts: () => readonly number[];
  /** The directory `fileAccess: workspace` opens; without one it opens nothing. */
  readonly workspace: string | undefined;
}

/** A network policy ready to decide. Made by {@link compilePolicy} and `narrow` alone. */
export interface CompiledPolicy {
  readonly source: NetworkPolicy;
  readonly exempt: readonly HostPattern[];
  readonly allowlist: readonly HostPattern[] | undefined;
  readonly deny: readonly HostPattern[];
  readonly denied: BlockList;
  readonly ports: ReadonlySet<number>;
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  readonly facts: PolicyFacts;
  /** The policy this one narrows: whatever passes here must pass there too. */
  readonly within: CompiledPolicy | undefined;
  /** What an operator should hear at the start: entries that open what is closed for a reason. */
  readonly warnings: readonly string[];
}

const DEFAULTS: NetworkPolicy = networkPolicySchema.parse({});

/** The addresses of this machine's interfaces as they stand now, loopback left out. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => !entry.internal)
    .flatMap((entry) => canonicalAddress(entry.address.split('%')[0] ?? '') ?? []);
}

/**
 * Checks a policy in full and readies it for deciding.
 * @param facts what is not given is asked of the machine (own addresses) or empty
 * @param within the policy that this one narrows, if it is a session's
 * @throws OrielError `bad_input` naming the entry that does not parse or the two that contradict
 */
export function compilePolicy(
  policy: NetworkPolicy,
  facts: Partial<PolicyFacts> = {},
  within?: CompiledPolicy,
): CompiledPolicy {
  refuseContradictions(policy);
  const exempt = policy.exemptHosts.map((entry) => parseHostPattern(entry, 'exemptHosts'));
  return {
    source: policy,
    exempt,
    allowlist: policy.allowlist?.map(parseAllowlistEntry),
    deny: policy.denyHosts.map((entry) => parseHostPattern(entry, 'denyHosts')),
    denied: compileCidrs(policy.denyCidrs),
    ports: new Set(policy.allowedPorts.map(checkPort)),
    hosts: compileHosts(policy.hosts),
    facts: {
      ownAddresses: facts.ownAddresses ?? interfaceAddresses,
      controlPorts: facts.controlPorts ?? (() => []),
      workspace: facts.workspace,
    },
    within,
    warnings: exempt.flatMap((entry) =>
      entry.address !== undefined && isNeverAddress(entry.address)
        ? [`exemptHosts: ${entry.text} opens an address that hands out credentials.`]
        : [],
    ),
  };
}

/** Whether a policy asks for anything that only a gate can enforce. */
export function needsGate(policy: NetworkPolicy): boolean {
  return (
    policy.blockPrivate ||
    policy.strict ||
    policy.allowlist !== null ||
    policy.upstream !== null ||
    policy.denyHosts.length > 0 ||
    policy.denyCidrs.length > 0 ||
    Object.keys(policy.hosts).length > 0 ||
    !isSameSet(policy.allowedPorts, DEFAULTS.allowedPorts)
  );
}

function isSameSet(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((entry) => right.includes(entry));
}

function refuseContradictions(policy: NetworkPolicy): void {
  if (policy.strict && policy.upstream !== null) {
    throw new OrielError('bad_input', 'network: strict and upstream exclude each other.', {
      hint: 'Behind an upstream proxy the final target cannot be verified; drop one of the two.',
    });
  }
  if (!needsGate(policy) && policy.egress !== 'best') {
    throw new OrielError(
      'bad_input',
      `network: egress ${policy.egress} is demanded, but blockPrivate is false and no other rule asks for a gate.`,
      { hint: 'Leave egress at "best", or set blockPrivate to true.' },
    );
  }
  if (policy.upstream !== null) parseUpstream(policy.upstream);
}

function compileCidrs(entries: readonly string[]): BlockList {
  try {
    return blockList(entries);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new OrielError('bad_input', `denyCidrs: ${JSON.stringify(thrown.message)} is no CIDR.`, {
      hint: 'Write an address or a range, such as 10.0.0.0/8 or fd00::/8.',
    });
  }
}

function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new OrielError('bad_input', `allowedPorts: ${port} is no port.`, {
    hint: 'Ports are whole numbers from 1 to 65535.',
  });
}

function compileHosts(entries: NetworkPolicy['hosts']): Map<string, readonly string[]> {
  const hosts = new Map<string, readonly string[]>();
  for (const [name, addresses] of Object.entries(entries)) {
    const host = parseHost(name);
    if (!host || host.address !== undefined) {
      throw new OrielError('bad_input', `hosts: ${JSON.stringify(name)} is not a host name.`);
    }
    hosts.set(
      host.name,
      addresses.map((text) => {
        const address = canonicalAddress(text);
        if (address !== undefined) return address;
        throw new OrielError(
          'bad_input',
          `hosts: ${JSON.stringify(text)} (for ${name}) is not an IP address.`,
        );
      }),
    );
  }
  return hosts;
}

/** An operator's egress proxy, taken apart. */
export interface Upstream {
  readonly protocol: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/**
 * @throws OrielError `bad_input`; the message never holds the URL, which may carry a secret
 */
export function parseUpstream(text: string): Upstream {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url?.protocol.replace(/:$/, '').replace('socks5h', 'socks5');
  const isKnown = protocol === 'http' || protocol === 'https' || protocol === 'socks5';
  if (!url || !isKnown || url.hostname === '' || (url.pathname !== '' && url.pathname !== '/')) {
    throw new OrielError('bad_input', 'network: upstream is no proxy URL.', {
      hint: 'Write it as http://host:port, https://host:port or socks5://host:port.',
    });
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    protocol,
    host: isIPv6(host) ? host : host.toLowerCase(),
    port: Number(url.port) || { http: 80, https: 443, socks5: 1080 }[protocol],
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

/** Whether an entry names this machine's loopback: listing it opens it on any port (B-056). */
export function isLoopbackPattern(pattern: HostPattern): boolean {
  return pattern.address === undefined
    ? isLocalhostName(pattern.name)
    : addressKind(pattern.address) === 'loopback';
}
