import { within } from '../kernel/deadline.ts';
import { isOrielError, OrielError } from '../kernel/errors.ts';
import type { Journal, Interruption } from '../observe/journal.ts';

/**
 * Waits for `work`, or until the page can no longer carry it: a dialog that waits for an answer,
 * a crash, the page's end. The work goes on by itself after a dialog.
 *
 * @throws `dialog_open`, `gone`, or what the work throws.
 */
export async function untilInterrupted<T>(
  journal: Journal,
  work: Promise<T>,
  onDialog: () => void,
): Promise<T> {
  work.catch(() => {});
  return new Promise<T>((resolve, reject) => {
    // oxlint-disable-next-line oriel/use-disposables -- it ends with the work, below
    const watch = journal.onInterruption((interruption) => {
      if (interruption.kind === 'close') return;
      if (interruption.kind === 'dialog') onDialog();
      reject(describe(interruption));
    });
    work.then(resolve, reject).finally(() => watch[Symbol.dispose]());
  });
}

function describe(interruption: Interruption): OrielError {
  if (interruption.kind !== 'dialog') {
    return new OrielError('gone', 'The page crashed during the call.', {
      hint: 'Open it again with browser_navigate.',
    });
  }
  return dialogOpen(interruption.entry);
}

/** What every call meets while a dialog waits for its answer. */
export function dialogOpen(entry: { type: string; message: string }): OrielError {
  return new OrielError(
    'dialog_open',
    `The page waits for an answer to its ${entry.type} dialog.`,
    {
      hint: 'Answer it with browser_dialog {"action": "accept"} or {"action": "dismiss"}.',
      pageText: `${entry.type}: ${entry.message}`,
    },
  );
}

const LAST_WORDS_MS = 150;

/** Work that ran out of time ends by itself, and may say what it was waiting for. */
export async function lastWords(
  work: Promise<unknown>,
  signal: AbortSignal,
): Promise<OrielError | null> {
  if (!isOrielError(signal.reason, 'timeout')) return null;
  return within(AbortSignal.timeout(LAST_WORDS_MS), work).then(
    () => null,
    (thrown: unknown) => (isOrielError(thrown) && thrown !== signal.reason ? thrown : null),
  );
}
