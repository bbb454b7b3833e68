import type { Config } from '../../config/schema.ts';
import { strongestEffect } from '../../tool/declaration.ts';
import type { Repertoire } from '../../tool/repertoire.ts';
import type { ToolSet } from '../../tool/tool-set.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { listedSchema } from './schema.ts';

/**
 * Our own tools, as clients are shown them.
 *
 * @throws `bad_input` for a pack that no tool is in.
 */
export function nativeRepertoire(
  tools: ToolSet,
  config: Config,
  call: Repertoire['call'],
): Repertoire {
  return {
    instructions: INSTRUCTIONS,
    listings: tools.listed(config).map((tool) => {
      const effect = strongestEffect(tool);
      return {
        name: tool.name,
        description: tool.summary,
        effect,
        inputSchema: listedSchema(tool, config.packs),
        // The defaults (MCP, ToolAnnotations) fit all others: not read-only, destructive, open world.
        ...(effect === 'read' ? { annotations: { readOnlyHint: true } } : {}),
      };
    }),
    call,
  };
}
