import type { Browser } from 'playwright-core';
import type { Box, PictureFormat } from '../model/capture.ts';
import { layOutBadges, type Badge, type Mark } from './badge-layout.ts';
import type { PictureSize } from './picture-size.ts';

/** A picture to draw on, and what it is to become. */
export interface BarePicture extends PictureSize {
  readonly content: Buffer;
  readonly from: PictureFormat;
  readonly to: PictureFormat;
  readonly quality: number | undefined;
}

/**
 * Draws tags on a picture that is taken already, in an empty page of a context of its own: the
 * page that was captured is never touched, and its session sees no other page. The context is
 * off line and closes before this returns or throws.
 */
export async function drawBadges(
  browser: Browser,
  picture: BarePicture,
  marks: readonly Mark[],
): Promise<Buffer> {
  const { width, height, to, quality } = picture;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 1,
    offline: true,
  });
  try {
    const page = await context.newPage();
    await page.setContent(markup(picture, layOutBadges(marks, picture)));
    await page.evaluate(decodePicture);
    return await page.screenshot({
      type: to,
      scale: 'css',
      timeout: 0,
      ...(to === 'png' ? {} : { quality: quality ?? (to === 'webp' ? 100 : 80) }),
    });
  } finally {
    await context.close().catch(() => {});
  }
}

function markup(picture: BarePicture, badges: readonly Badge[]): string {
  const { content, from, width, height } = picture;
  const frames = badges.map(
    ({ frame, colour }) => `<i style="${place(frame)};outline-color:${colour}"></i>`,
  );
  const tags = badges.map(
    ({ ref, tag, colour }) =>
      `<b style="${place(tag)};background:${colour}">${ref.replace(/\W/g, '')}</b>`,
  );
  return `<!doctype html><style>
    body { margin: 0; width: ${width}px; height: ${height}px; overflow: hidden }
    img { display: block; width: ${width}px; height: ${height}px }
    i, b { position: absolute; box-sizing: border-box; border-radius: 2px }
    i { outline: 1.5px solid }
    b { font: bold 12px/15px ui-monospace, "DejaVu Sans Mono", monospace; color: #fff;
        text-align: center; box-shadow: 0 0 0 1px #fff }
  </style><img src="data:image/${from};base64,${content.toString('base64')}">${frames.join('')}${tags.join('')}`;
}

function place({ x, y, width, height }: Box): string {
  const px = (value: number) => `${Math.round(value * 10) / 10}px`;
  return `left:${px(x)};top:${px(y)};width:${px(width)};height:${px(height)}`;
}

/** Runs in the page. */
async function decodePicture(): Promise<void> {
  const view = globalThis as unknown as { document: { images: { decode(): Promise<void> }[] } };
  await view.document.images[0]?.decode();
}
