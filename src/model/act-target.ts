import type { Locator } from 'playwright-core';

/** A candidate for what a caller meant; names are page text. */
export interface ElementCandidate {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly near: string;
}

/** What became of an action on an element, as the guard in the page saw it. */
export interface Delivery {
  readonly state: 'delivered' | 'missed' | 'refused' | 'idle' | 'unknown';
  /** Where the event landed instead. */
  readonly hit?: ElementCandidate;
  readonly target?: ElementCandidate;
  /** The element was replaced by one just like it, which was taken. */
  readonly healed: boolean;
}

/** An element to act on: the very one that was meant, or a refusal. */
export interface ActTarget {
  readonly locator: Locator;
  readonly ref: string;
  /** As given by the caller. */
  readonly text: string;
  /** @throws `changed_ref` when the events were stopped before the page could see them. */
  verdict(signal: AbortSignal): Promise<Delivery>;
  /** A refusal that a Playwright error carries, else the error itself. */
  translate(error: unknown): unknown;
}

/** What was acted on, for the answer. */
export interface Acted {
  /** In the words of the page: `button "Save"`. */
  readonly description: string;
  readonly ref: string | null;
  /** Whether the element was replaced by its equal since it was seen. */
  readonly healed: boolean;
}
