import { z } from 'zod';

const sums = z.strictObject({ totalBytes: z.int(), unusedBytes: z.int() });

export const coverageFactsSchema = z.strictObject({
  js: sums.describe('All scripts.'),
  css: sums.describe('All styles.'),
  files: z
    .array(
      z.strictObject({
        kind: z.enum(['js', 'css']),
        url: z.string(),
        totalBytes: z.int(),
        unusedBytes: z.int(),
      }),
    )
    .describe('By address, most unused bytes first, at most 200.'),
  total: z.int().describe('How many addresses there are.'),
});
export type CoverageFacts = z.output<typeof coverageFactsSchema>;
