import { within } from '../kernel/deadline.ts';
import { isOrielError } from '../kernel/errors.ts';
import { explainDelay, translateError } from './translate.ts';

/** Playwright tells within a few milliseconds of an abort what it was waiting for. */
const LAST_WORDS_MS = 250;

/**
 * Runs one verb under the signal, whatever the page does, and translates what it throws.
 *
 * @param what - What is done, for messages: `click`.
 */
export async function doing<T>(
  what: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const working = work();
  try {
    return await within(signal, working);
  } catch (thrown) {
    if (!signal.aborted) throw translateError(thrown, what);
    const reason: unknown = signal.reason;
    throw (isOrielError(reason, 'timeout') && (await lastWords(working, what))) || reason;
  }
}

/** Why the work did not get done in time, where Playwright can tell. */
async function lastWords(working: Promise<unknown>, what: string): Promise<Error | null> {
  try {
    await within(AbortSignal.timeout(LAST_WORDS_MS), working);
    return null;
  } catch (thrown) {
    return explainDelay(thrown, what);
  }
}
