import { listFields } from '../../config/fields.ts';
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
  const width = Math.max(...rows.map((row) => row.path.length)) + 2;
  for (const { path, value, source } of rows) {
    const from = source === 'default' ? '' : terminal.style('yellow', ` (${source})`);
    terminal.out(`${terminal.style('cyan', path.padEnd(width))}${JSON.stringify(value)}${from}\n`);
  }
  return 0;
}
