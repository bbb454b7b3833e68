import type { Page } from 'playwright-core';
import { doing } from './doing.ts';

/** Presses a key or chord where the focus is. @throws `bad_input` for a key that does not exist. */
export async function press(
  page: Page,
  key: string,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  await doing('key press', signal, () => page.keyboard.press(key, { delay: delayMs }));
}
