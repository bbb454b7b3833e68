import type { FileChooser, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';

interface Chooser {
  readonly sequence: number;
  readonly raw: FileChooser;
}

/**
 * The file chooser that each page has open. A page that is listened to shows none of its own, so
 * one that nobody answers does no harm: the next one, or the next document, takes its place.
 */
export class FileChoosers {
  readonly #open = new WeakMap<Page, Chooser>();
  readonly #listeners = new WeakMap<Page, Set<() => void>>();
  #sequence = 0;

  attach(page: Page): void {
    const listeners = new Set<() => void>();
    this.#listeners.set(page, listeners);
    page.on('filechooser', (raw) => {
      this.#open.set(page, { sequence: ++this.#sequence, raw });
      for (const listener of listeners) listener();
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#open.delete(page);
    });
  }

  /** The place in time now. */
  get mark(): number {
    return this.#sequence;
  }

  /** The chooser that opened on the page since `mark` and is still open. */
  since(page: Page, mark: number): { isMultiple: boolean } | null {
    const open = this.#open.get(page);
    return open && open.sequence > mark ? { isMultiple: open.raw.isMultiple() } : null;
  }

  /** Takes the open chooser, to be answered. */
  take(page: Page): FileChooser | null {
    const open = this.#open.get(page);
    this.#open.delete(page);
    return open?.raw ?? null;
  }

  /** Waits for a chooser to be open and takes it. */
  async next(page: Page, signal: AbortSignal): Promise<FileChooser> {
    const listeners = this.#listeners.get(page);
    for (;;) {
      const raw = this.take(page);
      if (raw) return raw;
      let wake = () => {};
      const opened = new Promise<void>((resolve) => {
        wake = resolve;
      });
      listeners?.add(wake);
      try {
        await within(signal, opened);
      } finally {
        listeners?.delete(wake);
      }
    }
  }
}
