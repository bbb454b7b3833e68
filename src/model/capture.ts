import { z } from 'zod';

/** A place in CSS pixels. */
export const boxSchema = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type Box = z.output<typeof boxSchema>;

/** An element that can be acted on, and where it is in the viewport. */
export interface Label {
  readonly ref: string;
  /** What it is, in words of the page. */
  readonly text: string;
  readonly box: Box;
}

export const PICTURE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];
