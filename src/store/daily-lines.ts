import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import path from 'node:path';
import type { Log } from '../kernel/log.ts';

/**
 * A record as JSON lines, a file a day, readable by its owner alone. One that cannot be written is
 * logged once and never fails what it records.
 */
export class DailyLines implements AsyncDisposable {
  readonly #folder: string;
  readonly #log: Log;
  #stream: { readonly day: string; readonly stream: WriteStream } | null = null;
  #hasFailed = false;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  append(entry: object): void {
    if (this.#hasFailed) return;
    try {
      this.#streamOf(new Date().toISOString().slice(0, 10)).write(`${JSON.stringify(entry)}\n`);
    } catch (error) {
      this.#fail(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = this.#stream;
    this.#stream = null;
    if (!open || this.#hasFailed) return;
    await new Promise<void>((resolve) => open.stream.end(() => resolve()));
  }

  #streamOf(day: string): WriteStream {
    if (this.#stream?.day === day) return this.#stream.stream;
    this.#stream?.stream.end();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const stream = createWriteStream(path.join(this.#folder, `${day}.jsonl`), {
      flags: 'a',
      mode: 0o600,
    });
    stream.on('error', (error) => this.#fail(error));
    this.#stream = { day, stream };
    return stream;
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
