import { z } from 'zod';
import type { Preset } from '../../dialect/dialect.ts';

/** The host's own network policy, which holds for every plugin. */
const hostNetworkSchema = z.strictObject({
  blockPrivate: z.boolean().optional(),
  denyCidrs: z.array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])).optional(),
  allowedPorts: z.array(z.int().min(1).max(65_535)).optional(),
});

/** Every address: a policy that cannot be read lets nothing through. */
const NOTHING = ['0.0.0.0/0', '::/0'];

/** A name that never is; refusing it asks for a gate where nothing else would. */
const NO_NAME = ['oriel.invalid'];

/**
 * What the host's policy demands. It counts only behind the gate, which the plugin's own
 * `blockPrivate` puts up; the gate then asks for public addresses only where both do.
 */
export function networkOfHost(
  options: Readonly<Record<string, unknown>>,
  section: unknown,
): Preset {
  if (options['blockPrivate'] === false || section === undefined) return {};
  const parsed = hostNetworkSchema.safeParse(section);
  if (!parsed.success) return { network: { denyCidrs: NOTHING } };
  const { blockPrivate, denyCidrs, allowedPorts } = parsed.data;
  return {
    network: {
      ...(blockPrivate === false ? { blockPrivate, denyHosts: NO_NAME } : {}),
      ...(denyCidrs ? { denyCidrs } : {}),
      ...(allowedPorts ? { allowedPorts } : {}),
    },
  };
}
