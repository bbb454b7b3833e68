import { listedSchema } from '../../surface/mcp/schema.ts';
import { toolsText, toolText } from '../../surface/cli/help.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { listedTools } from '../../dialect/speech.ts';
import { OrielError } from '../../kernel/errors.ts';
import { strongestEffect } from '../../tool/declaration.ts';
import { wholeSchema } from '../../tool/repertoire.ts';
import { nearest } from '../../kernel/nearest.ts';
import { ToolSet } from '../../tool/tool-set.ts';
import { TOOLS } from '../../tools/index.ts';
import type { CommandContext } from './context.ts';

/** Lists the tools that a client would be shown, or shows one. */
export async function runTools(context: CommandContext): Promise<number> {
  if (context.dialect) return showDialectTools(context, context.dialect);
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

function showDialectTools(
  { terminal, words, argv, loaded }: CommandContext,
  dialect: Dialect,
): number {
  const listed = listedTools(dialect, loaded.config);
  const [name] = words;
  const shown = name === undefined ? listed : listed.filter((tool) => tool.name === name);
  const [only] = shown;
  if (name !== undefined && !only) {
    const names = listed.map((tool) => tool.name);
    const near = nearest(name, names);
    throw new OrielError('not_found', `${dialect.name} has no tool ${JSON.stringify(name)}.`, {
      hint: near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`,
    });
  }
  if (argv.options.json) {
    const list = shown.map((tool) => ({
      name: tool.name,
      summary: tool.summary,
      effect: tool.effects.at(-1),
      pack: null,
      inputSchema: wholeSchema(tool.input),
    }));
    terminal.out(`${JSON.stringify(name === undefined ? list : list[0], null, 2)}\n`);
    return 0;
  }
  terminal.out(name !== undefined && only ? toolText(only, terminal) : toolsText(shown, terminal));
  return 0;
}
