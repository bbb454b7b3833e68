import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../kernel/log.ts';

/**
 * A record as JSON lines, a file a day, readable by its owner alone. A line is with the system
 * before the next thing happens, so that a killed process loses none. A record that cannot be
 * written is logged once and never fails what it records.
 */
export class DailyLines implements Disposable {
  readonly #folder: string;
  readonly #log: Log;
  #open: { readonly day: string; readonly fd: number } | null = null;
  #hasFailed = false;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  append(entry: object): void {
    try {
      writeSync(this.#fdOf(new Date().toISOString().slice(0, 10)), `${JSON.stringify(entry)}\n`);
    } catch (error) {
      this.#fail(error);
    }
  }

  [Symbol.dispose](): void {
    if (this.#open) closeSync(this.#open.fd);
    this.#open = null;
  }

  #fdOf(day: string): number {
    if (this.#open?.day === day) return this.#open.fd;
    this[Symbol.dispose]();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const fd = openSync(path.join(this.#folder, `${day}.jsonl`), 'a', 0o600);
    this.#open = { day, fd };
    return fd;
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log('error', 'a record cannot be written; what happens goes unrecorded', {
      folder: this.#folder,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}
