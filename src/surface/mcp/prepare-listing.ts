import { type AnyTool, effectsOf, strongestEffect } from '../../tool/declaration.ts';
import type { Listable } from '../../tool/listed.ts';
import type { Listing } from '../../tool/repertoire.ts';
import { argumentPacks, listedSchema } from './schema.ts';

/** A listing made from a tool's declaration, with what decides who is shown it. */
export interface PreparedListing extends Listable {
  /** With the arguments of all packs. */
  readonly listing: Listing;
  /** Arguments that are shown only with their pack. */
  readonly argumentPacks: Readonly<Record<string, string>>;
}

/** A tool's listing, for all configurations at once; `listing.generated.ts` holds one of each. */
export function prepareListing(tool: AnyTool): PreparedListing {
  const effect = strongestEffect(tool);
  return {
    ...(tool.pack === undefined ? {} : { pack: tool.pack }),
    effects: effectsOf(tool),
    argumentPacks: argumentPacks(tool),
    listing: {
      name: tool.name,
      description: tool.summary,
      effect,
      inputSchema: listedSchema(tool),
      // The defaults (MCP, ToolAnnotations) fit all others: not read-only, destructive, open world.
      ...(effect === 'read' ? { annotations: { readOnlyHint: true } } : {}),
    },
  };
}
