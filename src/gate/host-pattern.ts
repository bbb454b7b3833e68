import { OrielError } from '../kernel/errors.ts';
import { canonicalAddress } from './address.ts';
import { type Host, parseHost } from './host.ts';

/** One entry of a host list, compiled. */
export interface HostPattern {
  readonly text: string;
  readonly name: string;
  /** Whether `name` stands for everything below it. */
  readonly isSuffix: boolean;
  /** Whether `name` itself matches as well as what is below it. */
  readonly includesApex: boolean;
  /** The canonical address, when the entry is a literal. */
  readonly address: string | undefined;
  /** A port it opens, `any`, or none named. */
  readonly port: number | 'any' | undefined;
}

/**
 * An entry of `exemptHosts` or `denyHosts`: `host`, `host:port`, `host:*` or `*.suffix`; the host
 * a name or a literal, IPv6 with brackets where a port follows.
 * @throws OrielError `bad_input` naming the entry and the list
 */
export function parseHostPattern(text: string, list: string): HostPattern {
  const match =
    /^(\*\.)?(\[[^\]]*\]|[^[\]:]+|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*)(?::(\d{1,5}|\*))?$/i.exec(
      text,
    );
  const [, star, hostText = '', portText] = match ?? [];
  const host = hostOf(hostText);
  const port = portText === undefined ? undefined : portText === '*' ? 'any' : Number(portText);
  const isPort = port === undefined || port === 'any' || (port >= 1 && port <= 65_535);
  if (!match || !host || !isPort || (star !== undefined && host.address !== undefined)) {
    throw badPattern(text, list, '"host", "host:port", "host:*" or "*.suffix"');
  }
  return {
    text,
    name: host.name,
    isSuffix: star !== undefined,
    includesApex: star === undefined,
    address: host.address,
    port,
  };
}

/**
 * An entry of `allowlist`: an exact host, or a leading dot for a host and all below it. Ports
 * have no say in it.
 * @throws OrielError `bad_input` naming the entry
 */
export function parseAllowlistEntry(text: string): HostPattern {
  const isSuffix = text.startsWith('.');
  const host = hostOf(isSuffix ? text.slice(1) : text);
  if (!host || (isSuffix && host.address !== undefined)) {
    throw badPattern(text, 'allowlist', '"example.com" or ".example.com"');
  }
  return {
    text,
    name: host.name,
    isSuffix,
    includesApex: true,
    address: host.address,
    port: undefined,
  };
}

function hostOf(text: string): Host | undefined {
  if (text.startsWith('[')) {
    const address = canonicalAddress(text);
    return address === undefined ? undefined : { name: address, address };
  }
  return parseHost(text);
}

function badPattern(text: string, list: string, forms: string): OrielError {
  return new OrielError('bad_input', `${list}: ${JSON.stringify(text)} is not a host pattern.`, {
    hint: `Write it as ${forms}.`,
  });
}

/** Whether the pattern names this host, ports aside. */
export function matchesHost(pattern: HostPattern, host: Host): boolean {
  if (pattern.isSuffix && host.address === undefined && host.name.endsWith(`.${pattern.name}`)) {
    return true;
  }
  return pattern.includesApex && pattern.name === host.name;
}

/** Whether the pattern names this host on this port; a pattern without a port names all. */
export function matchesTarget(pattern: HostPattern, host: Host, port: number): boolean {
  const isPort = pattern.port === undefined || pattern.port === 'any' || pattern.port === port;
  return isPort && matchesHost(pattern, host);
}
