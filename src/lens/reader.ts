import type { Locator, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { parseTarget } from './target.ts';

export interface Link {
  readonly text: string;
  readonly href: string;
}

/** Reading a page as content, not as controls. Without an element, the whole body. */
export const reader = {
  /** The Playwright selector that a target means. @throws `bad_input` for a ref. */
  selector(target: string): string {
    const parsed = parseTarget(target);
    return parsed.kind === 'ref' ? `#${parsed.text}` : parsed.selector;
  },

  /** Text that a person can read. */
  async text(page: Page, target: Locator | null, signal: AbortSignal): Promise<string> {
    return within(signal, (target ?? page.locator('body')).innerText({ timeout: 0, signal }));
  },

  /** HTML of what a person can see, without scripts and styles. */
  async html(page: Page, target: Locator | null, signal: AbortSignal): Promise<string> {
    return within(signal, (target ?? page.locator('body')).evaluate(visibleHtml));
  },

  /** Links with an address, in document order, and how many there are in all. */
  async links(
    page: Page,
    target: Locator | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ links: Link[]; total: number }> {
    return within(signal, (target ?? page.locator('body')).evaluate(listLinks, limit));
  },
};
export type Reader = typeof reader;

interface PageElement {
  readonly localName: string;
  readonly href?: string;
  readonly innerText: string;
  readonly innerHTML: string;
  cloneNode(deep: boolean): PageElement;
  remove(): void;
  querySelectorAll(selector: string): Iterable<PageElement>;
  checkVisibility(options: object): boolean;
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
function listLinks(node: unknown, limit: number): { links: Link[]; total: number } {
  const anchors = Array.from((node as PageElement).querySelectorAll('a[href]'));
  return {
    links: anchors.slice(0, limit).map((anchor) => ({
      text: anchor.innerText.trim().replace(/\s+/g, ' ').slice(0, 100),
      href: anchor.href ?? '',
    })),
    total: anchors.length,
  };
}
