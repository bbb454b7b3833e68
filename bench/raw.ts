import { chromium } from 'playwright-core';

/** A page of Playwright alone, without a server between: what a click costs at the least. */
export interface RawPage extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Time of a click in milliseconds. */
  click(selector: string): Promise<number>;
}

export async function openRawPage(executablePath: string): Promise<RawPage> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
    ],
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    async click(selector) {
      const startedAt = performance.now();
      await page.click(selector);
      return performance.now() - startedAt;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
