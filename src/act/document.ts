import type { Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { ActTarget } from '../model/act-target.ts';
import { doing } from './doing.ts';

/** The markup of the page, or of one element, as it is now. */
export async function markup(
  page: Page,
  target: ActTarget | null,
  signal: AbortSignal,
): Promise<string> {
  return doing('read', signal, async () => {
    if (!target) return page.content();
    try {
      return await target.locator.evaluate(
        (node) => (node as unknown as { outerHTML: string }).outerHTML,
      );
    } catch (thrown) {
      throw target.translate(thrown);
    }
  });
}

export interface PdfOptions {
  readonly paper: string;
  readonly landscape: boolean;
  readonly background: boolean;
  readonly scale: number;
  /** Such as `1-3, 5`; null prints all. */
  readonly ranges: string | null;
  /** With units: `10mm`. */
  readonly margin: string;
}

/** Prints the page. @throws `bad_input` for ranges that name no page. */
export async function printPdf(
  page: Page,
  options: PdfOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  const { paper, landscape, background, scale, ranges, margin } = options;
  return doing('print', signal, async () => {
    try {
      return await page.pdf({
        format: paper,
        landscape,
        printBackground: background,
        scale,
        ...(ranges === null ? {} : { pageRanges: ranges }),
        margin: { top: margin, right: margin, bottom: margin, left: margin },
      });
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : '';
      if (!/page range|exceeds page count/i.test(text)) throw cause;
      throw new OrielError('bad_input', `The document has no pages ${JSON.stringify(ranges)}.`, {
        hint: 'Give ranges such as 1-3, 5, within the pages that there are.',
        cause,
      });
    }
  });
}

/** The time that the page sees, as ISO text. */
export async function readTime(page: Page, signal: AbortSignal): Promise<string> {
  const at = await doing('read', signal, () => page.evaluate(() => Date.now()));
  return Number.isFinite(at) ? new Date(at).toISOString() : String(at);
}
