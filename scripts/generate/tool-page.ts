import { z } from 'zod';
import { methodName } from '../../src/surface/library/methods.ts';
import { effectsOf, type AnyTool } from '../../src/tool/declaration.ts';
import { likelyCodes } from './errors.ts';
import { boundsText, descriptionText, listLeaves, typeText, type Json } from './json-schema.ts';
import { block, cell, code, GENERATED, table } from './markdown.ts';

const SCOPES: Readonly<Record<string, string>> = {
  page: 'a page',
  session: 'a session',
  server: 'the server',
};

export function toolPage(tool: AnyTool): string {
  const input = z.toJSONSchema(tool.input as z.ZodType, { io: 'input' }) as Json;
  const output = z.toJSONSchema(tool.output as z.ZodType, { io: 'output' }) as Json;
  const peers = [...(tool.peerNames ?? [])].map(code);
  const aliases = Object.entries(tool.aliases ?? {}).map(
    ([alias, name]) => `${code(alias)} for ${code(name)}`,
  );
  return [
    GENERATED,
    `# ${tool.name}`,
    '',
    cell(tool.summary),
    '',
    `- Works on ${SCOPES[tool.scope as string]}.`,
    `- Effect: ${effectsOf(tool).map(code).join(' or ')}${effectsOf(tool).length > 1 ? ', by its arguments' : ''}.`,
    `- Listed: ${tool.pack ? `with the pack ${code(tool.pack)}` : 'always'}.`,
    `- Time limit: ${code(`timeouts.${tool.limit}Ms`)}, unless ${code('timeoutMs')} is given.`,
    ...(tool.opensPage ? ['- Opens a page where the session has none.'] : []),
    ...(tool.toleratesDialog ? ['- Works while a dialog of the page is open.'] : []),
    ...(peers.length > 0 ? [`- Also answers to ${peers.join(', ')}.`] : []),
    ...(aliases.length > 0 ? [`- Also takes ${aliases.join(', ')}.`] : []),
    '',
    '## Arguments',
    '',
    argumentsTable(input),
    '',
    '## Output',
    '',
    outputTable(output),
    '',
    '## Errors',
    '',
    `Most likely: ${likelyCodes(tool).map(code).join(', ')}. [All codes](errors.md).`,
    '',
    '## Examples',
    '',
    ...tool.examples.flatMap((example) => exampleLines(tool, example)),
  ].join('\n');
}

function argumentsTable(input: Json): string {
  const rows = listLeaves(input).map(({ path, schema, isRequired }) => [
    code(path),
    typeText(schema),
    schema.default === undefined
      ? isRequired
        ? '**required**'
        : ''
      : code(JSON.stringify(schema.default)),
    boundsText(schema),
    descriptionText(schema),
  ]);
  return rows.length === 0
    ? 'None.'
    : table(['Argument', 'Type', 'Default', 'Bounds', 'What it is'], rows);
}

function outputTable(output: Json): string {
  const rows = listLeaves(output).map(({ path, schema, isRequired }) => [
    code(path),
    typeText(schema) + (isRequired ? '' : ', may be absent'),
    descriptionText(schema),
  ]);
  return table(['Field', 'Type', 'What it is'], rows);
}

function exampleLines(tool: AnyTool, example: AnyTool['examples'][number]): string[] {
  const { title, on, input } = example as { title: string; on?: string; input: object };
  const json = JSON.stringify(input);
  const shell = `oriel call ${tool.name} '${json.replaceAll("'", String.raw`'\''`)}'`;
  const words = Object.keys(input).length === 0 ? '' : asScript(input);
  return [
    `${title}${on === undefined ? '' : `, on ${code(on)} of the demo shop`}:`,
    '',
    block('sh', shell),
    '',
    block('ts', `await oriel.${methodName(tool.name)}(${words});`),
    '',
  ];
}

/** JSON as one would write it in a script. */
function asScript(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asScript).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([key, entry]) => `${key}: ${asScript(entry)}`);
    return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return value.includes("'")
    ? JSON.stringify(value)
    : `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')}'`;
}
