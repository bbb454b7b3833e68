import type { Page } from 'playwright-core';
import { doing } from './doing.ts';

/** Size of the viewport in CSS pixels. */
export async function viewport(
  page: Page,
  signal: AbortSignal,
): Promise<{ readonly width: number; readonly height: number }> {
  const known = page.viewportSize();
  return known ?? doing('click', signal, () => page.evaluate(readViewport));
}

/** Runs in the page. */
function readViewport(): { width: number; height: number } {
  const view = globalThis as unknown as { innerWidth: number; innerHeight: number };
  return { width: view.innerWidth, height: view.innerHeight };
}

export async function bringToFront(page: Page, signal: AbortSignal): Promise<void> {
  await doing('switch', signal, () => page.bringToFront());
}

/** Closes a page and waits until it is gone; a page that is gone already is no error. */
export async function close(page: Page, signal: AbortSignal): Promise<void> {
  if (page.isClosed()) return;
  await doing('close', signal, () => page.close());
}
