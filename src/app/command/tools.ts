import { listedSchema } from '../../surface/mcp/schema.ts';
import { toolsText, toolText } from '../../surface/cli/help.ts';
import { strongestEffect } from '../../tool/declaration.ts';
import { ToolSet } from '../../tool/tool-set.ts';
import { TOOLS } from '../../tools/index.ts';
import type { CommandContext } from './context.ts';

/** Lists the tools that a client would be shown, or shows one. */
export async function runTools(context: CommandContext): Promise<number> {
  const { terminal, words, argv, loaded } = context;
  const tools = new ToolSet(TOOLS);
  const [name] = words;
  const shown = name === undefined ? tools.listed(loaded.config) : [tools.get(name)];
  if (argv.options.json) {
    const list = shown.map((tool) => ({
      name: tool.name,
      summary: tool.summary,
      effect: strongestEffect(tool),
      pack: tool.pack ?? null,
      inputSchema: listedSchema(tool),
    }));
    terminal.out(`${JSON.stringify(name === undefined ? list : list[0], null, 2)}\n`);
  } else {
    const [only] = shown;
    terminal.out(
      name !== undefined && only ? toolText(only, terminal) : toolsText(shown, terminal),
    );
    const unlisted = tools.packs.filter((pack) => !loaded.config.packs.includes(pack));
    if (name === undefined && unlisted.length > 0 && !loaded.config.packs.includes('all')) {
      terminal.out(`\nMore with --packs ${unlisted.join(',')} (or all).\n`);
    }
  }
  return 0;
}
