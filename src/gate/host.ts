import { isIP } from 'node:net';

import { addressKind, canonicalAddress } from './address.ts';

/** A host as it is judged: lower case, without trailing dot or brackets. */
export interface Host {
  readonly name: string;
  /** The canonical address, when the host is a literal. */
  readonly address: string | undefined;
}

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
]);

/**
 * Reads a host as it arrives on a socket: a literal without brackets, or a name of at most 253
 * characters made of letters, digits, hyphen, underscore and dot. `undefined` for everything
 * else: control characters, zones, a numeric last label that is no address by `net.isIP` (what
 * getaddrinfo would still read as one).
 */
export function parseHost(text: string): Host | undefined {
  const lower = text.toLowerCase();
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower;
  if (isIP(name) !== 0) {
    const address = canonicalAddress(name);
    return address === undefined ? undefined : { name: address, address };
  }
  if (name.length === 0 || name.length > 253) return undefined;
  const labels = name.split('.');
  if (!labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) return undefined;
  if (/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return undefined;
  return { name, address: undefined };
}

/** `localhost` and every name under it: loopback by RFC 6761, whatever a resolver says. */
export function isLocalhostName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Why a name is refused before it is looked up, or `undefined`: it is this machine, the local
 * network, a metadata service, or a single label that a search domain would complete.
 */
export function specialName(
  name: string,
): 'loopback' | 'local' | 'metadata' | 'single-label' | 'invalid' | undefined {
  if (isLocalhostName(name)) return 'loopback';
  if (name.endsWith('.local')) return 'local';
  if (METADATA_NAMES.has(name)) return 'metadata';
  // RFC 6761: never resolves. Refusing it here keeps the launch canary's names out of DNS.
  if (name === 'invalid' || name.endsWith('.invalid')) return 'invalid';
  if (!name.includes('.')) return 'single-label';
  return undefined;
}

/**
 * Whether a host, in any spelling a URL allows, is private by its text alone, without a lookup.
 * A text that is no host counts as private.
 *
 * @public
 */
export function isPrivateHost(text: string): boolean {
  const dotless = text.endsWith('.') ? text.slice(0, -1) : text;
  const address = canonicalAddress(dotless);
  if (address !== undefined) return addressKind(address) !== 'public';
  const host = parseHost(text);
  return host === undefined || specialName(host.name) !== undefined;
}
