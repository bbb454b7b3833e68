import type { CDPSession } from 'playwright-core';
import type { OpenPage } from './open-page.ts';
import type { Session } from './session.ts';

/** How long a renderer may take to answer before it counts as stuck. */
const ANSWER_MS = 400;
const REPLACE_MS = 5_000;

/** What became of a page after a call on it had to be given up. */
export type Recovery = 'answers' | 'script_ended' | 'replaced' | 'gone';

/**
 * Brings a page back after a call on it ran out of time: nothing when its renderer answers, else
 * its running script is ended (seen: 2 to 4 ms), else the page is closed and another opened under
 * the same id. Never throws.
 */
export async function recover(session: Session, page: OpenPage): Promise<Recovery> {
  if (page.raw.isClosed()) return 'gone';
  const cdp = await settled(page.cdp, ANSWER_MS);
  if (cdp) {
    if (await answers(cdp)) return 'answers';
    await settled(cdp.send('Runtime.terminateExecution'), ANSWER_MS);
    if (await answers(cdp)) return 'script_ended';
  }
  page.isUnresponsive = true;
  const isReplaced = await settled(session.replace(page), REPLACE_MS);
  return isReplaced ? 'replaced' : 'gone';
}

/** Whether script can run in the page now. A page that waits for a dialog's answer counts. */
async function answers(cdp: CDPSession): Promise<boolean> {
  const reply = await settled(
    cdp.send('Runtime.evaluate', { expression: '1', returnByValue: true }),
    ANSWER_MS,
  );
  return reply !== null;
}

/** The result, or null when it fails or takes longer than `limitMs`. */
async function settled<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), limitMs);
    void work
      .catch(() => null)
      .then((result) => {
        clearTimeout(timer);
        resolve(result);
      });
  });
}
