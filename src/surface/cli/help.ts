import { z } from 'zod';
import { listFields, type Field } from '../../config/fields.ts';
import { configSchema } from '../../config/schema.ts';
import type { AnyTool } from '../../tool/declaration.ts';
import { argumentNames } from '../../tool/input.ts';
import { OPTIONS } from './argv.ts';
import { COMMANDS, type CommandHelp } from './commands.ts';
import { layRows, widthOf, wrap, type Row } from './layout.ts';
import type { Terminal } from './terminal.ts';

const MAX_TERM = 34;
const GENERAL = 'What the agent may do, and where things lie.';

/** What a newcomer needs; `settingsText` has the rest. */
export function helpText(terminal: Terminal): string {
  const title = (text: string) => terminal.style('bold', text);
  const commands = Object.values(COMMANDS).map(({ usage, summary }) => ({
    term: usage,
    text: summary,
  }));
  return lines([
    `${title('oriel')} - the browser for AI agents`,
    '',
    `${title('Usage')}: oriel <command> [flags]`,
    '',
    title('Commands'),
    ...rows(terminal, commands),
    '',
    title('Flags'),
    ...rows(terminal, optionRows([])),
    '',
    title('Settings that most need'),
    ...rows(terminal, listFields().filter(hasShortFlag).map(settingRow)),
    '',
    ...rows(
      terminal,
      [
        { term: 'oriel <command> --help', text: 'more on a command' },
        { term: 'oriel help settings', text: 'all settings' },
      ],
      0,
    ),
  ]);
}

/** A setting whose flag is short, because people type it. */
const hasShortFlag = ({ path, flags }: Field) => flags.length > 1 || !path.includes('.');

/** Every setting, by the branch of the schema it is in. */
export function settingsText(terminal: Terminal): string {
  const { style, columns } = terminal;
  return lines([
    ...wrap(
      'Each is a flag, a name in the --config file (`oriel config` shows the names), or a variable in the environment (network.exemptHosts is ORIEL_NETWORK_EXEMPT_HOSTS there).',
      columns,
    ),
    ...settingGroups().flatMap(({ description, fields }) => [
      '',
      style('bold', description.replace(/\.$/, '')),
      ...rows(terminal, fields.map(settingRow)),
    ]),
  ]);
}

/** Help for one command. */
export function commandHelpText(terminal: Terminal, command: CommandHelp): string {
  const { style, columns } = terminal;
  return lines([
    `${style('bold', 'Usage')}: oriel ${command.usage}`,
    '',
    ...[command.summary, ...(command.details ?? [])].flatMap((text) => wrap(text, columns)),
    ...(command.examples
      ? ['', style('bold', 'Examples'), ...command.examples.map((example) => `  ${example}`)]
      : []),
    '',
    style('bold', 'Flags'),
    ...rows(terminal, optionRows([nameOf(command)])),
    '',
    'All settings: oriel help settings',
  ]);
}

const nameOf = (command: CommandHelp) => command.usage.split(' ', 1)[0] ?? '';

/** Flags that are not settings; one that belongs to a command alone only where that is shown. */
function optionRows(commands: readonly string[]): Row[] {
  const shown = Object.entries(OPTIONS).filter(
    ([, option]) => !('command' in option) || commands.includes(option.command),
  );
  return shown.map(([name, option]) => ({
    term: `${'short' in option ? `-${option.short}, ` : ''}--${name}${option.type === 'string' ? ' <file>' : ''}`,
    text: option.help,
  }));
}

interface Group {
  readonly description: string;
  readonly fields: Field[];
}

/** Settings by the branch of the schema they are in, those of no branch together. */
function settingGroups(): Group[] {
  const groups = new Map<string, Group>();
  for (const field of listFields()) {
    const [first = '', ...rest] = field.path.split('.');
    const key = rest.length === 0 ? '' : first;
    const description = key === '' ? GENERAL : (branches[key]?.description ?? key);
    const group = groups.get(key) ?? { description, fields: [] };
    group.fields.push(field);
    groups.set(key, group);
  }
  // What most people look for comes first.
  return [...groups]
    .toSorted(([a], [b]) => Number(b === '') - Number(a === ''))
    .map(([, group]) => group);
}

