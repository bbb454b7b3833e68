import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** What an address is, for the sentence an agent reads. `public` is the only kind that may pass. */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'unspecified'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'reserved';

type Ranges = readonly (readonly [AddressKind, readonly string[]])[];

/** Every IANA special-purpose IPv4 range, and the address Azure hides its fabric behind. */
const IPV4_SPECIAL: Ranges = [
  ['unspecified', ['0.0.0.0/8']],
  ['private', ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16']],
  ['loopback', ['127.0.0.0/8']],
  ['link-local', ['169.254.0.0/16']],
  ['metadata', ['168.63.129.16/32']],
  [
    'reserved',
    [
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '240.0.0.0/4',
    ],
  ],
  ['multicast', ['224.0.0.0/4']],
];

/** Only 2000::/3 is global unicast; these are the holes in it and names for what lies outside. */
const IPV6_SPECIAL: Ranges = [
  ['unspecified', ['::/128']],
  ['loopback', ['::1/128']],
  ['private', ['fc00::/7', 'fec0::/10']],
  ['link-local', ['fe80::/10']],
  ['multicast', ['ff00::/8']],
  ['reserved', ['2001::/23', '2001:db8::/32', '2002::/16', '3ffe::/16', '3fff::/20']],
];

const IPV6_GLOBAL = blockList(['2000::/3']);

/** Addresses that hand out credentials. Only an exact literal entry of the operator opens them. */
const NEVER = blockList([
  '169.254.169.254',
  '169.254.170.2',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
]);

const IPV4_KINDS = IPV4_SPECIAL.map(([kind, ranges]) => [kind, blockList(ranges)] as const);
const IPV6_KINDS = IPV6_SPECIAL.map(([kind, ranges]) => [kind, blockList(ranges)] as const);

/** An address family as `net.BlockList` spells it. */
function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/**
 * Addresses and CIDRs as one list.
 * @throws RangeError naming the entry that does not parse; an IPv4-mapped one is written as IPv4
 */
export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [text = '', prefix, ...rest] = entry.split('/');
    const address = isIP(text) && !text.includes('%') ? canonicalAddress(text) : undefined;
    const isMapped = address !== undefined && isIPv6(text) && isIPv4(address);
    if (address === undefined || rest.length > 0 || isMapped) throw new RangeError(entry);
    if (prefix === undefined) {
      list.addAddress(address, familyOf(address));
      continue;
    }
    const bits = Number(prefix);
    if (!/^\d{1,3}$/.test(prefix) || bits > (isIPv4(address) ? 32 : 128)) {
      throw new RangeError(entry);
    }
    list.addSubnet(address, bits, familyOf(address));
  }
  return list;
}

/** Whether a canonical address is in the list. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

/**
 * The one spelling of an address, whatever it was written as: dotted, short, decimal, octal or
 * hex IPv4, IPv6 with or without brackets; an IPv4-mapped IPv6 address comes back as the IPv4
 * address it reaches. `undefined` for what is no address, zone identifiers included.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (bare.includes(':')) return isIPv6(bare) && !bare.includes('%') ? fromIpv6(bare) : undefined;
  if (bare !== text || !/^[0-9a-fx.]+$/i.test(text) || !URL.canParse(`http://${text}/`)) {
    return undefined;
  }
  const host = new URL(`http://${text}/`).hostname;
  return isIPv4(host) ? host : undefined;
}

function fromIpv6(text: string): string {
  const compressed = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const words = ipv6Words(compressed);
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  return isMapped ? ipv4FromWords(words) : compressed;
}

/** The eight 16-bit words of a canonical IPv6 address. */
function ipv6Words(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const left = parse(head);
  if (tail === undefined) return left;
  const right = parse(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function ipv4FromWords(words: readonly number[]): string {
  const [high = 0, low = 0] = words.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The IPv4 address inside a 64:ff9b::/96 address, or `undefined` for any other address. */
export function nat64Target(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const words = ipv6Words(address);
  const isNat64 =
    words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0);
  return isNat64 ? ipv4FromWords(words) : undefined;
}

/** What a canonical address is; anything but `public` is not globally reachable unicast. */
export function addressKind(address: string): AddressKind {
  if (isListed(NEVER, address)) return 'metadata';
  const kinds = isIPv4(address) ? IPV4_KINDS : IPV6_KINDS;
  for (const [kind, list] of kinds) if (isListed(list, address)) return kind;
  if (isIPv4(address) || isListed(IPV6_GLOBAL, address)) return 'public';
  return 'reserved';
}

/** Whether an address hands out credentials and is closed whatever the policy says of its range. */
export function isNeverAddress(address: string): boolean {
  return isListed(NEVER, address);
}
