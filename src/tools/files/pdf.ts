import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const pdf = defineTool({
  name: 'browser_pdf',
  summary: 'Print the page to a PDF file.',
  effect: 'disk',
  scope: 'page',
  pack: 'files',
  limit: 'capture',
  aliases: { format: 'paper', pageRanges: 'ranges', printBackground: 'background' },
  peerNames: ['browser_pdf_save'],
  input: z.strictObject({
    paper: z.enum(['A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger']).default('A4'),
    landscape: z.boolean().default(false),
    background: z.boolean().default(true).describe('Print colours and pictures behind text.'),
    ranges: z
      .string()
      .regex(/^\s*\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*\s*$/, 'must be such as 1-3, 5')
      .max(200)
      .optional()
      .describe('Such as 1-3, 5; default all.'),
    margin: z
      .string()
      .regex(/^\d{1,3}(?:\.\d+)?(?:mm|cm|in|px)$/, 'must be such as 10mm')
      .default('10mm'),
    scale: z.number().min(0.1).max(2).default(1),
    ...pageArgs,
  }),
  output: z.strictObject({
    file: artifactSchema.describe('The PDF.'),
    pages: z.int().describe('How many sheets it has.'),
  }),
  examples: [{ title: 'Print an order', on: '/delivery', input: { paper: 'A4' } }],
  async run({ page, session, deps, signal }, input) {
    const { paper, landscape, background, scale, margin, ranges } = input;
    const content = await deps.act.printPdf(
      page.raw,
      { paper, landscape, background, scale, margin, ranges: ranges ?? null },
      signal,
    );
    const file = await deps.artifacts.put({
      session: session.key,
      prefix: 'page',
      extension: 'pdf',
      mimeType: 'application/pdf',
      content,
    });
    return { file, pages: countPages(content) };
  },
  render({ file, pages }) {
    const sheets = pages === 1 ? '1 page' : `${pages} pages`;
    return [{ source: 'oriel', text: `${file.path}\n${sheets}, ${file.bytes} bytes` }];
  },
});

/** Chromium writes page objects outside compressed streams. */
function countPages(content: Buffer): number {
  return content.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}
