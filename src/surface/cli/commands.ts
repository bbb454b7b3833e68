/** A command as help and completion know it. */
export interface CommandHelp {
  readonly usage: string;
  readonly summary: string;
  /** What one should know before using it, a sentence a line. */
  readonly details?: readonly string[];
  readonly examples?: readonly string[];
  /** Most operands after the command's name. */
  readonly maxOperands: number;
}

/** Every command, in the order a newcomer needs them. */
export const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  demo: {
    usage: 'demo',
    summary: 'Show an agent at work on a shop that comes along.',
    details: [
      'Serves a small shop on 127.0.0.1, starts `oriel mcp` with a real MCP client and buys something.',
      'Needs no internet. Ends with a picture and the lines that add Oriel to your own agent.',
    ],
    examples: ['oriel demo', 'oriel demo --headless=false'],
    maxOperands: 0,
  },
  mcp: {
    usage: 'mcp',
    summary: 'Serve an MCP client over stdin and stdout.',
    details: ['Also what `oriel` alone does when stdin is no terminal. Logs go to stderr.'],
    examples: ['oriel mcp', 'oriel mcp --local --packs pointer'],
    maxOperands: 0,
  },
  call: {
    usage: 'call <tool> [json | name=value …] | call -',
    summary: 'Call one tool; `-` reads {"tool", "input"} lines, with pages living between them.',
    details: [
      'A page lives as long as the process: several calls on one page belong into one `call -`.',
      'The exit code tells the kind of failure; `call -` ends with that of the first one.',
    ],
    examples: [
      'oriel call browser_navigate url=example.com',
      'oriel call browser_navigate \'{"url": "https://example.com"}\' --json',
      'oriel call - < steps.jsonl',
    ],
    maxOperands: Infinity,
  },
  tools: {
    usage: 'tools [tool]',
    summary: 'List the tools, or show one.',
    examples: ['oriel tools', 'oriel tools browser_click', 'oriel tools --packs all --json'],
    maxOperands: 1,
  },
  dialects: {
    usage: 'dialects [dialect]',
    summary: 'List the systems whose tools can be spoken, or show one.',
    details: ['Use one with --dialect: oriel mcp --dialect aalis'],
    examples: ['oriel dialects', 'oriel dialects aalis', 'oriel tools --dialect aalis'],
    maxOperands: 1,
  },
  setup: {
    usage: 'setup',
    summary: 'Find a browser, or install one.',
    details: ['Looks for one on this system first; installs only where there is none.'],
    maxOperands: 0,
  },
  doctor: {
    usage: 'doctor',
    summary: 'Check this machine, with a real page.',
    details: ['Exits 0 unless something fails; leaves nothing behind.'],
    examples: ['oriel doctor', 'oriel doctor --json'],
    maxOperands: 0,
  },
  config: {
    usage: 'config',
    summary: 'Show every setting, its value and where it came from.',
    details: ['A flag beats the environment, which beats the --config file.'],
    examples: ['oriel config', 'oriel config --json'],
    maxOperands: 0,
  },
  gate: {
    usage: 'gate check <url…> | gate log',
    summary: 'Ask what the network policy allows.',
    details: [
      'Connects to nothing. `check` exits with 5 when an address is refused; `log` follows what was.',
    ],
    examples: [
      'oriel gate check http://10.0.0.1/',
      'oriel gate check https://example.com --no-dns',
    ],
    maxOperands: Infinity,
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'Print a completion script.',
    examples: [
      'source <(oriel completion bash)',
      'oriel completion fish > ~/.config/fish/completions/oriel.fish',
    ],
    maxOperands: 1,
  },
};
