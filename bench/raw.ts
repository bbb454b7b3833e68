import { chromium, selectors } from 'playwright-core';
import { Lens } from '../src/lens/lens.ts';

/** A page of Playwright alone, without a server between: what a click costs at the least. */
export interface RawPage extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** Time of a click in milliseconds. */
  click(selector: string): Promise<number>;
  /** Times in the page of `repeats` default snapshots by the lens, in milliseconds. */
  inPageMs(url: string, repeats: number): Promise<number[]>;
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
  // Opened before the lens is registered, so nothing of ours is in it.
  const page = await browser.newPage();
  const lens = await Lens.register(selectors);
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    async click(selector) {
      const startedAt = performance.now();
      await page.click(selector);
      return performance.now() - startedAt;
    },
    async inPageMs(url, repeats) {
      const context = await browser.newContext();
      try {
        const seen = await context.newPage();
        await seen.goto(url);
        const times: number[] = [];
        for (let repeat = 0; repeat <= repeats; repeat += 1) {
          times.push((await lens.snapshot(seen)).stats.pageMs);
        }
        // The first one also learns the listeners of the page.
        return times.slice(1);
      } finally {
        await context.close();
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
