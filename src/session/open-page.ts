import type { CDPSession, Page } from 'playwright-core';
import { Mutex } from '../kernel/mutex.ts';
import type { PageFacts, PageId } from '../model/page.ts';

/** What is left of a call that an open dialog interrupted. */
export interface PendingOperation {
  readonly tool: string;
  /** Resolves when it has come to its end, well or not. */
  readonly ended: Promise<void>;
}

/** A page that belongs to a session, with the id that its agent knows it by. */
export class OpenPage {
  readonly id: PageId;
  /** One call at a time; also held by what a call left pending. */
  readonly mutex = new Mutex();
  label: string | null = null;
  /** CDP target id, once Chromium has told it. */
  targetId: string | null = null;
  pending: PendingOperation | null = null;
  isCrashed = false;
  /** Whether a dialog waits for an answer now; told by whoever observes the page. */
  hasDialog: () => boolean = () => false;
  /** What a caller must be told once before anything else: why the page is not what it was. */
  notice: string | null = null;
  /** Set while its renderer does not answer. */
  isUnresponsive = false;
  /** When a call last began or ended on it, by its session's clock. */
  lastUsedAt: number;
  readonly #clock: () => number;
  #uses = 0;
  #raw: Page;
  #cdp: Promise<CDPSession | null>;

  constructor(id: PageId, raw: Page, clock: () => number) {
    this.id = id;
    this.#clock = clock;
    this.lastUsedAt = clock();
    this.#raw = raw;
    this.#cdp = this.#attach();
  }

  get raw(): Page {
    return this.#raw;
  }

  /** Whether a call is on it, waits for it, or is still pending. */
  get isInUse(): boolean {
    return this.#uses > 0 || this.mutex.isHeld || this.pending !== null;
  }

  /** Counts as access, and keeps it from making room for others until disposed. */
  use(): Disposable {
    this.#uses += 1;
    this.lastUsedAt = this.#clock();
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#uses -= 1;
        this.lastUsedAt = this.#clock();
      },
    };
  }

  /** Goes on under the same id with another page of the browser. */
  adopt(raw: Page): void {
    this.#raw = raw;
    this.isCrashed = false;
    this.isUnresponsive = false;
    this.pending = null;
    this.#cdp = this.#attach();
  }

  /** A CDP session opened beforehand, so that it also works on a page that hangs. */
  get cdp(): Promise<CDPSession | null> {
    return this.#cdp;
  }

  /** The address as the browser last reported it; asks nothing of the page. */
  get url(): string {
    return this.raw.url();
  }

  answersTo(name: string): boolean {
    return name === this.id || name === this.label || name === this.targetId;
  }

  /** Facts for lists; a page that does not answer within `titleMs` is listed without its title. */
  async describe(position: number, isCurrent: boolean, titleMs = 500): Promise<PageFacts> {
    const title = await this.#title(titleMs);
    return {
      page: this.id,
      position,
      label: this.label,
      url: this.url,
      title: (title ?? '').slice(0, 300),
      isCurrent,
      state: this.#state(title),
    };
  }

  #state(title: string | null): PageFacts['state'] {
    if (this.isCrashed) return 'crashed';
    if (this.hasDialog()) return 'dialog_open';
    if (title === null || this.isUnresponsive) return 'unresponsive';
    return this.mutex.isHeld ? 'busy' : 'ready';
  }

  async #title(limitMs: number): Promise<string | null> {
    if (this.isCrashed || this.hasDialog() || this.raw.isClosed()) return '';
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), limitMs);
      void this.raw
        .title()
        .catch(() => '')
        .then((title) => {
          clearTimeout(timer);
          resolve(title);
        });
    });
  }

  async #attach(): Promise<CDPSession | null> {
    try {
      const session = await this.raw.context().newCDPSession(this.raw);
      const { targetInfo } = await session.send('Target.getTargetInfo');
      this.targetId = targetInfo.targetId;
      return session;
    } catch {
      // The page closed before it could be asked; it goes by its id alone.
      return null;
    }
  }
}
