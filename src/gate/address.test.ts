import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import { describe, expect, it } from 'vitest';

import { addressKind, canonicalAddress, nat64Target } from './address.ts';

const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const ipv6 = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });

const word = (value: number) => value.toString(16);

/** Where ipaddr.js says "unicast" (public) and the IANA registries do not, or the reverse. */
function isKnownDisagreement(address: string): boolean {
  if (isIPv4(address)) {
    return [
      '192.88.99.0/24',
      '168.63.129.16/32',
      '192.31.196.0/24',
      '192.52.193.0/24',
      '192.175.48.0/24',
    ].some((range) => ipaddr.parse(address).match(ipaddr.parseCIDR(range)));
  }
  const parsed = ipaddr.parse(address) as ipaddr.IPv6;
  const matches = (range: string) => parsed.match(ipaddr.parseCIDR(range));
  return (
    !matches('2000::/3') ||
    ['2001::/23', '3ffe::/16', '3fff::/20', '2620:4f:8000::/48'].some(matches)
  );
}

describe('canonicalAddress', () => {
  it('reads every IPv4 spelling that a URL allows as the same address', () => {
    fc.assert(
      fc.property(
        ipv4,
        fc.constantFrom(0, 1, 2, 3),
        fc.infiniteStream(fc.constantFrom(8, 10, 16)),
        (bytes, merged, radixes) => {
          const dotted = bytes.join('.');
          const head = bytes.slice(0, 3 - merged);
          const tail = bytes.slice(3 - merged).reduce((sum, byte) => sum * 256 + byte, 0);
          const prefix: Record<number, string> = { 8: '0', 10: '', 16: '0x' };
          const spelling = [...head, tail]
            .map((part) => {
              const radix = radixes.next().value;
              return `${prefix[radix]}${part.toString(radix)}`;
            })
            .join('.');
          expect(canonicalAddress(spelling)).toBe(dotted);
          expect(canonicalAddress(`::ffff:${dotted}`)).toBe(dotted);
          expect(
            canonicalAddress(
              `[0:0:0:0:0:FFFF:${word(bytes[0] * 256 + bytes[1])}:${word(bytes[2] * 256 + bytes[3])}]`,
            ),
          ).toBe(dotted);
        },
      ),
    );
  });

  it('reads every IPv6 spelling as the same address', () => {
    fc.assert(
      fc.property(ipv6, (words) => {
        const full = words.map((entry) => word(entry).padStart(4, '0').toUpperCase()).join(':');
        const canonical = canonicalAddress(full);
        expect(canonical).toBeDefined();
        expect(canonicalAddress(`[${words.map(word).join(':')}]`)).toBe(canonical);
        expect(canonicalAddress(canonical ?? '')).toBe(canonical);
      }),
    );
  });

  it.each([
    '',
    'localhost',
    '1.2.3.4.5',
    '256.1.1.1',
    'fe80::1%lo',
    '[127.0.0.1]',
    '::1]',
    '[::1',
    '1.2.3.4:80',
    '127.0.0.1\0',
  ])('finds no address in %j', (text) => {
    expect(canonicalAddress(text)).toBeUndefined();
  });
});

describe('addressKind', () => {
  it('agrees with ipaddr.js on what is public, but for the ranges it does not know', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          ipv4.map((bytes) => bytes.join('.')),
          ipv6.map((words) => words.map(word).join(':')),
        ),
        (text) => {
          const address = canonicalAddress(text) ?? '';
          fc.pre(!isKnownDisagreement(address));
          expect(addressKind(address) === 'public').toBe(
            ipaddr.process(address).range() === 'unicast',
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['10.0.0.5', 'private'],
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['169.254.169.254', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link-local'],
    ['64:ff9b::a00:5', 'reserved'],
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
  ])('knows %s as %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe('nat64Target', () => {
  it('finds the IPv4 address in the well-known prefix and nowhere else', () => {
    expect(nat64Target('64:ff9b::a00:5')).toBe('10.0.0.5');
    expect(nat64Target('64:ff9b:1::a00:5')).toBeUndefined();
    expect(nat64Target('2606:4700::a00:5')).toBeUndefined();
  });
});
