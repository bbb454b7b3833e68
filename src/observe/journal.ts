import type { Dialog, Page } from 'playwright-core';
import { firstLine } from '../kernel/errors.ts';
import { Ring } from '../kernel/ring.ts';
import type { Effect } from '../model/effect.ts';

export type DialogPolicy = 'accept' | 'dismiss' | 'manual';

export interface ConsoleEntry {
  readonly type: string;
  readonly text: string;
  readonly at: number;
}

export interface DialogEntry {
  readonly type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  state: 'accepted' | 'dismissed' | 'open';
}

/** Why a call on the page cannot go on. */
export type Interruption =
  | { readonly kind: 'dialog'; readonly entry: DialogEntry }
  | { readonly kind: 'crash' }
  | { readonly kind: 'close' };

export interface JournalOptions {
  readonly dialogPolicy: () => DialogPolicy;
}

const CAPACITY = 200;

interface Stamped<T> {
  readonly sequence: number;
  readonly value: T;
}

/** What one page has said since it was born, bounded, oldest dropped first. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #console = new Ring<Stamped<ConsoleEntry>>(CAPACITY);
  readonly #dialogs = new Ring<Stamped<DialogEntry>>(CAPACITY);
  readonly #documents = new Ring<Stamped<{ url: string; status: number | null }>>(CAPACITY);
  readonly #popups = new Ring<Stamped<Page>>(CAPACITY);
  readonly #listeners = new Set<(interruption: Interruption) => void>();
  #sequence = 0;
  #openDialog: { dialog: Dialog; entry: DialogEntry } | null = null;
  #armed: { accept: boolean; text: string | undefined } | null = null;
  #lastStatus: { url: string; status: number } | null = null;

  constructor(page: Page, options: JournalOptions) {
    this.#options = options;
    page.on('console', (message) =>
      this.#note(this.#console, { type: message.type(), text: message.text(), at: Date.now() }),
    );
    page.on('pageerror', (error) =>
      this.#note(this.#console, { type: 'error', text: error.message, at: Date.now() }),
    );
    page.on('dialog', (dialog) => void this.#onDialog(dialog));
    page.on('popup', (popup) => this.#note(this.#popups, popup));
    page.on('response', (response) => {
      const request = response.request();
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        this.#lastStatus = { url: response.url(), status: response.status() };
      }
    });
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return;
      const status = this.#lastStatus?.url === frame.url() ? this.#lastStatus.status : null;
      this.#note(this.#documents, { url: frame.url(), status });
    });
    page.on('crash', () => this.#interrupt({ kind: 'crash' }));
    page.on('close', () => this.#interrupt({ kind: 'close' }));
  }

  /** The place in the journal now; what comes after it is read with {@link since}. */
  get mark(): number {
    return this.#sequence;
  }

  get openDialog(): DialogEntry | null {
    return this.#openDialog?.entry ?? null;
  }

  get console(): ConsoleEntry[] {
    return this.#console.toArray().map((entry) => entry.value);
  }

  /**
   * Answers the open dialog.
   *
   * @returns The dialog that was answered, or null when none is open.
   */
  async answerDialog(accept: boolean, text?: string): Promise<DialogEntry | null> {
    const open = this.#openDialog;
    if (!open) return null;
    this.#openDialog = null;
    open.entry.state = accept ? 'accepted' : 'dismissed';
    await (accept ? open.dialog.accept(text) : open.dialog.dismiss());
    return open.entry;
  }

  /** Decides the answer to the next dialog, once, whatever the policy. */
  armDialog(accept: boolean, text?: string): void {
    this.#armed = { accept, text };
  }

  /** Calls `listener` for each interruption until disposed. */
  onInterruption(listener: (interruption: Interruption) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Pages that this page opened since `mark`. */
  popupsSince(mark: number): Page[] {
    return after(this.#popups, mark);
  }

  /** The part of an effect that this page's own events since `mark` tell. */
  since(mark: number): Pick<Effect, 'consoleErrors' | 'dialogs'> {
    const errors = after(this.#console, mark)
      .filter((entry) => entry.type === 'error')
      .map((entry) => firstLine(entry.text, 200));
    const dialogs = after(this.#dialogs, mark);
    return {
      ...(errors.length > 0 ? { consoleErrors: fold(errors) } : {}),
      ...(dialogs.length > 0 ? { dialogs: dialogs.map((entry) => ({ ...entry })) } : {}),
    };
  }

  /** The last document the main frame went to since `mark`, if it did. */
  navigatedSince(mark: number): { url: string; status: number | null } | null {
    return after(this.#documents, mark).at(-1) ?? null;
  }

  async #onDialog(dialog: Dialog): Promise<void> {
    const armed = this.#armed;
    this.#armed = null;
    const policy = armed ? (armed.accept ? 'accept' : 'dismiss') : this.#options.dialogPolicy();
    const entry: DialogEntry = {
      type: dialog.type() as DialogEntry['type'],
      message: dialog.message(),
      state: policy === 'manual' ? 'open' : policy === 'accept' ? 'accepted' : 'dismissed',
    };
    this.#note(this.#dialogs, entry);
    if (policy === 'manual') {
      this.#openDialog = { dialog, entry };
      this.#interrupt({ kind: 'dialog', entry });
      return;
    }
    // The page may close while its dialog is answered; then there is nothing left to answer.
    await (policy === 'accept' ? dialog.accept(armed?.text) : dialog.dismiss()).catch(() => {});
  }

  #note<T>(ring: Ring<Stamped<T>>, value: T): void {
    ring.push({ sequence: ++this.#sequence, value });
  }

  #interrupt(interruption: Interruption): void {
    for (const listener of this.#listeners) listener(interruption);
  }
}

function after<T>(ring: Ring<Stamped<T>>, mark: number): T[] {
  return ring
    .toArray()
    .filter((entry) => entry.sequence > mark)
    .map((entry) => entry.value);
}

/** The first five distinct lines; the rest is a count. */
function fold(lines: readonly string[]): string[] {
  const distinct = [...new Set(lines)];
  const shown = distinct.slice(0, 5);
  return lines.length > shown.length ? [...shown, `… ${lines.length} errors in all`] : shown;
}
