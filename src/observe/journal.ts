import type { Dialog, Page } from 'playwright-core';
import { firstLine } from '../kernel/errors.ts';
import type { Effect } from '../model/effect.ts';
import type { DialogPolicy } from '../model/session.ts';
import { ConsoleLog } from './console-log.ts';
import { NetworkLog } from './network-log.ts';
import { Sequence, Track } from './track.ts';

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

/** What one page has said since it was born, bounded, oldest dropped first. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #sequence = new Sequence();
  /** What the page wrote, threw and asked; {@link Journals} fills it. */
  readonly console = new ConsoleLog(this.#sequence);
  /** What the page asked the network for; {@link Journals} fills it. */
  readonly network = new NetworkLog(this.#sequence);
  readonly #dialogs = new Track<DialogEntry>(this.#sequence);
  readonly #documents = new Track<{ url: string; status: number | null }>(this.#sequence);
  readonly #popups = new Track<Page>(this.#sequence);
  readonly #listeners = new Set<(interruption: Interruption) => void>();
  #openDialog: { dialog: Dialog; entry: DialogEntry } | null = null;
  #armed: { accept: boolean; text: string | undefined } | null = null;
  #lastStatus: { url: string; status: number } | null = null;

  constructor(page: Page, options: JournalOptions) {
    this.#options = options;
    page.on('dialog', (dialog) => void this.#onDialog(dialog));
    page.on('popup', (popup) => this.#popups.note(popup));
    page.on('response', (response) => {
      const request = response.request();
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        this.#lastStatus = { url: response.url(), status: response.status() };
      }
    });
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame()) return;
      const status = this.#lastStatus?.url === frame.url() ? this.#lastStatus.status : null;
      this.#documents.note({ url: frame.url(), status });
    });
    page.on('crash', () => this.#interrupt({ kind: 'crash' }));
    page.on('close', () => this.#interrupt({ kind: 'close' }));
  }

  /** The place in the journal now; what comes after it is read with {@link since}. */
  get mark(): number {
    return this.#sequence.last;
  }

  get openDialog(): DialogEntry | null {
    return this.#openDialog?.entry ?? null;
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
    return this.#popups.since(mark);
  }

  /** The part of an effect that this page's own events since `mark` tell. */
  since(mark: number): Pick<Effect, 'consoleErrors' | 'dialogs'> {
    const errors = this.console
      .since(mark)
      .filter((entry) => entry.type === 'error')
      .map((entry) => firstLine(entry.text, 200));
    const dialogs = this.#dialogs.since(mark);
    return {
      ...(errors.length > 0 ? { consoleErrors: fold(errors) } : {}),
      ...(dialogs.length > 0 ? { dialogs: dialogs.map((entry) => ({ ...entry })) } : {}),
    };
  }

  /** The last document the main frame went to since `mark`, if it did. */
  navigatedSince(mark: number): { url: string; status: number | null } | null {
    return this.#documents.since(mark).at(-1) ?? null;
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
    this.#dialogs.note(entry);
    this.console.noteDialog(entry.type, entry.message);
    if (policy === 'manual') {
      this.#openDialog = { dialog, entry };
      this.#interrupt({ kind: 'dialog', entry });
      return;
    }
    // The page may close while its dialog is answered; then there is nothing left to answer.
    await (policy === 'accept' ? dialog.accept(armed?.text) : dialog.dismiss()).catch(() => {});
  }

  #interrupt(interruption: Interruption): void {
    for (const listener of this.#listeners) listener(interruption);
  }
}

/** The first five distinct lines; the rest is a count. */
function fold(lines: readonly string[]): string[] {
  const distinct = [...new Set(lines)];
  const shown = distinct.slice(0, 5);
  return lines.length > shown.length ? [...shown, `… ${lines.length} errors in all`] : shown;
}
