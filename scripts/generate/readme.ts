import { configurationExcerpt } from './configuration.ts';
import { toolTable } from './reference.ts';

/** The README with what stands between its markers made anew; one without markers stays as it is. */
export function readmeWithTables(readme: string): string {
  return fill(
    fill(readme, 'tools', toolTable('docs/reference/')),
    'config',
    configurationExcerpt(),
  );
}

function fill(text: string, name: string, content: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) return text;
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
