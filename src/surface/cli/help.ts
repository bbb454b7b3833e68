import { listFields, type Field } from '../../config/fields.ts';
import type { AnyTool } from '../../tool/declaration.ts';
import { argumentNames } from '../../tool/input.ts';
import { OPTIONS } from './argv.ts';
import type { Terminal } from './terminal.ts';

export interface CommandHelp {
  readonly usage: string;
  readonly summary: string;
}

/** Every command, in the order a newcomer needs them. */
export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  demo: { usage: 'demo', summary: 'Show an agent at work on a shop that comes along.' },
  mcp: { usage: 'mcp', summary: 'Serve an MCP client over stdin and stdout.' },
  call: {
    usage: 'call <tool> [json | name=value …] | call -',
    summary: 'Call one tool; `-` reads {"tool", "input"} lines, with pages living between them.',
  },
  tools: { usage: 'tools [tool]', summary: 'List the tools, or show one.' },
  setup: { usage: 'setup', summary: 'Find a browser, or install one.' },
  doctor: { usage: 'doctor', summary: 'Check this machine, with a real page.' },
  config: { usage: 'config', summary: 'Show every setting, its value and where it came from.' },
  gate: { usage: 'gate check <url…> | gate log', summary: 'Ask what the network policy allows.' },
  completion: { usage: 'completion bash|zsh|fish', summary: 'Print a completion script.' },
};

export function helpText(terminal: Terminal): string {
  const { style } = terminal;
  const width = 44;
  const commands = Object.values(COMMANDS).map(({ usage, summary }) =>
    usage.length < width - 2
      ? `  ${style('cyan', usage.padEnd(width - 2))}${summary}`
      : `  ${style('cyan', usage)}\n${' '.repeat(width)}${summary}`,
  );
  const options = Object.entries(OPTIONS).map(([name, option]) => {
    const short = 'short' in option ? `, -${option.short}` : '';
    return `  ${`--${name}${short}`.padEnd(width - 2)}${option.help}`;
  });
  const settings = listFields().map(
    (field) => `  ${settingFlag(field).padEnd(width - 2)}${field.description}`,
  );
  return [
    `${style('bold', 'oriel')} - the browser for AI agents`,
    '',
    `${style('bold', 'Usage')}: oriel <command> [flags]`,
    '',
    style('bold', 'Commands'),
    ...commands,
    '',
    style('bold', 'Flags'),
    ...options,
    '',
    style('bold', 'Settings') + ' (also ORIEL_… in the environment, and in the --config file)',
    ...settings,
    '',
  ].join('\n');
}

function settingFlag(field: Field): string {
  const flag = field.flags[0] ?? '';
  if (field.kind === 'boolean') return flag;
  if (field.choices) return `${flag} ${field.choices.join('|')}`;
  return `${flag} <${field.kind === 'list' ? 'a,b' : field.kind === 'map' ? 'json' : field.kind}>`;
}

export function toolsText(tools: readonly AnyTool[], terminal: Terminal): string {
  const width = Math.max(...tools.map((tool) => tool.name.length)) + 2;
  return tools
    .map((tool) => `${terminal.style('cyan', tool.name.padEnd(width))}${tool.summary}\n`)
    .join('');
}

export function toolText(tool: AnyTool, terminal: Terminal): string {
  const shape = tool.input.shape as Record<string, { description?: string }>;
  const width = Math.max(...argumentNames(tool).map((name) => name.length)) + 2;
  const lines = argumentNames(tool).map(
    (name) => `  ${terminal.style('cyan', name.padEnd(width))}${shape[name]?.description ?? ''}`,
  );
  const examples = tool.examples.map(
    (example) => `  oriel call ${tool.name} '${JSON.stringify(example.input)}'`,
  );
  return [
    terminal.style('bold', tool.name),
    tool.summary,
    '',
    terminal.style('bold', 'Arguments'),
    ...lines,
    '',
    terminal.style('bold', 'Examples'),
    ...examples,
    '',
  ].join('\n');
}

export function welcomeText(terminal: Terminal): string {
  const { style } = terminal;
  return [
    `${style('bold', 'Oriel')} gives an AI agent a real browser.`,
    '',
    `  ${style('cyan', 'oriel demo')}     see an agent at work, here, in a minute`,
    `  ${style('cyan', 'oriel mcp')}      what an MCP client starts; \`oriel demo\` ends with the lines to paste`,
    `  ${style('cyan', 'oriel call')}     call a tool yourself: oriel call browser_navigate url=example.com`,
    `  ${style('cyan', 'oriel --help')}   everything else`,
    '',
  ].join('\n');
}
