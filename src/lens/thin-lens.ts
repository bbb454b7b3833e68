import type { Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Lens, Located, Settled, Snapshot, SnapshotOptions } from '../model/lens.ts';
import { parseTarget } from './target.ts';

/** A first lens on Playwright's own ARIA snapshot. */
export class ThinLens implements Lens {
  async snapshot(page: Page, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot> {
    const whole = await within(
      signal,
      page.locator('body').ariaSnapshot({ mode: 'ai', signal } as object),
    );
    const title = await within(signal, page.title());
    const { text, isTruncated } = cut(whole, options.budget ?? Infinity);
    return { url: page.url(), title: title.slice(0, 300), text, isTruncated };
  }

  async locate(page: Page, target: string, signal: AbortSignal): Promise<Located> {
    const parsed = parseTarget(target);
    const locator = page.locator(
      parsed.kind === 'ref' ? `aria-ref=${parsed.ref}` : parsed.selector,
    );
    const count = await within(signal, locator.count());
    if (count === 1) return { locator, description: target };
    if (count > 1) throw await ambiguous(page, parsed.kind === 'ref' ? '' : parsed.selector, count);
    if (parsed.kind === 'ref') {
      throw new OrielError('stale_ref', `The ref ${parsed.ref} is not on the page any more.`, {
        hint: 'Take a new browser_snapshot and use a ref of it.',
      });
    }
    throw new OrielError('not_found', 'Nothing on the page matches the target.', {
      hint: 'Take a browser_snapshot and use a ref of it.',
    });
  }

  async settle(page: Page, budgetMs: number, signal: AbortSignal): Promise<Settled> {
    const startedAt = performance.now();
    const load = page.waitForLoadState('load', { timeout: budgetMs }).then(
      () => 'idle' as const,
      () => 'budget' as const,
    );
    const reason = await within(signal, load);
    return { reason, ms: Math.round(performance.now() - startedAt) };
  }
}

async function ambiguous(page: Page, selector: string, count: number): Promise<OrielError> {
  const some = await page
    .locator(selector)
    .evaluateAll((elements) =>
      elements
        .slice(0, 5)
        .map((element) => (element as unknown as { outerHTML: string }).outerHTML.slice(0, 120)),
    );
  return new OrielError('ambiguous_ref', `${count} elements match the target.`, {
    hint: 'Name one of them by its ref from a browser_snapshot, or make the selector narrower.',
    pageText: some.join('\n'),
    details: { count },
  });
}

function cut(text: string, budget: number): { text: string; isTruncated: boolean } {
  if (text.length <= budget) return { text, isTruncated: false };
  const note = `\n# … ${text.length} characters in all`;
  const end = text.lastIndexOf('\n', budget - note.length);
  return { text: text.slice(0, Math.max(0, end)) + note, isTruncated: true };
}
