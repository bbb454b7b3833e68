import type { Box } from '../model/capture.ts';

/** What is to be marked, in pixels of the picture. */
export interface Mark {
  readonly ref: string;
  readonly frame: Box;
}

/** A mark of a label on a picture, in pixels of the picture. */
export interface Badge {
  readonly ref: string;
  readonly frame: Box;
  readonly tag: Box;
  readonly colour: string;
}

/** Dark enough for white text, far enough apart to tell neighbours. */
const COLOURS = ['#c2185b', '#1565c0', '#2e7d32', '#6a1b9a', '#bf360c', '#00695c'] as const;
const TAG_HEIGHT = 15;
const CHAR_WIDTH = 7.3;
const TAG_PADDING = 8;

/**
 * Places the tags: above their element where there is room, else beside, below or inside it, so
 * that none hides another. Those that overlap in any place take the one that hides least.
 */
export function layOutBadges(
  marks: readonly Mark[],
  picture: { readonly width: number; readonly height: number },
): Badge[] {
  const placed: Badge[] = [];
  for (const [index, { ref, frame }] of marks.entries()) {
    const width = ref.length * CHAR_WIDTH + TAG_PADDING;
    const places = candidates(frame, width).map((box) => keepInside(box, picture));
    const costs = places.map((box) =>
      placed.reduce((sum, other) => sum + overlap(box, other.tag), 0),
    );
    const best = costs.indexOf(Math.min(...costs));
    const tag = places[best];
    if (!tag) continue;
    placed.push({ ref, frame, tag, colour: COLOURS[index % COLOURS.length] ?? COLOURS[0] });
  }
  return placed;
}

function candidates(frame: Box, width: number): Box[] {
  const size = { width, height: TAG_HEIGHT };
  const right = frame.x + frame.width;
  const bottom = frame.y + frame.height;
  return [
    { ...size, x: frame.x - 1, y: frame.y - TAG_HEIGHT },
    { ...size, x: right - width + 1, y: frame.y - TAG_HEIGHT },
    { ...size, x: frame.x - width, y: frame.y + (frame.height - TAG_HEIGHT) / 2 },
    { ...size, x: right, y: frame.y + (frame.height - TAG_HEIGHT) / 2 },
    { ...size, x: frame.x - 1, y: bottom },
    { ...size, x: frame.x, y: frame.y },
    { ...size, x: right - width, y: bottom - TAG_HEIGHT },
  ];
}

function keepInside(box: Box, picture: { width: number; height: number }): Box {
  return {
    ...box,
    x: Math.max(0, Math.min(box.x, picture.width - box.width)),
    y: Math.max(0, Math.min(box.y, picture.height - box.height)),
  };
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
