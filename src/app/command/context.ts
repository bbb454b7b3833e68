import type { Loaded } from '../../config/load.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Log } from '../../kernel/log.ts';
import type { Argv } from '../../surface/cli/argv.ts';
import type { Terminal } from '../../surface/cli/terminal.ts';

/** What every command gets. */
export interface CommandContext {
  readonly argv: Argv;
  /** Operands after the command's name. */
  readonly words: readonly string[];
  readonly loaded: Loaded;
  /** The one that the configuration asks for. */
  readonly dialect: Dialect | null;
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  readonly version: string;
  readonly log: Log;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs a command and resolves with the exit code. */
export type Command = (context: CommandContext) => Promise<number>;
