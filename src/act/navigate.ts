import type { Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { doing } from './doing.ts';

/** How long a download may take to be told once the navigation has become one. */
const BEGIN_MS = 1_000;

export interface NavigateOptions {
  readonly waitUntil: 'commit' | 'domcontentloaded' | 'load';
}

/** @returns HTTP status of the document, or null when there was none. */
export async function navigate(
  page: Page,
  url: string,
  options: NavigateOptions,
  signal: AbortSignal,
): Promise<number | null> {
  return doing('navigation', signal, async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    page.once('download', begin);
    try {
      const response = await page.goto(url, { waitUntil: options.waitUntil, timeout: 0, signal });
      return response?.status() ?? null;
    } catch (thrown) {
      const text = thrown instanceof Error ? thrown.message : '';
      // Playwright says so a moment before it tells of the download itself.
      if (/Download is starting/.test(text)) {
        await within(AbortSignal.timeout(BEGIN_MS), begun).catch(() => {});
      }
      throw thrown;
    } finally {
      page.off('download', begin);
    }
  });
}

export interface HistoryResult {
  /** Whether there was a page to go to. */
  readonly moved: boolean;
  readonly status: number | null;
}

/** Goes back or forward in the page's history, or loads it again. */
export async function travel(
  page: Page,
  direction: 'back' | 'forward' | 'reload',
  options: NavigateOptions,
  signal: AbortSignal,
): Promise<HistoryResult> {
  const settings = { waitUntil: options.waitUntil, timeout: 0, signal };
  return doing(direction, signal, async () => {
    const before = page.url();
    const response =
      direction === 'back'
        ? await page.goBack(settings)
        : direction === 'forward'
          ? await page.goForward(settings)
          : await page.reload(settings);
    const moved = direction === 'reload' || response !== null || page.url() !== before;
    return { moved, status: response?.status() ?? null };
  });
}
