/** How a client starts the server. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ClientConfig {
  readonly client: string;
  /** Where the lines go. */
  readonly where: string;
  /** What to paste. */
  readonly text: string;
}

/** The lines that add Oriel to each client, ready to paste. */
export function clientConfigs({ command, args }: ServerStart): readonly ClientConfig[] {
  const servers = { mcpServers: { oriel: { command, args } } };
  return [
    {
      client: 'Claude Code',
      where: 'run once',
      text: ['claude mcp add oriel --', command, ...args].map(quoteAfterFirst).join(' '),
    },
    {
      client: 'Claude Desktop',
      where: 'Settings > Developer > Edit Config: claude_desktop_config.json',
      text: inlineLists(servers),
    },
    { client: 'Cursor', where: '~/.cursor/mcp.json', text: inlineLists(servers) },
    {
      client: 'VS Code',
      where: '.vscode/mcp.json',
      text: inlineLists({ servers: { oriel: { type: 'stdio', command, args } } }),
    },
  ];
}

function quoteAfterFirst(word: string, index: number): string {
  return index === 0 || /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}

/** JSON indented by two, with lists on one line. */
function inlineLists(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\s+([^\]]*?)\s+\]/g, (_list, inner: string) => {
    return `[${inner.replace(/\s*\n\s*/g, ' ')}]`;
  });
}
