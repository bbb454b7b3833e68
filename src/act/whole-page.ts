import type { CDPSession, Page } from 'playwright-core';
import { sleep, within } from '../kernel/deadline.ts';
import { applyMetrics, metricsOf } from './metrics.ts';

/** A taller page is captured to here: Chromium needs memory for all of it at once. */
export const MAX_PAGE_SIDE = 40_000;
/** How long content that loads when it comes into view is waited for. */
const LAZY_MS = 2_000;
const RESTORE_MS = 5_000;

/**
 * Runs `capture` while the viewport is as large as the content, so that what loads only in view
 * is there (C-024). The viewport, the emulated device and the scroll position are put back also
 * when the capture fails or the signal aborts (C-025, C-026).
 */
export async function withWholePage<T>(
  page: Page,
  cdp: CDPSession,
  signal: AbortSignal,
  capture: (size: { width: number; height: number }) => Promise<T>,
): Promise<T> {
  const before = metricsOf(page);
  const content = await within(signal, contentSize(cdp));
  const fits = before && content.width <= before.width && content.height <= before.height;
  if (fits) return capture(content);
  const scroll = await within(signal, page.evaluate(readScroll));
  try {
    await within(signal, widen(page, cdp, content));
    await waitForLazy(page, signal);
    // What has loaded may have made the page longer; once, for some pages never end.
    const grown = await within(signal, contentSize(cdp));
    if (grown.width > content.width || grown.height > content.height) {
      await within(signal, widen(page, cdp, grown));
      await waitForLazy(page, signal);
    }
    return await capture(grown);
  } finally {
    const restored = before
      ? applyMetrics(page, cdp, before)
      : cdp.send('Emulation.clearDeviceMetricsOverride').then(() => {});
    const back = restored.then(() => page.evaluate(scrollBack, scroll));
    // A page that hangs must not hold the answer; what was sent still arrives.
    await within(AbortSignal.timeout(RESTORE_MS), back).catch(() => {});
  }
}

async function widen(
  page: Page,
  cdp: CDPSession,
  content: { width: number; height: number },
): Promise<void> {
  const now = metricsOf(page);
  if (now) {
    await applyMetrics(page, cdp, {
      ...now,
      width: Math.max(now.width, content.width),
      height: Math.max(now.height, content.height),
    });
  } else {
    await cdp.send('Emulation.setDeviceMetricsOverride', {
      ...content,
      deviceScaleFactor: 0,
      mobile: false,
    });
  }
}

async function contentSize(cdp: CDPSession): Promise<{ width: number; height: number }> {
  const { cssContentSize } = await cdp.send('Page.getLayoutMetrics');
  return {
    width: Math.min(MAX_PAGE_SIDE, Math.ceil(cssContentSize.width)),
    height: Math.min(MAX_PAGE_SIDE, Math.ceil(cssContentSize.height)),
  };
}

/** Waits until no picture is missing for two looks in a row. */
async function waitForLazy(page: Page, signal: AbortSignal): Promise<void> {
  const until = Date.now() + LAZY_MS;
  for (let quiet = 0; quiet < 2 && Date.now() < until;) {
    const missing = await within(signal, page.evaluate(countMissing));
    quiet = missing === 0 ? quiet + 1 : 0;
    if (quiet < 2) await sleep(30, signal);
  }
}

interface View {
  readonly scrollX: number;
  readonly scrollY: number;
  scrollTo(options: { left: number; top: number; behavior: string }): void;
  requestAnimationFrame(callback: () => void): void;
  readonly document: { readonly images: Iterable<{ readonly complete: boolean }> };
}

/** Runs in the page: pictures that are not there yet, after two frames have been shown. */
function countMissing(): Promise<number> {
  const view = globalThis as unknown as View;
  return new Promise((resolve) => {
    view.requestAnimationFrame(() =>
      view.requestAnimationFrame(() => {
        resolve(Array.from(view.document.images).filter((image) => !image.complete).length);
      }),
    );
  });
}

/** Runs in the page. */
function readScroll(): { left: number; top: number } {
  const view = globalThis as unknown as View;
  return { left: view.scrollX, top: view.scrollY };
}

/** Runs in the page. */
function scrollBack(to: { left: number; top: number }): void {
  (globalThis as unknown as View).scrollTo({ ...to, behavior: 'instant' });
}
