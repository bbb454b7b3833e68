import type { Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import type { Sight } from './sight.ts';
import type { Traffic } from './traffic.ts';

/** Why waiting ended. */
export interface Settled {
  /**
   * `idle`: the action started nothing; `quiet`: what it started is over; `navigated`: another
   * document stands; `budget`: it still goes on.
   */
  readonly reason: 'idle' | 'quiet' | 'navigated' | 'budget';
  readonly ms: number;
}

/** No change for this long is quiet, once something has stirred. */
const QUIET_MS = 80;
/** How long a response may take to turn into changes of the page. */
const POLL_MS = 25;

/**
 * Waits for the effects of the action that {@link Traffic.mark} began: at most two animation
 * frames when there are none, else until the page is quiet, at most `budgetMs`. Polls, tickers and
 * animations that were there before do not count.
 */
export async function settle(
  page: Page,
  sight: Sight,
  traffic: Traffic,
  budgetMs: number,
  signal: AbortSignal,
): Promise<Settled> {
  const startedAt = performance.now();
  const passed = () => performance.now() - startedAt;
  const left = () => budgetMs - passed();
  const done = (reason: Settled['reason']): Settled => {
    traffic.release();
    return { reason, ms: Math.round(passed() * 10) / 10 };
  };
  let isBusy = false;
  let drawn = 0;
  while (left() > 0) {
    signal.throwIfAborted();
    if (traffic.hasNavigated || traffic.isNavigating) {
      return done(await landed(page, traffic, left, signal));
    }
    if (traffic.busy > 0) {
      isBusy = true;
      await within(signal, traffic.change(Math.max(1, Math.min(left(), 100))));
      continue;
    }
    const seen = await within(signal, sight.quiet(QUIET_MS, Math.max(1, left()), isBusy));
    if (traffic.hasNavigated || traffic.isNavigating || traffic.busy > 0) continue;
    if (seen === undefined) {
      // The document is going away, or no debugger: give it a moment, a few times.
      if (++drawn > 4) return done(isBusy ? 'quiet' : 'idle');
      await within(signal, traffic.change(POLL_MS));
      continue;
    }
    return done(seen);
  }
  return done(traffic.hasNavigated ? 'navigated' : 'budget');
}

/** Waits until the new document can be read. */
async function landed(
  page: Page,
  traffic: Traffic,
  left: () => number,
  signal: AbortSignal,
): Promise<Settled['reason']> {
  while (!traffic.hasNavigated && traffic.isNavigating && left() > 0) {
    await within(signal, traffic.change(Math.max(1, Math.min(left(), 200))));
  }
  if (!traffic.hasNavigated) return left() > 0 ? 'quiet' : 'budget';
  if (left() > 0) {
    await within(
      signal,
      page.waitForLoadState('domcontentloaded', { timeout: Math.max(1, left()) }).catch(() => {}),
    );
  }
  return 'navigated';
}
