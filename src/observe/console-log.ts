import type { ConsoleMessage, WebError } from 'playwright-core';
import type { ConsoleEntry, ConsoleLevel, ConsoleQuery, Found } from '../model/console.ts';
import { type Sequence, Track } from './track.ts';

const MAX_TEXT_CHARS = 4_000;
const MAX_URL_CHARS = 500;

/** What one page and its workers have written to the console, thrown, or asked in dialogs. */
export class ConsoleLog {
  readonly #entries: Track<ConsoleEntry>;

  constructor(sequence: Sequence) {
    this.#entries = new Track(sequence);
  }

  noteMessage(message: ConsoleMessage): void {
    const { url, line, column } = message.location();
    const worker = message.worker()?.url();
    this.#entries.note({
      type: message.type(),
      text: bounded(message.text()),
      ...placeOf(url, line, column),
      ...(worker === undefined ? {} : { worker: worker.slice(0, MAX_URL_CHARS) }),
      timestamp: Math.round(message.timestamp()),
    });
    releaseArguments(message);
  }

  /** Notes an error that nothing caught. */
  noteError(thrown: WebError): void {
    const { url, line, column } = thrown.location();
    const { name, message } = thrown.error() as { name?: string; message?: string };
    this.#entries.note({
      type: 'error',
      text: bounded(
        name && message?.startsWith(name) === false ? `${name}: ${message}` : `${message}`,
      ),
      ...placeOf(url, line, column),
      timestamp: Date.now(),
    });
  }

  noteDialog(type: string, message: string): void {
    this.#entries.note({
      type: 'dialog',
      text: bounded(`[dialog] ${type}: ${message}`),
      timestamp: Date.now(),
    });
  }

  query({ levels, contains, limit }: ConsoleQuery): Found<ConsoleEntry> {
    const matching = this.#entries
      .all()
      .filter(
        (entry) =>
          (levels === undefined || levels.some((level) => isOfLevel(entry, level))) &&
          (contains === undefined || entry.text.includes(contains)),
      );
    return {
      total: matching.length,
      returned: limit === 0 ? [] : matching.slice(-limit),
      dropped: this.#entries.dropped,
    };
  }

  since(mark: number): ConsoleEntry[] {
    return this.#entries.since(mark);
  }
}

/** `info` is what pages write with console.log as well as with console.info. */
function isOfLevel({ type }: ConsoleEntry, level: ConsoleLevel): boolean {
  return type === level || (level === 'info' && type === 'log');
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT_CHARS
    ? text
    : `${text.slice(0, MAX_TEXT_CHARS - 40)}… (${text.length} characters in all)`;
}

/** Playwright counts lines and columns from 0, people from 1. */
function placeOf(url: string, line: number, column: number): { location?: string } {
  return url === '' ? {} : { location: `${url.slice(0, MAX_URL_CHARS)}:${line + 1}:${column + 1}` };
}

/**
 * Lets the page's garbage collector have what was logged: Playwright holds a handle on every
 * object that is passed to the console until someone lets go of it.
 */
function releaseArguments(message: ConsoleMessage): void {
  for (const argument of message.args()) {
    // A primitive is held by value and prints itself; only objects print as handles.
    // oxlint-disable-next-line typescript/no-base-to-string -- handles print what they hold
    if (argument.toString().startsWith('JSHandle@')) argument.dispose().catch(() => {});
  }
}
