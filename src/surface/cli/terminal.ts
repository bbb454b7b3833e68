import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isInteractive: boolean;
  readonly columns: number;
  /** Colours `text` where the terminal has colours. */
  readonly style: (style: Style, text: string) => string;
}

export interface TerminalFacts {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: NodeJS.ProcessEnv;
}

/** No colour when stdout is no terminal, or `NO_COLOR` is set (no-color.org). */
export function terminalOf({ stdout, stderr, stdin, env }: TerminalFacts): Terminal {
  const hasColour =
    (stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb') || env['FORCE_COLOR'] === '1';
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isInteractive: stdout.isTTY && stdin.isTTY,
    columns: stdout.columns ?? 80,
    style: (style, text) => (hasColour ? styleText(style, text) : text),
  };
}
