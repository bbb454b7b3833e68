/**
 * What the tools of Octopus work on. Ours makes native calls; another one, such as a browser in a
 * cloud, implements this and is handed to `octopus()`. Each method throws what went wrong; an
 * `OrielError` keeps its words. Whatever waits ends when its signal does.
 */
export interface OctopusBackend {
  /** Once, before the first session. */
  initialize(signal: AbortSignal): Promise<void>;
  /** Makes a session with cookies, storage and one page of its own. */
  createSession(sessionId: string, signal: AbortSignal): Promise<void>;
  /** Ends a session at once; one that does not exist is no error. */
  closeSession(sessionId: string): Promise<void>;
  /** Goes to an address and waits for `domcontentloaded`. */
  navigate(sessionId: string, url: string, signal: AbortSignal): Promise<Arrival>;
  getSnapshot(sessionId: string, signal: AbortSignal): Promise<PageSnapshot>;
  /** @param elementRef - `@e0` of the last snapshot, a CSS selector or an XPath. */
  click(sessionId: string, elementRef: string, signal: AbortSignal): Promise<void>;
  /** Replaces what stands in a field. */
  typeText(sessionId: string, elementRef: string, text: string, signal: AbortSignal): Promise<void>;
  /** Text as it shows. */
  getText(sessionId: string, elementRef: string, signal: AbortSignal): Promise<string>;
  /** @returns Plain data; null for what is none. */
  executeJs(sessionId: string, script: string, signal: AbortSignal): Promise<unknown>;
  /** @returns A PNG in base64. */
  screenshot(sessionId: string, isFullPage: boolean, signal: AbortSignal): Promise<string>;
  /** Ends every session, and what was initialised; a later call may initialise it again. */
  closeAll(): Promise<void>;
}

export interface Arrival {
  /** Where it ended. */
  readonly url: string;
  readonly title: string;
  /** Of HTTP; null without a response. */
  readonly status: number | null;
}

export interface PageSnapshot {
  readonly url: string;
  readonly title: string;
  /** `[role] name` lines, two spaces a level; the first is the document. */
  readonly snapshot: string;
  readonly elements: readonly PageElement[];
}

/** Something that can be acted on. */
export interface PageElement {
  /** `@e` and its place in the list, from 0. */
  readonly ref: string;
  readonly tag: string;
  /** At most 100 characters. */
  readonly text: string;
  /** Whether its box is larger than nothing. */
  readonly visible: boolean;
  readonly type?: string;
  readonly href?: string;
}
