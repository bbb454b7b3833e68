import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Shows what is going on, on stderr, one line a message. */
  readonly progress: (message: string) => void;
  /** Whether a person sits at both ends. */
  readonly isInteractive: boolean;
  /** Width to lay text out for, from 40 to 120. */
  readonly columns: number;
  /** Colours `text` for stdout, where it has colours. */
  readonly style: (style: Style, text: string) => string;
  /** Colours `text` for stderr, where it has colours. */
  readonly errStyle: (style: Style, text: string) => string;
}

export interface TerminalFacts {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: NodeJS.ProcessEnv;
}

const MIN_COLUMNS = 40;
/** Longer lines are hard to read, however wide the window is. */
const MAX_COLUMNS = 120;
const COLUMNS_ELSEWHERE = 100;

/** Each stream has colours when it is a terminal, `NO_COLOR` is unset (no-color.org) and `TERM` is not dumb. */
export function terminalOf({ stdout, stderr, stdin, env }: TerminalFacts): Terminal {
  const paint = (stream: NodeJS.WriteStream) =>
    hasColour(stream, env)
      ? // Node would decide again, and by stdout alone.
        (style: Style, text: string) => styleText(style, text, { validateStream: false })
      : (_style: Style, text: string) => text;
  const errStyle = paint(stderr);
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    progress: (message) => void stderr.write(`${errStyle('dim', message)}\n`),
    isInteractive: stdout.isTTY && stdin.isTTY,
    columns: Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, stdout.columns || COLUMNS_ELSEWHERE)),
    style: paint(stdout),
    errStyle,
  };
}

function hasColour(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true;
  return stream.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
