import { z } from 'zod';

/**
 * How strongly a browser's traffic is held, weakest last. `upstream` is the gate with a proxy of
 * the operator behind it, which looks names up once more and may come to another address.
 */
export const EGRESS_LEVELS = ['kernel', 'gate', 'upstream', 'intercept', 'none'] as const;
export type EgressLevel = (typeof EGRESS_LEVELS)[number];

/**
 * What the network lets a browser reach. Host patterns, CIDRs and ports are checked in full by
 * the gate when it compiles the policy; one that does not parse refuses the start.
 */
export const networkPolicySchema = z.strictObject({
  blockPrivate: z
    .boolean()
    .default(true)
    .describe('Only globally reachable unicast addresses may be reached.'),
  exemptHosts: z
    .array(z.string())
    .default([])
    .describe('Hosts that may be private: exact name or literal, host:port, host:*, *.suffix.')
    .meta({ flag: 'exempt-hosts' }),
  allowlist: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe('Only these hosts, for every connection: exact, or a leading dot for a suffix.')
    .meta({ flag: 'allowlist' }),
  denyHosts: z.array(z.string()).default([]).describe('Hosts that are always refused.'),
  denyCidrs: z.array(z.string()).default([]).describe('Address ranges that are always refused.'),
  allowedPorts: z
    .array(z.int().min(1).max(65535))
    .default([80, 443, 8080, 8443])
    .describe('Ports that may be reached, unless an exempt entry names another.'),
  allowedProtocols: z
    .array(z.enum(['http', 'https']))
    .default(['http', 'https'])
    .describe('Protocols that may be navigated to; about:blank always may.'),
  fileAccess: z
    .enum(['none', 'workspace', 'all'])
    .default('none')
    .describe('Whether file: URLs may be opened: none, those in the workspace, or all.'),
  nat64: z
    .enum(['block', 'inspect'])
    .default('block')
    .describe('64:ff9b::/96 addresses: refuse them, or judge the IPv4 address inside.'),
  local: z
    .boolean()
    .default(false)
    .describe('For developers: loopback names and addresses may be reached on ports from 1024.')
    .meta({ flag: 'local' }),
  hosts: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .describe('Name to addresses, asked before DNS and judged like any answer.'),
  strict: z
    .boolean()
    .default(false)
    .describe('Navigate only to IP literals or listed names; no upstream proxy.'),
  upstream: z
    .string()
    .nullable()
    .default(null)
    .describe("The operator's egress proxy: http, https or socks5 URL.")
    .meta({ secret: true }),
  egress: z
    .enum(['best', 'kernel', 'gate', 'intercept'])
    .default('best')
    .describe('The level of enforcement demanded; a weaker one is refused.'),
});

export type NetworkPolicy = z.output<typeof networkPolicySchema>;
