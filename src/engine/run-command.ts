import { spawn } from 'node:child_process';
import { OrielError } from '../kernel/errors.ts';

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Ends the command when it takes longer than this in all. */
  readonly timeoutMs: number;
  /** Ends the command when it prints nothing for this long. */
  readonly silenceMs?: number;
  /** Called with each line that it prints. */
  readonly onLine?: (line: string) => void;
}

export interface CommandResult {
  /** Exit code; 127 when it could not be started, 124 when we ended it. */
  readonly exitCode: number;
  /** The end of what it printed, at most 8,000 characters. */
  readonly output: string;
}

const KEPT_CHARACTERS = 8000;

/**
 * Runs a program to its end without a shell or standard input. A failure is a result, not a
 * throw; only the signal's reason is thrown, after the program's whole group has been ended.
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  options.signal.throwIfAborted();
  const isPosix = process.platform !== 'win32';
  const child = spawn(file, args, {
    env: { ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // A group of its own, so that what the program started ends with it.
    detached: isPosix,
  });
  let output = '';
  let ended: string | undefined;
  const end = (reason: string) => {
    ended ??= reason;
    try {
      if (isPosix && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    } catch {
      // It has ended by itself in between.
    }
  };
  const limit = setTimeout(() => end(`stopped after ${options.timeoutMs} ms`), options.timeoutMs);
  const silence = setTimeout(
    () => end(`stopped after ${options.silenceMs ?? 0} ms without output`),
    options.silenceMs ?? options.timeoutMs,
  );
  const abort = () => end('cancelled');
  options.signal.addEventListener('abort', abort, { once: true });
  const collect = (chunk: Buffer) => {
    silence.refresh();
    const text = chunk.toString();
    output = (output + text).slice(-KEPT_CHARACTERS);
    for (const line of text.split(/[\r\n]+/)) if (line.trim() !== '') options.onLine?.(line.trim());
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  try {
    const exitCode = await new Promise<number>((resolve) => {
      child.on('error', (failure) => {
        output += `\n${failure.message}`;
        resolve(127);
      });
      child.on('close', (code) => resolve(code ?? 1));
    });
    options.signal.throwIfAborted();
    if (ended === undefined) return { exitCode, output: output.trim() };
    return { exitCode: 124, output: `${output.trim()}\n(${ended})`.trim() };
  } finally {
    clearTimeout(limit);
    clearTimeout(silence);
    options.signal.removeEventListener('abort', abort);
  }
}

/** The last `lines` lines of an output, for a message. */
export function lastLines(output: string, lines = 3): string {
  return output.trim().split('\n').slice(-lines).join(' / ').slice(-400);
}

/** Throws `setup_needed` unless the command succeeded. */
export function expectSuccess(what: string, result: CommandResult): void {
  if (result.exitCode === 0) return;
  throw new OrielError('setup_needed', `${what} failed: ${lastLines(result.output)}`, {
    details: { exitCode: result.exitCode },
  });
}
