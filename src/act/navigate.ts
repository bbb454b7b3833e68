import type { Page } from 'playwright-core';
import { doing } from './doing.ts';

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
    const response = await page.goto(url, { waitUntil: options.waitUntil, timeout: 0, signal });
    return response?.status() ?? null;
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
