import type { CDPSession } from 'playwright-core';
import type { Engine } from '../model/engine.ts';
import type { OpenPage } from './open-page.ts';
import type { Session } from './session.ts';

/** How long a renderer may take to answer before it counts as stuck. */
const ANSWER_MS = 400;
const REPLACE_MS = 5_000;
/** How long the browser itself may take; longer, for its end is the end of every session. */
const BROWSER_MS = 2_000;

/** What became of a page after a call on it had to be given up. */
export type Recovery = 'answers' | 'script_ended' | 'replaced' | 'gone' | 'browser_ended';

/** Brings back what stopped answering: a page, or the browser. */
export class Recoveries {
  readonly #engine: Engine;
  #pulse: Promise<boolean> | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Brings a page back after a call on it ran out of time: nothing when its renderer answers, else
   * its running script is ended (seen: 2 to 4 ms), else the page is closed and another opened under
   * the same id. A browser that does not answer either is ended. Never throws.
   */
  async recover(session: Session, page: OpenPage): Promise<Recovery> {
    if (page.raw.isClosed()) return 'gone';
    const browserAnswers = this.checkBrowser();
    const cdp = await settled(page.cdp, ANSWER_MS);
    if (cdp) {
      if (await answers(cdp)) return 'answers';
      page.isUnresponsive = true;
      await settled(cdp.send('Runtime.terminateExecution'), ANSWER_MS);
      if (await answers(cdp)) {
        page.isUnresponsive = false;
        return 'script_ended';
      }
    }
    page.isUnresponsive = true;
    if (!(await browserAnswers)) return 'browser_ended';
    const isReplaced = await settled(session.replace(page), REPLACE_MS);
    return isReplaced ? 'replaced' : 'gone';
  }

  /**
   * Whether the running browser answers; one that does not is ended with its generation, without
   * waiting for its close. True when none runs. Never throws, and starts none.
   */
  checkBrowser(): Promise<boolean> {
    return (this.#pulse ??= this.#check().finally(() => (this.#pulse = null)));
  }

  async #check(): Promise<boolean> {
    const { running } = this.#engine;
    if (!running) return true;
    if (await settled(this.#askVersion(), BROWSER_MS)) return true;
    this.#engine.abandon(running.generation, 'it stopped answering');
    return false;
  }

  async #askVersion(): Promise<boolean> {
    await using lease = await this.#engine.open({}, AbortSignal.timeout(BROWSER_MS));
    const cdp = await lease.browser.newBrowserCDPSession();
    await cdp.send('Browser.getVersion');
    void cdp.detach().catch(() => {});
    return true;
  }
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
