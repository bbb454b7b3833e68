import { prepareListing } from '../../src/surface/mcp/prepare-listing.ts';
import { TOOLS } from '../../src/tools/index.ts';

/** Source of `src/surface/mcp/listing.generated.ts`. */
export function listingModule(): string {
  return `// Made by scripts/generate.mjs from src/tools; change those files, not this one.
import type { PreparedListing } from './prepare-listing.ts';

/** Every tool's listing: making them takes all declarations, and a start should not wait for it. */
export const LISTINGS: readonly PreparedListing[] = ${JSON.stringify(TOOLS.map(prepareListing))};
`;
}