const branches = configSchema.shape as Readonly<Record<string, { description?: string }>>;

function settingRow(field: Field): Row {
  const term = settingFlag(field);
  const isListed = !field.choices || term.includes('|');
  return {
    term,
    text: field.description + (isListed ? '' : ` One of: ${field.choices.join(', ')}.`),
  };
}

function settingFlag(field: Field): string {
  const flag = field.flags[0] ?? '';
  if (field.kind === 'boolean') return `--[no-]${flag.slice(2)}`;
  if (field.choices) {
    const listed = `${flag} ${field.choices.join('|')}`;
    return listed.length <= MAX_TERM ? listed : `${flag} <choice>`;
  }
  const value = { list: 'a,b', map: 'json', number: 'number', string: 'text' }[field.kind];
  return `${flag} <${value}>`;
}

/** What of a tool help shows. */
type Shown = Pick<AnyTool, 'name' | 'summary' | 'input'> & {
  readonly examples?: readonly { readonly title: string; readonly input: unknown }[];
};

export function toolsText(
  tools: readonly Pick<Shown, 'name' | 'summary'>[],
  terminal: Terminal,
): string {
  return lines(
    rows(
      terminal,
      tools.map((tool) => ({ term: tool.name, text: tool.summary })),
      0,
    ),
  );
}

export function toolText(tool: Shown, terminal: Terminal): string {
  const { style, columns } = terminal;
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: 'input' });
  const args = argumentNames(tool).map((name) => ({
    term: name,
    text: argumentText(properties[name] as ArgumentSchema, required.includes(name)),
  }));
  const examples = (tool.examples ?? []).flatMap(({ title, input }) => {
    const json = JSON.stringify(input);
    const quoted = json === '{}' ? '' : ` '${json.replaceAll("'", "'\\''")}'`;
    return [`  ${style('dim', `# ${title}`)}`, `  oriel call ${tool.name}${quoted}`];
  });
  return lines([
    style('bold', tool.name),
    ...wrap(tool.summary, columns),
    '',
    style('bold', 'Arguments'),
    ...rows(terminal, args),
    '',
    ...(examples.length > 0 ? [style('bold', 'Examples'), ...examples] : []),
  ]);
}

interface ArgumentSchema {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

function argumentText(schema: ArgumentSchema, isRequired: boolean): string {
  const facts = [
    ...(isRequired ? ['required'] : []),
    ...(schema.enum ? [schema.enum.join(', ')] : []),
    ...(schema.default === undefined || Array.isArray(schema.default)
      ? []
      : [`default ${JSON.stringify(schema.default)}`]),
  ];
  const description = schema.description ?? '';
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

export function welcomeText(terminal: Terminal): string {
  const { style, columns } = terminal;
  return lines([
    `${style('bold', 'Oriel')} gives an AI agent a real browser.`,
    '',
    ...layRows(
      [
        { term: 'oriel demo', text: 'see an agent at work, here, in a minute' },
        {
          term: 'oriel mcp',
          text: 'what an MCP client starts; `oriel demo` ends with the lines to paste',
        },
        {
          term: 'oriel call',
          text: 'call a tool yourself: oriel call browser_navigate url=example.com',
        },
        { term: 'oriel doctor', text: 'see whether this machine has what it takes' },
        { term: 'oriel --help', text: 'everything else' },
      ],
      { columns, indent: 2, termWidth: 12, styleTerm: (term) => style('cyan', term) },
    ),
  ]);
}

function rows(terminal: Terminal, list: readonly Row[], indent = 2): string[] {
  const termWidth = widthOf(
    list.map((row) => row.term),
    terminal.columns < 100 ? 26 : MAX_TERM,
  );
  return layRows(list, {
    columns: terminal.columns,
    indent,
    termWidth,
    styleTerm: (term) => terminal.style('cyan', term),
  });
}

function lines(list: readonly string[]): string {
  return `${list.join('\n')}\n`;
}
