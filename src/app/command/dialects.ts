import { loadConfig } from '../../config/load.ts';
import { listFields } from '../../config/fields.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { DIALECTS } from '../../dialect/index.ts';
import { toolsText } from '../../surface/cli/help.ts';
import type { Terminal } from '../../surface/cli/terminal.ts';
import { findDialect } from '../dialects.ts';
import type { CommandContext } from './context.ts';

interface DialectFacts {
  readonly name: string;
  readonly system: string;
  readonly changes: readonly string[];
  readonly tools: readonly { readonly name: string; readonly summary: string }[];
  /** Settings that it starts from, by path. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Lists the dialects with their tools and what each changes, or shows one. */
export async function runDialects({ terminal, argv, words }: CommandContext): Promise<number> {
  const [name] = words;
  const names = name === undefined ? Object.keys(DIALECTS) : [name];
  const facts = await Promise.all(names.map(async (one) => factsOf(await findDialect(one))));
  if (argv.options.json) {
    terminal.out(`${JSON.stringify(name === undefined ? facts : facts[0], null, 2)}\n`);
    return 0;
  }
  terminal.out(facts.map((one) => dialectText(one, terminal)).join('\n'));
  return 0;
}

function factsOf(dialect: Dialect): DialectFacts {
  const { config, sources } = loadConfig({ preset: dialect.preset({}, () => {}) });
  const settings = listFields().flatMap(({ path }) => {
    if (sources[path] !== 'dialect') return [];
    const value = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], config);
    return [[path, value] as const];
  });
  return {
    name: dialect.name,
    system: dialect.system,
    changes: dialect.changes,
    tools: dialect.tools.map(({ name, summary }) => ({ name, summary })),
    settings: Object.fromEntries(settings),
  };
}

function dialectText(
  { name, system, changes, tools, settings }: DialectFacts,
  terminal: Terminal,
): string {
  const { style } = terminal;
  return [
    `${style('bold', name)}: the tools of ${system}\n\n`,
    toolsText(tools, terminal),
    '\n',
    ...changes.map((change) => `- ${change}\n`),
    ...Object.entries(settings).map(([path, value]) => `- ${path} is ${JSON.stringify(value)}\n`),
  ].join('');
}
