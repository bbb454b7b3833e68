import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMarked, readRecords } from '../../src/engine/launch-record.ts';
import { listProcesses } from '../../src/engine/process-table.ts';

export const ENTRY = path.resolve('dist/bin/oriel.js');

/** A limit for tests that start browsers: on a busy machine a start alone takes 20 s. */
export const BROWSER_TEST_MS = 180_000;

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From the last byte on stdout to the exit. */
  readonly exitedAfterMs: number;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The built command line, with a home and a data folder of its own. */
export class Cli implements AsyncDisposable {
  readonly home: string;
  /** Launches seen so far: a record goes when its browser should have. */
  readonly #launches = new Set<string>();
  readonly #children = new Set<ChildProcess>();

  private constructor(home: string) {
    this.home = home;
  }

  static async create(): Promise<Cli> {
    if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is not there: run \`npm run build\` first.`);
    return new Cli(await mkdtemp(path.join(tmpdir(), 'oriel-cli-')));
  }

  get dataDir(): string {
    return path.join(this.home, 'data');
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      TERM: 'xterm-256color',
      ORIEL_DATA_DIR: this.dataDir,
    };
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [ENTRY, ...args], {
      cwd: this.home,
      env: { ...this.env, ...env },
      stdio: 'pipe',
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  run(args: readonly string[], { stdin = '', env = {} }: RunOptions = {}): Promise<CliRun> {
    const child = this.start(args, env);
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    return outcomeOf(child);
  }

  /** Command lines of the live browsers of runs with this data folder, as far as ever seen here. */
  async browsers(): Promise<string[]> {
    const records = await readRecords(path.join(this.dataDir, 'run', 'browsers'));
    for (const { launchId } of records) this.#launches.add(launchId);
    const rows = await listProcesses();
    return Array.from(this.#launches).flatMap((launchId) =>
      findMarked(rows, launchId).map((row) => row.command),
    );
  }

  /** Ends what a failed test has left running. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<CliRun> {
  let stdout = '';
  let stderr = '';
  let lastByteAt = performance.now();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    lastByteAt = performance.now();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let exitedAt = 0;
  child.once('exit', () => (exitedAt = performance.now()));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, stdout, stderr, exitedAfterMs: exitedAt - lastByteAt };
}
