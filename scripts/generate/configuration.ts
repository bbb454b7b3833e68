import { listFields, type Field } from '../../src/config/fields.ts';
import { cell, code, GENERATED, table } from './markdown.ts';

export function configurationPage(): string {
  return [
    GENERATED,
    '# Configuration',
    '',
    'One configuration, from four places: the defaults, then a JSON file (`--config`, or',
    '`ORIEL_CONFIG`), then the environment, then flags; the later wins. `oriel config` shows every',
    'value in force and where it came from. The library takes the same settings as an object, which',
    'beat the environment.',
    '',
    'Lists are given as `a,b` or as JSON, maps as JSON. A boolean flag may stand alone (`--local`), be',
    'negated (`--no-headless`) or take a value (`--headless=false`).',
    '',
    ...groups().flatMap(([name, fields]) => [
      `## ${name}`,
      '',
      table(
        ['Setting', 'Flag', 'Environment', 'Type', 'Default', 'What it is'],
        fields.map((field) => [
          code(field.path),
          field.flags.map(code).join(', '),
          code(field.env),
          typeOf(field),
          defaultOf(field),
          cell(field.description) + (field.isSecret ? ' Never shown.' : ''),
        ]),
      ),
      '',
    ]),
  ].join('\n');
}

/** The settings that a newcomer is likely to want, those with a flag of their own name. */
export function configurationExcerpt(): string {
  const fields = listFields().filter(
    (field) => field.flags.length > 1 || !field.path.includes('.'),
  );
  return table(
    ['Flag', 'Environment', 'Default', 'What it is'],
    fields.map((field) => [
      code(field.flags[0] ?? ''),
      code(field.env),
      defaultOf(field),
      cell(field.description),
    ]),
  );
}

function groups(): [string, Field[]][] {
  const byName = new Map<string, Field[]>();
  for (const field of listFields()) {
    const name = field.path.includes('.') ? (field.path.split('.')[0] ?? '') : 'general';
    byName.set(name, [...(byName.get(name) ?? []), field]);
  }
  return [...byName].toSorted(([a], [b]) => Number(b === 'general') - Number(a === 'general'));
}

function typeOf(field: Field): string {
  if (field.choices) return field.choices.map(code).join(', ');
  return field.kind === 'string' ? 'text' : field.kind;
}

function defaultOf(field: Field): string {
  return field.default === null || field.default === '' || field.default === undefined
    ? ''
    : code(JSON.stringify(field.default));
}
