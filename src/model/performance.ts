import { z } from 'zod';

const ms = z.number().nullable();

export const performanceFactsSchema = z.strictObject({
  navigation: z
    .strictObject({
      ttfbMs: ms.describe('From the start of the navigation to the first byte.'),
      domContentLoadedMs: ms,
      loadMs: ms,
    })
    .describe('Milliseconds since the navigation began; null: not yet, or not known.'),
  paint: z.strictObject({ firstPaintMs: ms, firstContentfulPaintMs: ms }),
  vitals: z
    .strictObject({
      largestContentfulPaintMs: ms,
      cumulativeLayoutShift: z.number().describe('Largest session window, without a unit.'),
      interactionToNextPaintMs: ms.describe('Null while nobody has interacted.'),
    })
    .describe('Web Vitals so far.'),
  resources: z.strictObject({
    count: z.int(),
    transferredBytes: z.int().describe('Bytes on the wire, headers included.'),
    slowest: z
      .array(
        z.strictObject({
          url: z.string(),
          type: z.string().describe('What asked for it: script, img, fetch, …'),
          durationMs: z.number(),
          transferredBytes: z.int(),
        }),
      )
      .describe('The five slowest, slowest first.'),
  }),
  longTasks: z.strictObject({ count: z.int(), totalMs: z.int(), longestMs: z.int() }),
  domNodes: z.int().describe('Elements in the document.'),
  heap: z.strictObject({ usedBytes: z.int(), totalBytes: z.int() }).describe('JavaScript heap.'),
});
export type PerformanceFacts = z.output<typeof performanceFactsSchema>;
