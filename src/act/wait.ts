import type { Page } from 'playwright-core';
import { sleep } from '../kernel/deadline.ts';
import { doing } from './doing.ts';
import { waitForScript } from './script.ts';

export type LoadState = 'domcontentloaded' | 'load';

/** What a wait waits for; all that is given must hold. */
export interface WaitConditions {
  readonly text?: string | undefined;
  readonly textGone?: string | undefined;
  /** A Playwright selector that must be visible. */
  readonly selector?: string | undefined;
  readonly url?: string | RegExp | undefined;
  readonly timeMs?: number | undefined;
  readonly loadState?: LoadState | undefined;
  /** An expression or function that must become truthy. */
  readonly script?: string | undefined;
}

/** @throws `timeout` naming what did not come about. */
export async function waitFor(
  page: Page,
  conditions: WaitConditions,
  signal: AbortSignal,
): Promise<void> {
  const wait = { timeout: 0, signal };
  const { text, textGone, selector, url, timeMs, loadState, script } = conditions;
  if (timeMs !== undefined) await sleep(timeMs, signal);
  await doing('wait', signal, async () => {
    if (url !== undefined) await page.waitForURL(url, { waitUntil: 'commit', timeout: 0 });
    if (loadState !== undefined) await page.waitForLoadState(loadState, { timeout: 0 });
    if (selector !== undefined) {
      await page.locator(selector).filter({ visible: true }).first().waitFor(wait);
    }
    if (text !== undefined) {
      await page.getByText(text).filter({ visible: true }).first().waitFor(wait);
    }
    if (textGone !== undefined) {
      await page
        .getByText(textGone)
        .filter({ visible: true })
        .first()
        .waitFor({ ...wait, state: 'detached' });
    }
    if (script !== undefined) await waitForScript(page, script, signal);
  });
}
