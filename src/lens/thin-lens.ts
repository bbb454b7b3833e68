import type { Locator, Page } from 'playwright-core';
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

  selector(target: string): string {
    const parsed = parseTarget(target);
    return parsed.kind === 'ref' ? `aria-ref=${parsed.ref}` : parsed.selector;
  }

  async text(page: Page, target: Locator | null, signal: AbortSignal): Promise<string> {
    return within(signal, (target ?? page.locator('body')).innerText({ timeout: 0, signal }));
  }

  async html(page: Page, target: Locator | null, signal: AbortSignal): Promise<string> {
    return within(signal, (target ?? page.locator('body')).evaluate(visibleHtml));
  }

  async links(
    page: Page,
    target: Locator | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ links: { text: string; href: string }[]; total: number }> {
    return within(signal, (target ?? page.locator('body')).evaluate(listLinks, limit));
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

interface PageElement {
  readonly localName: string;
  readonly href?: string;
  readonly innerText: string;
  cloneNode(deep: boolean): PageElement;
  remove(): void;
  querySelectorAll(selector: string): Iterable<PageElement>;
  checkVisibility(options: object): boolean;
  readonly innerHTML: string;
}

/** Runs in the page. */
function visibleHtml(node: unknown): string {
  const root = node as PageElement;
  const copy = root.cloneNode(true);
  const originals = Array.from(root.querySelectorAll('*'));
  const copies = Array.from(copy.querySelectorAll('*'));
  originals.forEach((element, index) => {
    const isSeen =
      !['script', 'style', 'noscript', 'template'].includes(element.localName) &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!isSeen) copies[index]?.remove();
  });
  return copy.innerHTML;
}

/** Runs in the page. */
function listLinks(
  node: unknown,
  limit: number,
): { links: { text: string; href: string }[]; total: number } {
  const anchors = Array.from((node as PageElement).querySelectorAll('a[href]'));
  return {
    links: anchors.slice(0, limit).map((anchor) => ({
      text: anchor.innerText.trim().replace(/\s+/g, ' ').slice(0, 100),
      href: anchor.href ?? '',
    })),
    total: anchors.length,
  };
}
