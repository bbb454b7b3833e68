import { COMMANDS } from '../../src/surface/cli/commands.ts';
import { commandHelpText, helpText, settingsText } from '../../src/surface/cli/help.ts';
import type { Terminal } from '../../src/surface/cli/terminal.ts';
import { effectsOf, type AnyTool } from '../../src/tool/declaration.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { configurationPage } from './configuration.ts';
import { errorsPage } from './errors.ts';
import { block, cell, code, GENERATED, table } from './markdown.ts';
import { toolPage } from './tool-page.ts';

/** Every page of docs/reference by its file name. */
export function referencePages(): Record<string, string> {
  return {
    'README.md': indexPage(),
    'cli.md': cliPage(),
    'configuration.md': configurationPage(),
    'errors.md': errorsPage(),
    ...Object.fromEntries(TOOLS.map((tool) => [`${tool.name}.md`, toolPage(tool)])),
  };
}

function indexPage(): string {
  return [
    GENERATED,
    '# Reference',
    '',
    '- [Command line](cli.md)',
    '- [Configuration](configuration.md)',
    '- [Errors](errors.md)',
    '',
    '## Tools',
    '',
    'An MCP client, the command line (`oriel call`) and the library all reach the same tools.',
    '',
    toolTable(''),
    '',
  ].join('\n');
}

/** The tools with their pages below `folder`. */
export function toolTable(folder: string): string {
  return table(
    ['Tool', 'Effect', 'Pack', 'What for'],
    TOOLS.toSorted(byPack).map((tool) => [
      `[${code(tool.name)}](${folder}${tool.name}.md)`,
      effectsOf(tool).join(', '),
      tool.pack ?? '',
      cell(tool.summary),
    ]),
  );
}

/** Those that are always listed first; the order among equals stays. */
function byPack(a: AnyTool, b: AnyTool): number {
  return (a.pack ?? '').localeCompare(b.pack ?? '');
}

function cliPage(): string {
  const terminal: Terminal = {
    out: () => {},
    err: () => {},
    progress: () => {},
    isInteractive: false,
    columns: 100,
    style: (_, text) => text,
    errStyle: (_, text) => text,
  };
  const commands = Object.entries(COMMANDS).flatMap(([name, command]) => [
    `## oriel ${name}`,
    '',
    block('text', commandHelpText(terminal, command).trimEnd()),
    '',
  ]);
  return [
    GENERATED,
    '# Command line',
    '',
    block('text', helpText(terminal).trimEnd()),
    '',
    ...commands,
    '',
    '## Settings',
    '',
    block('text', settingsText(terminal).trimEnd()),
  ].join('\n');
}
