import type { Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import { doing } from './doing.ts';

/** Presses a key or chord where the focus is. @throws `bad_input` for a key that does not exist. */
export async function press(
  page: Page,
  key: string,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  await doing('key press', signal, async () => {
    try {
      await page.keyboard.press(key, { delay: delayMs });
    } catch (cause) {
      if (!(cause instanceof Error) || !/Unknown key/.test(cause.message)) throw cause;
      throw new OrielError('bad_input', `There is no key ${JSON.stringify(key)}.`, {
        hint: 'Use Playwright names: Enter, Tab, Escape, ArrowDown, Control+a, a.',
        cause,
      });
    }
  });
}
