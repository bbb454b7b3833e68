import type { Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { ContextLease, ContextSource } from '../model/engine.ts';
import type { NetworkPolicy } from '../model/network.ts';
import type { PageId } from '../model/page.ts';
import type { Principal, SessionClass, SessionFacts, SessionId } from '../model/session.ts';
import { Arrivals } from './arrivals.ts';
import { OpenPage } from './open-page.ts';

export interface SessionOptions {
  readonly id: SessionId;
  /** Name of the session in files and logs; tells nothing that could be used as the handle. */
  readonly key: string;
  readonly principal: Principal;
  readonly kind: SessionClass;
  readonly name: string | null;
  readonly maxPages: number;
  readonly contexts: ContextSource;
  /** Told of each page before any call can reach it. */
  readonly onPage: (session: Session, page: OpenPage) => void;
}

/** Why a session's pages are no longer there. */
interface Loss {
  readonly generation: number;
}

/** A root session: one browser context of its own, and the pages in it. */
export class Session implements AsyncDisposable {
  readonly id: SessionId;
  readonly key: string;
  readonly principal: Principal;
  readonly kind: SessionClass;
  readonly name: string | null;
  readonly createdAt = new Date();
  lastUsedAt = Date.now();
  readonly #options: SessionOptions;
  readonly #pages: OpenPage[] = [];
  #current: OpenPage | null = null;
  #numbered = 0;
  #lease: Promise<ContextLease> | null = null;
  #context: ContextLease | null = null;
  #arrivals: Arrivals | null = null;
  #loss: Loss | null = null;
  #isDisposed = false;
  #narrower: Partial<NetworkPolicy> = {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.key = options.key;
    this.principal = options.principal;
    this.kind = options.kind;
    this.name = options.name;
  }

  get pages(): readonly OpenPage[] {
    return this.#pages;
  }

  get current(): OpenPage | null {
    return this.#current;
  }

  /** The context, if one is open now. */
  get context(): ContextLease | null {
    return this.#context;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** What this session's network policy has beyond the server's. */
  get narrower(): Partial<NetworkPolicy> {
    return this.#narrower;
  }

  /**
   * Narrows the network policy, from now on and in what is open; later calls add to earlier ones.
   *
   * @throws `denied` when it would widen the server's; nothing changes then.
   */
  async narrow(narrower: Partial<NetworkPolicy>): Promise<void> {
    const all = { ...this.#narrower, ...narrower };
    await this.#context?.network.narrow(all);
    this.#narrower = all;
  }

  /** Waits for pages that an action has opened and that are not there yet, at most `limitMs`. */
  async awaitArrivals(limitMs: number): Promise<void> {
    await this.#arrivals?.settled(limitMs);
  }

  touch(): void {
    this.lastUsedAt = Date.now();
  }

  /**
   * Reports once that the browser ended under this session since its last call.
   *
   * @throws `gone` with the generation that ended.
   */
  throwIfLost(): void {
    const loss = this.takeLoss();
    if (loss) throw loss;
  }

  /** The same as a value: null while the browser lives, or once its end has been reported. */
  takeLoss(): OrielError | null {
    const lease = this.#context;
    // The end may be known before the event that tells of it has been handed out.
    if (lease && lease.context.browser()?.isConnected() === false) this.#lose(lease);
    const loss = this.#loss;
    if (!loss) return null;
    this.#loss = null;
    return new OrielError(
      'gone',
      `The browser ended (generation ${loss.generation}); this session's pages and logins are gone.`,
      {
        hint: `Navigate again: the next call starts generation ${loss.generation + 1}.`,
        details: { generation: loss.generation + 1, endedGeneration: loss.generation },
      },
    );
  }

  /**
   * The page that `name` (id, label, position or target id) names; the current one without it.
   *
   * @throws `not_found`, alike for pages of others, closed pages and pages that never were.
   */
  page(name: string | undefined): OpenPage {
    if (name === undefined) {
      if (this.#current) return this.#current;
      throw new OrielError('not_found', 'No page is open in this session.', {
        hint: 'Open one with browser_navigate.',
      });
    }
    const page = this.find(name);
    if (page) return page;
    throw new OrielError('not_found', `There is no page ${JSON.stringify(name)}.`, {
      hint: 'List the open pages with browser_tabs {"action": "list"}.',
    });
  }

  find(name: string): OpenPage | null {
    const position = /^\d+$/.test(name) ? Number(name) : 0;
    return this.#pages.find((page) => page.answersTo(name)) ?? this.#pages[position - 1] ?? null;
  }

  select(page: OpenPage): void {
    this.#current = page;
  }

  /**
   * Opens a page and makes it the current one.
   *
   * @throws `over_limit` at the cap, and what the engine throws when no browser starts.
   */
  async newPage(signal: AbortSignal, onProgress?: (message: string) => void): Promise<OpenPage> {
    if (this.#pages.length >= this.#options.maxPages) {
      const ids = this.#pages.map((page) => page.id).join(', ');
      throw new OrielError(
        'over_limit',
        `This session already has ${this.#pages.length} pages open, the most it may have.`,
        { hint: `Close one with browser_tabs {"action": "close", "page": …}: ${ids}.` },
      );
    }
    const lease = await this.#open(signal, onProgress);
    const raw = await within(signal, lease.context.newPage());
    const page = this.#register(raw);
    this.#current = page;
    return page;
  }

  /**
   * Closes a page that no longer answers and opens a blank one in its place: same id, label and
   * position.
   *
   * @returns False when the browser gives no other page; then the page is gone.
   */
  async replace(page: OpenPage): Promise<boolean> {
    const stuck = page.raw;
    const context = this.#context?.context;
    if (!context || !this.#pages.includes(page)) return false;
    const raw = await context.newPage();
    const index = this.#pages.findIndex((candidate) => candidate.raw === raw);
    const [fresh] = index === -1 ? [] : this.#pages.splice(index, 1);
    if (this.#current === fresh) this.#current = page;
    page.adopt(raw);
    // Whether the old page's renderer agrees to close or not, nobody knows it by a name any more.
    void stuck.close().catch(() => {});
    return true;
  }

  /** @param settings - What its context has been made to be, in words. */
  async describe(isYours: boolean, settings: readonly string[] = []): Promise<SessionFacts> {
    return {
      session: this.id,
      name: this.name,
      isYours,
      createdAt: this.createdAt.toISOString(),
      generation: this.#context?.generation ?? null,
      egress: this.#context?.network.level ?? null,
      settings: [...settings],
      pages: await Promise.all(
        this.#pages.map((page, index) => page.describe(index + 1, page === this.#current)),
      ),
    };
  }

  /** Closes the context with its pages; whatever Chromium says to that, the session is over. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const lease = await this.#lease?.catch(() => null);
    await this.#arrivals?.[Symbol.asyncDispose]();
    await lease?.[Symbol.asyncDispose]();
    this.#pages.length = 0;
    this.#current = null;
  }

  /** Parallel first calls share one context; a caller that gives up leaves it to the others. */
  async #open(signal: AbortSignal, onProgress?: (message: string) => void): Promise<ContextLease> {
    if (this.#isDisposed) throw sessionEnded();
    this.#lease ??= this.#openContext(onProgress);
    return within(signal, this.#lease);
  }

  async #openContext(onProgress?: (message: string) => void): Promise<ContextLease> {
    try {
      const lease = await this.#options.contexts.open(
        { session: this.key, narrower: this.#narrower, onProgress },
        new AbortController().signal,
      );
      this.#context = lease;
      const browser = lease.context.browser();
      this.#arrivals = browser
        ? await Arrivals.watch(browser, (id) => this.#pages.some((page) => page.targetId === id))
        : null;
      lease.context.on('page', (raw) => void this.#register(raw));
      lease.context.on('close', () => this.#lose(lease));
      return lease;
    } catch (error) {
      this.#lease = null;
      throw error;
    }
  }

  #register(raw: Page): OpenPage {
    const known = this.#pages.find((page) => page.raw === raw);
    if (known) return known;
    const page = new OpenPage(`p${++this.#numbered}` as PageId, raw);
    this.#pages.push(page);
    this.#current ??= page;
    raw.on('close', () => this.#forget(raw));
    raw.on('crash', () => {
      const crashed = this.#pages.find((candidate) => candidate.raw === raw);
      if (crashed) crashed.isCrashed = true;
    });
    this.#options.onPage(this, page);
    void page.cdp.then(() => {
      if (page.targetId !== null) this.#arrivals?.arrived(page.targetId);
    });
    return page;
  }

  #forget(raw: Page): void {
    const index = this.#pages.findIndex((page) => page.raw === raw);
    const page = this.#pages[index];
    if (!page) return;
    this.#pages.splice(index, 1);
    if (this.#current === page) this.#current = this.#pages[Math.max(0, index - 1)] ?? null;
  }

  #lose(lease: ContextLease): void {
    if (this.#context !== lease) return;
    this.#context = null;
    this.#lease = null;
    this.#arrivals = null;
    this.#pages.length = 0;
    this.#current = null;
    if (this.#isDisposed) return;
    this.#loss = { generation: lease.generation };
    // Nothing is left to close; the engine still has to be given its lease back.
    void Promise.resolve(lease[Symbol.asyncDispose]()).catch(() => {});
  }
}

function sessionEnded(): OrielError {
  return new OrielError('not_found', 'This session has ended.', {
    hint: 'Leave out `session` to use your own, or make one with browser_session.',
  });
}
