import { type AnyTool, effectsOf, strongestEffect } from '../../tool/declaration.ts';
import type { Listing, PreparedListing } from './listing.ts';
import { argumentPacks, listedSchema } from './schema.ts';

/** A tool's listing, for all configurations at once; `listing.generated.ts` holds one of each. */
export function prepareListing(tool: AnyTool): PreparedListing {
  return {
    ...(tool.pack === undefined ? {} : { pack: tool.pack }),
    effects: effectsOf(tool),
    argumentPacks: argumentPacks(tool),
    listing: {
      name: tool.name,
      description: tool.summary,
      inputSchema: listedSchema(tool) as unknown as Listing['inputSchema'],
      // The defaults (MCP, ToolAnnotations) fit all others: not read-only, destructive, open world.
      ...(strongestEffect(tool) === 'read' ? { annotations: { readOnlyHint: true } as const } : {}),
    },
  };
}
