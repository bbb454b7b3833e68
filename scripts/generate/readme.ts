import { configurationExcerpt } from './configuration.ts';
import { toolTable } from './reference.ts';

/** The README with what stands between its markers made anew; one without markers stays as it is. */
export function readmeWithTables(readme: string): string {
  const tools = [
    toolTable('docs/reference/'),
    '',
    '`oriel tools` lists them; `oriel tools browser_click` shows one with its arguments and examples. Packs are listed by `--packs pointer,dialog` or `--packs all`.',
  ];
  const config = [
    configurationExcerpt(),
    '',
    '[All settings](docs/reference/configuration.md); `oriel config` shows the values in force.',
  ];
  return fill(fill(readme, 'tools', tools.join('\n')), 'config', config.join('\n'));
}

function fill(text: string, name: string, content: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) return text;
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
