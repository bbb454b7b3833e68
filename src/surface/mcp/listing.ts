import type { Config } from '../../config/schema.ts';
import { selectListed } from '../../tool/listed.ts';
import type { Listing, Repertoire } from '../../tool/repertoire.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { LISTINGS } from './listing.generated.ts';
import type { PreparedListing } from './prepare-listing.ts';

/**
 * Our own tools, as clients are shown them. Made without their declarations, so that it can be
 * had before they are loaded.
 *
 * @throws `bad_input` for a pack that no tool is in.
 */
export function nativeRepertoire(config: Config, call: Repertoire['call']): Repertoire {
  return { instructions: INSTRUCTIONS, listings: listingsFor(LISTINGS, config), call };
}

function listingsFor(prepared: readonly PreparedListing[], config: Config): Listing[] {
  return selectListed(prepared, config).map(({ listing, argumentPacks }) => {
    const { properties } = listing.inputSchema as { properties: object };
    const shown = Object.entries(properties).filter(([name]) => {
      const pack = argumentPacks[name];
      return pack === undefined || config.packs.includes('all') || config.packs.includes(pack);
    });
    return {
      ...listing,
      inputSchema: { ...listing.inputSchema, properties: Object.fromEntries(shown) },
    };
  });
}
