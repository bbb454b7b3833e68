import { within } from '../kernel/deadline.ts';
import { translateError } from './translate.ts';

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
  try {
    return await within(signal, work());
  } catch (thrown) {
    throw translateError(signal.aborted ? signal.reason : thrown, what);
  }
}
