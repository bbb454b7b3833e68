import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';

/** How long a window may take to open. */
const OPEN_MS = 30_000;

/**
 * Opens the pages of a context each in a window of its own: Chromium puts a second page of a
 * context into the window of the first, unless its target is made with `newWindow`.
 */
export function ownWindows(context: BrowserContext): () => Promise<Page> {
  /** The id by which Chromium knows the context; its first page tells it. */
  let contextId: Promise<string | undefined> | undefined;
  return async () => {
    const known = await contextId;
    if (known === undefined) {
      const opening = context.newPage();
      contextId = opening.then((page) => idOf(context, page)).catch(() => undefined);
      return opening;
    }
    return openWindow(context, known);
  };
}

async function idOf(context: BrowserContext, page: Page): Promise<string | undefined> {
  const cdp = await context.newCDPSession(page);
  const { targetInfo } = await cdp.send('Target.getTargetInfo');
  await cdp.detach();
  return targetInfo.browserContextId;
}

async function openWindow(context: BrowserContext, browserContextId: string): Promise<Page> {
  const browser = context.browser();
  if (!browser) return context.newPage();
  // Known by its address until it is navigated: the event tells no target.
  const url = `about:blank#${randomUUID()}`;
  const cdp = await browser.newBrowserCDPSession();
  try {
    const [page] = await Promise.all([
      context.waitForEvent('page', { predicate: (one) => one.url() === url, timeout: OPEN_MS }),
      cdp.send('Target.createTarget', { url, browserContextId, newWindow: true }),
    ]);
    return page;
  } finally {
    await cdp.detach().catch(() => {});
  }
}
