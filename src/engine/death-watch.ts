import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBuiltEntry } from './package-root.ts';

const SHELL = '/bin/sh';

/**
 * Reads until the pipe ends and then becomes the watchdog. A waiting shell takes one megabyte
 * where a waiting Node would take forty.
 */
const WAIT_THEN_RUN = 'while read -r _; do :; done; exec "$@"';

/**
 * Ends our browsers when this process dies, SIGKILL included: a small process that holds the other
 * end of a pipe, in a group of its own so that what kills our group spares it. Disposing ends it;
 * do so after the browsers are closed.
 */
export class DeathWatch implements Disposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Undefined when the package is not built, so there is nothing to run. */
  static start(recordFolder: string, ownerId: string): DeathWatch | undefined {
    const entry = findBuiltEntry('watchdog');
    if (entry === undefined) return undefined;
    const watchdog = [process.execPath, entry, recordFolder, ownerId];
    const hasShell = process.platform !== 'win32' && existsSync(SHELL);
    const [file = '', ...args] = hasShell
      ? [SHELL, '-c', WAIT_THEN_RUN, 'oriel-watchdog', ...watchdog, '--owner-is-gone']
      : watchdog;
    const child = spawn(file, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
      cwd: process.platform === 'win32' ? undefined : '/',
    });
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    // Neither the process nor the pipe keeps our event loop alive.
    child.unref();
    if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
    return new DeathWatch(child);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
