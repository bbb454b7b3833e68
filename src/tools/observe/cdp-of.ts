import type { CDPSession } from 'playwright-core';
import { OrielError } from '../../kernel/errors.ts';

/**
 * The page's own line to the browser.
 *
 * @throws `gone` when the page closed before it could be opened.
 */
export async function cdpOf(page: {
  readonly cdp: Promise<CDPSession | null>;
}): Promise<CDPSession> {
  const cdp = await page.cdp;
  if (cdp) return cdp;
  throw new OrielError('gone', 'The page is closed.', {
    hint: 'List what is open with browser_tabs {"action": "list"}, or navigate again.',
  });
}
