import { within } from '../kernel/deadline.ts';
import { isOrielError, OrielError } from '../kernel/errors.ts';
import type { Acted, ActTarget, Delivery, ElementCandidate } from '../model/act-target.ts';
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
    throw signal.aborted ? await reasonOf(signal, working, what) : translateError(thrown, what);
  }
}

/** Why the work did not get done: what Playwright was waiting for, where it can tell. */
async function reasonOf(
  signal: AbortSignal,
  working: Promise<unknown>,
  what: string,
): Promise<unknown> {
  if (!isOrielError(signal.reason, 'timeout')) return signal.reason;
  return within(AbortSignal.timeout(LAST_WORDS_MS), working).then(
    () => signal.reason as unknown,
    (thrown: unknown) => explainDelay(thrown, what) ?? (signal.reason as unknown),
  );
}

/**
 * Runs one verb on an element and asks the guard in the page what became of it: Playwright's
 * success alone proves nothing.
 *
 * @returns What the verb returns, and what was acted on.
 * @throws `changed_ref`, `stale_ref`, `ambiguous_ref` when it is not what was meant any more;
 * `not_actionable` when the event landed elsewhere.
 */
export async function doingOn<T>(
  what: string,
  target: ActTarget,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly acted: Acted }> {
  signal.throwIfAborted();
  let result: T;
  const working = work();
  try {
    result = await within(signal, working);
  } catch (thrown) {
    if (signal.aborted) throw await reasonOf(signal, working, what);
    // The guard may have stopped the events: that is the reason then, not what Playwright says.
    await target.verdict(signal);
    throw translateError(target.translate(thrown), what);
  }
  const delivery = await target.verdict(signal);
  if (delivery.state === 'missed') throw missed(what, delivery);
  return { result, acted: actedOf(target, delivery) };
}

function actedOf(target: ActTarget, delivery: Delivery): Acted {
  return {
    description: delivery.target ? candidateText(delivery.target) : target.text,
    ref: delivery.target?.ref ?? target.ref ?? null,
    healed: delivery.healed,
  };
}

function missed(what: string, { hit }: Delivery): OrielError {
  return new OrielError(
    'not_actionable',
    `The ${what} landed on another element than the target.`,
    {
      hint: hit ? `It landed on ${hit.ref}; deal with that first.` : 'Take a browser_snapshot.',
      ...(hit ? { pageText: `landed on ${candidateText(hit)}` } : {}),
    },
  );
}

/** `button "Save" [ref=e12] in row "Ada"`. */
export function candidateText({ role, name, ref, near }: ElementCandidate): string {
  return `${role} ${JSON.stringify(name)} [ref=${ref}]${near ? ` near ${JSON.stringify(near)}` : ''}`;
}
