import type { CDPSession, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { ActTarget } from '../model/act-target.ts';
import type { Box, Label, PictureFormat } from '../model/capture.ts';
import { doing } from './doing.ts';
import { drawBadges } from './draw-badges.ts';
import { sizeOfPicture, type PictureSize } from './picture-size.ts';
import { withWholePage } from './whole-page.ts';

export interface CaptureOptions {
  readonly target: ActTarget | null;
  /** A part of the viewport, or of the whole page where `fullPage` is set. */
  readonly clip: Box | null;
  readonly fullPage: boolean;
  readonly format: PictureFormat;
  /** 1 to 100, for jpeg and webp. */
  readonly quality: number | undefined;
  /** Size of the picture relative to the page's own. */
  readonly scale: number;
  /** Finds what can be labelled, in boxes of the viewport; null for a bare picture. */
  readonly labels: ((signal: AbortSignal) => Promise<readonly Label[]>) | null;
}

export interface InlinePicture extends PictureSize {
  readonly mimeType: string;
  readonly base64: string;
}

export interface Picture extends PictureSize {
  readonly content: Buffer;
  readonly format: PictureFormat;
  /** Pixels of the picture per CSS pixel of the page. */
  readonly ratio: number;
  /** What a model is shown, scaled down where the picture is too large. */
  readonly inline: InlinePicture | null;
  /** The labels that are in the picture, in its pixels. */
  readonly labels: readonly Label[];
}

/** A larger picture would poison a conversation: models refuse it on every later turn (V06). */
export const MAX_INLINE_BYTES = 5 * 1024 * 1024;
export const MAX_INLINE_SIDE = 2_000;
/** Larger surfaces come out empty or repeated from some graphics drivers. */
const MAX_SIDE = 16_384;
const MAX_BYTES = 16 * 1024 * 1024;

/** What is asked of Chromium: a part of the document, and how it is encoded. */
interface Shot {
  readonly area: Box;
  readonly scale: number;
  readonly format: PictureFormat;
  readonly quality: number | undefined;
  readonly isBeyond: boolean;
}

/**
 * Takes a picture of the viewport, the whole page, an element or a part.
 *
 * @throws `bad_input` for an element or a part without size; `over_limit` over 16 MiB.
 */
export async function capture(
  page: Page,
  session: Promise<CDPSession | null>,
  options: CaptureOptions,
  signal: AbortSignal,
): Promise<Picture> {
  return doing('screenshot', signal, async () => {
    const cdp = await within(signal, session);
    if (!cdp) {
      throw new OrielError('gone', 'The page closed before it could be captured.', {
        hint: 'List what is open with browser_tabs {"action": "list"}.',
      });
    }
    return options.fullPage
      ? withWholePage(page, cdp, signal, (size) =>
          captureArea(page, cdp, options, { x: 0, y: 0, ...size }, signal),
        )
      : captureArea(page, cdp, options, null, signal);
  });
}

async function captureArea(
  page: Page,
  cdp: CDPSession,
  options: CaptureOptions,
  whole: Box | null,
  signal: AbortSignal,
): Promise<Picture> {
  const { format, quality, scale, target, clip } = options;
  const bounds = target && (await bringIntoView(target, signal));
  const metrics = await within(signal, cdp.send('Page.getLayoutMetrics'));
  const { pageX, pageY, clientWidth, clientHeight, scale: zoom } = metrics.cssVisualViewport;
  const view: Box = { x: pageX, y: pageY, width: clientWidth, height: clientHeight };
  const area = target
    ? shift(requireSize(bounds, 'element'), view)
    : clip
      ? requireSize(intersect(whole ? clip : shift(clip, view), whole ?? view), 'part')
      : (whole ?? view);
  const density = metrics.contentSize.width / metrics.cssContentSize.width || 1;
  const most = MAX_SIDE / (Math.max(area.width, area.height) * density * zoom);
  const shot: Shot = {
    area,
    scale: Math.min(scale, most) * zoom,
    format,
    quality,
    isBeyond: !contains(view, area),
  };
  const found = options.labels ? await options.labels(signal) : [];
  const seen = found.flatMap((label) => {
    const box = intersect(shift(label.box, view), area);
    return box.width > 2 && box.height > 2 ? [{ ...label, box }] : [];
  });
  const content = await take(page, cdp, shot, seen, signal);
  if (content.byteLength > MAX_BYTES) {
    throw new OrielError(
      'over_limit',
      `The picture has ${content.byteLength} bytes; the most is ${MAX_BYTES}.`,
      { hint: 'Take it as jpeg, with a smaller scale, or of a part.' },
    );
  }
  const size = sizeOfPicture(content, format);
  const inline = await inlineOf(content, size, shot, (smaller) =>
    take(page, cdp, smaller, seen, signal),
  );
  return {
    content,
    format,
    ...size,
    ratio: size.width / area.width,
    inline,
    labels: seen.map((label) => ({ ...label, box: onPicture(label.box, area, size) })),
  };
}

/** The element's box in the viewport, once it is there. */
async function bringIntoView(target: ActTarget, signal: AbortSignal): Promise<Box | null> {
  try {
    await target.locator.scrollIntoViewIfNeeded({ timeout: 0, signal });
    return await target.locator.boundingBox({ timeout: 0, signal });
  } catch (thrown) {
    throw target.translate(thrown);
  }
}

async function take(
  page: Page,
  cdp: CDPSession,
  shot: Shot,
  labels: readonly Label[],
  signal: AbortSignal,
): Promise<Buffer> {
  const isDrawn = labels.length > 0;
  const { area, scale, quality, isBeyond } = shot;
  // What is drawn on is encoded once more: lossless until then.
  const format = isDrawn ? 'png' : shot.format;
  const { data } = await within(
    signal,
    cdp.send('Page.captureScreenshot', {
      format,
      clip: { ...area, scale },
      captureBeyondViewport: isBeyond,
      optimizeForSpeed: isDrawn,
      ...(format === 'png' ? {} : { quality: quality ?? (format === 'webp' ? 100 : 80) }),
    }),
  );
  const content = Buffer.from(data, 'base64');
  const browser = page.context().browser();
  if (!isDrawn || !browser) return content;
  const size = sizeOfPicture(content, format);
  const marks = labels.map(({ ref, box }) => ({ ref, frame: onPicture(box, area, size) }));
  const drawn = drawBadges(
    browser,
    { content, from: format, to: shot.format, quality, ...size },
    marks,
  );
  return within(signal, drawn);
}

/** Captures again, smaller, until it fits; null when nothing does. */
async function inlineOf(
  content: Buffer,
  size: PictureSize,
  shot: Shot,
  again: (shot: Shot) => Promise<Buffer>,
): Promise<InlinePicture | null> {
  let { scale, format } = shot;
  let picture = content;
  let { width, height } = size;
  for (let attempt = 0; attempt < 5; attempt++) {
    const isSmall = Math.max(width, height) <= MAX_INLINE_SIDE;
    const isLight = Math.ceil(picture.byteLength / 3) * 4 <= MAX_INLINE_BYTES;
    if (isSmall && isLight) {
      const base64 = picture.toString('base64');
      return { mimeType: `image/${format}`, base64, width, height };
    }
    // Rounding up by a pixel would miss the bound.
    if (!isSmall) scale *= (MAX_INLINE_SIDE - 1) / Math.max(width, height);
    else if (format === 'png') format = 'jpeg';
    else scale *= 0.7;
    picture = await again({ ...shot, scale, format, quality: format === 'jpeg' ? 80 : 90 });
    ({ width, height } = sizeOfPicture(picture, format));
  }
  return null;
}

function onPicture(box: Box, area: Box, size: PictureSize): Box {
  const ratio = size.width / area.width;
  return {
    x: Math.round((box.x - area.x) * ratio),
    y: Math.round((box.y - area.y) * ratio),
    width: Math.round(box.width * ratio),
    height: Math.round(box.height * ratio),
  };
}

function shift(box: Box, by: { readonly x: number; readonly y: number }): Box {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

function intersect(a: Box, b: Box): Box {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  };
}

function contains(outer: Box, inner: Box): boolean {
  const shared = intersect(outer, inner);
  return shared.width >= inner.width - 0.5 && shared.height >= inner.height - 0.5;
}

function requireSize(box: Box | null, what: string): Box {
  if (box && box.width >= 1 && box.height >= 1) return box;
  throw new OrielError('bad_input', `The ${what} has no size that could be captured.`, {
    hint: 'Choose one that is visible, or take the picture of the whole viewport.',
  });
}
