import type { Page } from 'playwright-core';
import { doing } from './doing.ts';

export async function bringToFront(page: Page, signal: AbortSignal): Promise<void> {
  await doing('switch', signal, () => page.bringToFront());
}

/** Closes a page and waits until it is gone; a page that is gone already is no error. */
export async function close(page: Page, signal: AbortSignal): Promise<void> {
  if (page.isClosed()) return;
  await doing('close', signal, () => page.close());
}
