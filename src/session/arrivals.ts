import type { Browser, CDPSession } from 'playwright-core';
import { within } from '../kernel/deadline.ts';

/**
 * Pages that are on their way: Chromium tells of a new target before the action that opened it
 * ends, and Playwright of the page some 50 ms later, too late for that action's answer.
 */
export class Arrivals implements AsyncDisposable {
  readonly #cdp: CDPSession;
  readonly #expected = new Set<string>();
  #waiters: (() => void)[] = [];

  private constructor(cdp: CDPSession, isOurs: (targetId: string) => boolean) {
    this.#cdp = cdp;
    cdp.on('Target.targetCreated', ({ targetInfo }) => {
      const { type, openerId, targetId } = targetInfo;
      if (type === 'page' && openerId !== undefined && isOurs(openerId)) {
        this.#expected.add(targetId);
      }
    });
    cdp.on('Target.targetDestroyed', ({ targetId }) => this.arrived(targetId));
  }

  /**
   * @param isOurs - Whether a target is a page of the session that asks.
   * @throws what Playwright throws when the browser has gone.
   */
  static async watch(browser: Browser, isOurs: (targetId: string) => boolean): Promise<Arrivals> {
    const cdp = await browser.newBrowserCDPSession();
    const arrivals = new Arrivals(cdp, isOurs);
    await cdp.send('Target.setDiscoverTargets', { discover: true });
    return arrivals;
  }

  /** Told of each page that is there now, or will never be. */
  arrived(targetId: string): void {
    this.#expected.delete(targetId);
    if (this.#expected.size > 0) return;
    for (const wake of this.#waiters.splice(0)) wake();
  }

  /** Resolves when all that were expected are there, or after `limitMs`. */
  async settled(limitMs: number): Promise<void> {
    if (this.#expected.size === 0) return;
    const all = new Promise<void>((resolve) => this.#waiters.push(resolve));
    await within(AbortSignal.timeout(limitMs), all).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#expected.clear();
    for (const wake of this.#waiters.splice(0)) wake();
    await this.#cdp.detach().catch(() => {});
  }
}
