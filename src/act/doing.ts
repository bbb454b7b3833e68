import { within } from '../kernel/deadline.ts';
import { isOrielError, OrielError } from '../kernel/errors.ts';
import type { Acted, ActTarget, Delivery, ElementCandidate } from '../model/act-target.ts';
import { explainDelay, translateError } from './translate.ts';

/** Playwright tells within a few milliseconds of an abort what it was waiting for. */
const LAST_WORDS_MS = 100;

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
    throw await givenUp(working, what, signal.reason);
  }
}

async function givenUp(working: Promise<unknown>, what: string, reason: unknown): Promise<unknown> {
  return (isOrielError(reason, 'timeout') && (await lastWords(working, what))) || reason;
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
  const working = work();
  let result: T;
  try {
    result = await within(signal, working);
  } catch (thrown) {
    if (signal.aborted) throw await givenUp(working, what, signal.reason);
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
    ref: delivery.target?.ref ?? target.ref,
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
