import type { Locator, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { translateError } from './translate.ts';

export interface ClickOptions {
  readonly button: 'left' | 'right' | 'middle';
  readonly count: number;
  readonly modifiers: ('Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift')[];
  readonly delayMs: number;
}

export interface TypeOptions {
  /** Replace what stands in the field, instead of adding to its end. */
  readonly clear: boolean;
  /** Key by key, for pages that listen to keys. */
  readonly slowly: boolean;
  readonly submit: boolean;
}

export interface Picture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  /** What a model is shown; null when the picture is too large to be shown. */
  readonly inline: { readonly mimeType: string; readonly base64: string } | null;
}

export interface NavigateOptions {
  readonly waitUntil: 'commit' | 'domcontentloaded' | 'load';
}

/**
 * What can be done to a page. Every verb ends with the signal, whatever the page does, and
 * throws an OrielError.
 */
export class Act {
  /** @returns HTTP status of the document, or null when there was none. */
  async navigate(
    page: Page,
    url: string,
    options: NavigateOptions,
    signal: AbortSignal,
  ): Promise<number | null> {
    return doing('navigation', signal, async () => {
      const response = await page.goto(url, { waitUntil: options.waitUntil, timeout: 0 });
      return response?.status() ?? null;
    });
  }

  /** @returns Whether there was a page to go to. */
  async history(
    page: Page,
    direction: 'back' | 'forward' | 'reload',
    options: NavigateOptions,
    signal: AbortSignal,
  ): Promise<{ moved: boolean; status: number | null }> {
    const settings = { waitUntil: options.waitUntil, timeout: 0 };
    return doing(direction, signal, async () => {
      const before = page.url();
      const response =
        direction === 'back'
          ? await page.goBack(settings)
          : direction === 'forward'
            ? await page.goForward(settings)
            : await page.reload(settings);
      const moved = direction === 'reload' || response !== null || page.url() !== before;
      return { moved, status: response?.status() ?? null };
    });
  }

  async click(locator: Locator, options: ClickOptions, signal: AbortSignal): Promise<void> {
    await doing('click', signal, () =>
      locator.click({
        button: options.button,
        clickCount: options.count,
        modifiers: options.modifiers,
        delay: options.delayMs,
        timeout: 0,
        signal,
      }),
    );
  }

  /** Captures the viewport, the whole page or one element, as PNG. */
  async screenshot(
    page: Page,
    options: { readonly target: Locator | null; readonly fullPage: boolean },
    signal: AbortSignal,
  ): Promise<Picture> {
    const png = await doing('screenshot', signal, () =>
      options.target
        ? options.target.screenshot({ timeout: 0, signal })
        : page.screenshot({ fullPage: options.fullPage, timeout: 0, signal }),
    );
    return { png, ...sizeOfPng(png), inline: inlineOf(png) };
  }

  async bringToFront(page: Page, signal: AbortSignal): Promise<void> {
    await doing('switch', signal, () => page.bringToFront());
  }

  /** Closes a page and waits until it is gone; a page that is gone already is no error. */
  async close(page: Page, signal: AbortSignal): Promise<void> {
    if (page.isClosed()) return;
    await doing('close', signal, () => page.close());
  }

  /** @returns The field's value as it stands after typing; null where it is not to be shown. */
  async type(
    locator: Locator,
    text: string,
    options: TypeOptions,
    signal: AbortSignal,
  ): Promise<string | null> {
    return doing('typing', signal, async () => {
      if (options.slowly) {
        if (options.clear) await locator.fill('', { timeout: 0, signal });
        await locator.pressSequentially(text, { timeout: 0, signal });
      } else if (options.clear) {
        await locator.fill(text, { timeout: 0, signal });
      } else {
        await locator.press('End', { timeout: 0, signal });
        await locator.pressSequentially(text, { timeout: 0, signal });
      }
      const value = await valueOf(locator, signal);
      if (options.submit) await locator.press('Enter', { timeout: 0, signal });
      return value;
    });
  }
}

/** Runs a verb under the signal and translates what it throws. */
async function doing<T>(what: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await within(signal, work());
  } catch (thrown) {
    throw translateError(signal.aborted ? signal.reason : thrown, what);
  }
}

async function valueOf(locator: Locator, signal: AbortSignal): Promise<string | null> {
  const isPassword = await locator.evaluate(
    (element) => (element as unknown as { type?: string }).type === 'password',
    undefined,
    { signal } as object,
  );
  if (isPassword) return null;
  return locator.inputValue({ signal } as object).catch(() => locator.innerText());
}

/** A larger picture would poison a conversation: models refuse it on every later turn. */
const MAX_INLINE_BYTES = 5 * 1024 * 1024;
const MAX_INLINE_SIDE = 2_000;

function inlineOf(png: Buffer): Picture['inline'] {
  const { width, height } = sizeOfPng(png);
  const fits =
    Math.max(width, height) <= MAX_INLINE_SIDE && png.byteLength * (4 / 3) <= MAX_INLINE_BYTES;
  return fits ? { mimeType: 'image/png', base64: png.toString('base64') } : null;
}

/** Width and height stand in the header chunk (PNG, section 11.2.1). */
function sizeOfPng(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
