import type { Locator, Page } from 'playwright-core';

export interface SnapshotOptions {
  /** Most characters of the text; a hard promise. */
  readonly budget?: number;
}

export interface Snapshot {
  readonly url: string;
  readonly title: string;
  /** ARIA YAML: `- button "Save" [ref=e12]`. */
  readonly text: string;
  /** Whether something was left out to keep the budget. */
  readonly isTruncated: boolean;
}

/** An element that a target names, ready to be acted on. */
export interface Located {
  readonly locator: Locator;
  /** What it is, in page words: `button "Save"`. */
  readonly description: string;
  /** Its ref, where it has one. */
  readonly ref?: string | undefined;
}

export interface Settled {
  readonly reason: 'idle' | 'quiet' | 'navigated' | 'budget' | 'none';
  readonly ms: number;
}

/** Seeing a page. */
export interface Lens {
  snapshot(page: Page, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot>;
  /**
   * Resolves a ref or selector to exactly one element.
   *
   * @throws `not_found`, `stale_ref`, `changed_ref`, `ambiguous_ref` with the candidates.
   */
  locate(page: Page, target: string, signal: AbortSignal): Promise<Located>;
  /** The Playwright selector that a target means; a ref is none. */
  selector(target: string): string;
  /** Text that a person can read, of the page or an element. */
  text(page: Page, target: Locator | null, signal: AbortSignal): Promise<string>;
  /** HTML of what a person can see, without scripts and styles. */
  html(page: Page, target: Locator | null, signal: AbortSignal): Promise<string>;
  /** Links with an address, in document order, and how many there are in all. */
  links(
    page: Page,
    target: Locator | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ links: { text: string; href: string }[]; total: number }>;
  /** Waits until what an action started has come to rest, at most `budgetMs`. */
  settle(page: Page, budgetMs: number, signal: AbortSignal): Promise<Settled>;
}
