import { listFields } from '../../config/fields.ts';
import type { Source } from '../../config/load.ts';
import type { CommandContext } from './context.ts';

/** Prints the effective configuration and where each value came from. */
export async function runConfig({ terminal, argv, loaded }: CommandContext): Promise<number> {
  const rows = listFields().map((field) => {
    const value = field.path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], loaded.config);
    return {
      path: field.path,
      value: field.isSecret && value !== null ? '[secret]' : value,
      source: loaded.sources[field.path] ?? 'default',
      env: field.env,
      flag: field.flags[0] ?? '',
      description: field.description,
    };
  });
  if (argv.options.json) {
    terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  const { out, style, columns } = terminal;
  const width = Math.max(...rows.map((row) => row.path.length)) + 2;
  let branch: string | undefined;
  for (const { path, value, source } of rows) {
    const [first] = path.split('.');
    // A line of air between the branches; the settings of no branch stand together.
    const here = first === path ? '' : first;
    if (branch !== undefined && here !== branch) out('\n');
    branch = here;
    const from = source === 'default' ? '' : style('yellow', `  from ${SOURCES[source]}`);
    const text = JSON.stringify(value);
    const shown = source === 'default' ? style('dim', text) : text;
    // A value that is too long is shown whole on a line of its own: it is what was asked for.
    const isLong = width + text.length > columns;
    out(
      `${style('cyan', isLong ? path : path.padEnd(width))}${isLong ? '\n  ' : ''}${shown}${from}\n`,
    );
  }
  out('\nSet one with its flag, in the --config file, or in the environment:\n');
  out('network.exemptHosts is ORIEL_NETWORK_EXEMPT_HOSTS there.\n');
  return 0;
}

const SOURCES: Readonly<Record<Source, string>> = {
  default: 'nowhere',
  dialect: 'the dialect',
  file: 'the --config file',
  environment: 'the environment',
  flag: 'a flag',
  caller: 'the caller',
};
