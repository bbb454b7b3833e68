import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ServerStart } from '../surface/cli/client-config.ts';

/** The running command line, to start again as a child or to write into a client's settings. */
export interface Entry extends ServerStart {
  /** Absolute path of the script, links resolved. */
  readonly script: string;
}

export function runningEntry(argv: readonly string[], execArgv: readonly string[]): Entry {
  const script = realpathSync(argv[1] ?? '');
  return { script, command: process.execPath, args: [...execArgv, script] };
}

/** How a client starts this copy: by name when it is installed, by its path from a checkout. */
export function installedStart({ script, command }: Entry): ServerStart {
  const isInstalled = script.split(path.sep).includes('node_modules');
  return isInstalled
    ? { command: 'npx', args: ['-y', 'oriel', 'mcp'] }
    : { command, args: [script, 'mcp'] };
}
