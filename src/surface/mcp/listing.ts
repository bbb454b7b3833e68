import type { Config } from '../../config/schema.ts';
import { type Listable, selectListed } from '../../tool/listed.ts';

/** A tool as `tools/list` shows it. */
export interface Listing {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
  readonly annotations?: { readonly readOnlyHint: true };
}

/** A listing made from a tool's declaration, with what decides who is shown it. */
export interface PreparedListing extends Listable {
  /** With the arguments of all packs. */
  readonly listing: Listing;
  /** Arguments that are shown only with their pack. */
  readonly argumentPacks: Readonly<Record<string, string>>;
}

/**
 * What `tools/list` answers under `config`.
 *
 * @throws `bad_input` for a pack that no tool is in.
 */
export function listingsFor(prepared: readonly PreparedListing[], config: Config): Listing[] {
  return selectListed(prepared, config).map(({ listing, argumentPacks }) => {
    const properties = Object.entries(listing.inputSchema.properties).filter(([name]) => {
      const pack = argumentPacks[name];
      return pack === undefined || config.packs.includes('all') || config.packs.includes(pack);
    });
    return {
      ...listing,
      inputSchema: { ...listing.inputSchema, properties: Object.fromEntries(properties) },
    };
  });
}
