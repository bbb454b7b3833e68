import type { Page } from 'playwright-core';
import type { ActTarget } from '../model/act-target.ts';
import { doing, doingOn } from './doing.ts';

export interface Picture {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
  /** What a model is shown; null when the picture is too large to be shown. */
  readonly inline: { readonly mimeType: string; readonly base64: string } | null;
}

/** Captures the viewport, the whole page or one element, as PNG. */
export async function screenshot(
  page: Page,
  options: { readonly target: ActTarget | null; readonly fullPage: boolean },
  signal: AbortSignal,
): Promise<Picture> {
  const { target, fullPage } = options;
  const png = target
    ? (
        await doingOn('screenshot', target, signal, () =>
          target.locator.screenshot({ timeout: 0, signal }),
        )
      ).result
    : await doing('screenshot', signal, () => page.screenshot({ fullPage, timeout: 0, signal }));
  return { png, ...sizeOfPng(png), inline: inlineOf(png) };
}

/** Size of the viewport in CSS pixels. */
export async function viewport(
  page: Page,
  signal: AbortSignal,
): Promise<{ readonly width: number; readonly height: number }> {
  const known = page.viewportSize();
  return known ?? doing('click', signal, () => page.evaluate(readViewport));
}

/** Runs in the page. */
function readViewport(): { width: number; height: number } {
  const view = globalThis as unknown as { innerWidth: number; innerHeight: number };
  return { width: view.innerWidth, height: view.innerHeight };
}

export async function bringToFront(page: Page, signal: AbortSignal): Promise<void> {
  await doing('switch', signal, () => page.bringToFront());
}

/** Closes a page and waits until it is gone; a page that is gone already is no error. */
export async function close(page: Page, signal: AbortSignal): Promise<void> {
  if (page.isClosed()) return;
  await doing('close', signal, () => page.close());
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
