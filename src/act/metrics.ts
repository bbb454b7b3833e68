import type { CDPSession, Page } from 'playwright-core';

/** The screen that a page sees, in CSS pixels. */
export interface Metrics {
  readonly width: number;
  readonly height: number;
  /** Physical pixels per CSS pixel; 1 unless a device is emulated. */
  readonly deviceScaleFactor: number;
  readonly isMobile: boolean;
}

const DEVICES = new WeakMap<Page, Pick<Metrics, 'deviceScaleFactor' | 'isMobile'>>();
const PLAIN = { deviceScaleFactor: 1, isMobile: false } as const;

/** What the page's screen is made to be now; null where the window decides. */
export function metricsOf(page: Page): Metrics | null {
  const size = page.viewportSize();
  return size && { ...size, ...(DEVICES.get(page) ?? PLAIN) };
}

/**
 * Gives the page another screen. Playwright is told the size, so that it goes on working with the
 * true one; what it can only set when a context is made is laid over it in a session of our own,
 * which Chromium lets win because it spoke last.
 */
export async function applyMetrics(page: Page, cdp: CDPSession, metrics: Metrics): Promise<void> {
  const { width, height, deviceScaleFactor, isMobile } = metrics;
  const isPlain = deviceScaleFactor === 1 && !isMobile;
  if (isPlain && DEVICES.has(page)) {
    // Clearing takes Playwright's override away too, and Playwright sends only what has changed.
    await cdp.send('Emulation.clearDeviceMetricsOverride');
    await page.setViewportSize({ width, height: height + 1 });
  }
  await page.setViewportSize({ width, height });
  if (isPlain) {
    DEVICES.delete(page);
    return;
  }
  DEVICES.set(page, { deviceScaleFactor, isMobile });
  await cdp.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor,
    mobile: isMobile,
    screenWidth: width,
    screenHeight: height,
  });
}
