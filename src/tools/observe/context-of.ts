import type { BrowserContext } from 'playwright-core';
import { OrielError } from '../../kernel/errors.ts';

/**
 * The browser context of a session.
 *
 * @throws `not_found` before the session's first page.
 */
export function contextOf(session: {
  readonly context: { readonly context: BrowserContext } | null;
}): BrowserContext {
  if (session.context) return session.context.context;
  throw new OrielError('not_found', 'No page is open in this session.', {
    hint: 'Open one with browser_navigate.',
  });
}
