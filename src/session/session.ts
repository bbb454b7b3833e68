import type { Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import { mintId } from '../kernel/id.ts';
import { Scope } from '../kernel/scope.ts';
import type { ContextLease, ContextSource } from '../model/engine.ts';
import type { NetworkPolicy } from '../model/network.ts';
import type { PageId } from '../model/page.ts';
import type {
  DialogPolicy,
  Principal,
  SessionClass,
  SessionFacts,
  SessionId,
} from '../model/session.ts';
import { Arrivals } from './arrivals.ts';
import { OpenPage } from './open-page.ts';
import type { PageCap, PageOwner } from './page-cap.ts';

/** How long a context may take to close; a browser that is stuck would never say so. */
const CLOSE_MS = 5_000;
/** Most pages that were closed for others' sake and are still known by their ids. */
const MAX_EVICTED = 50;

export interface SessionOptions {
  readonly id: SessionId;
  /** Name of the session in files and logs; tells nothing that could be used as the handle. */
  readonly key: string;
  readonly principal: Principal;
  readonly kind: SessionClass;
  readonly name: string | null;
  readonly maxPages: number;
  readonly pageIds: 'counted' | 'unique';
  readonly cap: PageCap;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly contexts: ContextSource;
  /** Told of each page before any call can reach it. */
  readonly onPage: (session: Session, page: OpenPage) => void;
  /** Told of what went wrong while it ended. */
  readonly onProblem: (problem: string) => void;
}

/** Why a session's pages are no longer there. */
interface Loss {
  readonly generation: number;
}

/** A root session: one browser context of its own, and the pages in it. */
export class Session implements AsyncDisposable, PageOwner {
  readonly id: SessionId;
  readonly key: string;
  readonly principal: Principal;
  readonly kind: SessionClass;
  readonly name: string | null;
  readonly createdAt = new Date();
  /** When a call last began or ended, by the clock of {@link SessionOptions}. */
  lastUsedAt: number;
  /** Of its pages, instead of the configured one. */
  dialogPolicy: DialogPolicy | null = null;
  readonly #options: SessionOptions;
  readonly #pages: OpenPage[] = [];
  #current: OpenPage | null = null;
  #numbered = 0;
  #opening = 0;
  /** Pages that a call asked for; the others were opened by pages. */
  readonly #asked = new WeakSet<Page>();
  /** How many pages that pages opened were closed at once, by why. */
  #refused = new Map<string, number>();
  #lease: Promise<ContextLease> | null = null;
  #context: ContextLease | null = null;
  #arrivals: Arrivals | null = null;
  #loss: Loss | null = null;
  #disposal: Promise<void> | null = null;
  #uses = 0;
  /** Pages that were closed for another session's sake and of which its owner has not been told. */
  #untold: string[] = [];
  readonly #evicted = new Map<string, string>();
  #narrower: Partial<NetworkPolicy> = {};
  readonly #kept = new Scope();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.key = options.key;
    this.principal = options.principal;
    this.kind = options.kind;
    this.name = options.name;
    this.lastUsedAt = options.clock();
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
    return this.#disposal !== null;
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

  /** Runs `release` when it ends, for what is kept for it elsewhere. */
  onEnd(release: () => Promise<void>): void {
    this.#kept.defer(release);
  }

  /** Whether a call is using it, or someone holds it. */
  get isInUse(): boolean {
    return this.#uses > 0;
  }

  /** Counts as activity, and keeps idle clean-up away until disposed. */
  use(): Disposable {
    this.#uses += 1;
    this.lastUsedAt = this.#options.clock();
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#uses -= 1;
        this.lastUsedAt = this.#options.clock();
      },
    };
  }

  /**
   * Reports once that the browser ended under this session since its last call, or that a page
   * was closed to make room for others.
   *
   * @throws `gone`, with the generation that ended.
   */
  throwIfLost(): void {
    const loss = this.takeLoss() ?? this.#takeEviction();
    if (loss) throw loss;
  }

  evict(page: OpenPage, by: PageOwner, why: string): void {
    this.#forget(page.raw);
    this.#evicted.set(page.id, why);
    for (const [oldest] of this.#evicted) {
      if (this.#evicted.size <= MAX_EVICTED) break;
      this.#evicted.delete(oldest);
    }
    // An owner that opens a page over the cap knows of it; it is told when it asks for the old one.
    if (by !== this) this.#untold = [...this.#untold, page.id].slice(-MAX_EVICTED);
    void page.raw.close().catch(() => {});
  }

  /** Once, a line for each reason for which pages that pages opened have been closed at once. */
  takeRefusedPages(): string[] {
    const refused = this.#refused;
    this.#refused = new Map();
    return [...refused].map(
      ([why, count]) => `${count === 1 ? 'a page' : `${count} pages`} that a page opened: ${why}`,
    );
  }

  /** The loss that {@link throwIfLost} throws; null while the browser lives, or once it was told. */
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
        details: { page: null },
      });
    }
    const page = this.find(name);
    if (page) return page;
    const why = this.#evicted.get(name);
    if (why !== undefined) throw evicted([name], why);
    throw new OrielError('not_found', `There is no page ${JSON.stringify(name)}.`, {
      hint: 'List the open pages with browser_tabs {"action": "list"}.',
      details: { page: name },
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
    const { maxPages, cap } = this.#options;
    if (this.#pages.length + this.#opening >= maxPages) {
      const ids = this.#pages.map((page) => page.id).join(', ');
      throw new OrielError(
        'over_limit',
        `This session already has ${maxPages} pages open, the most it may have.`,
        {
          hint: `Close one with browser_tabs {"action": "close", "page": …}: ${ids}.`,
          details: { maxPages, pages: this.#pages.map((page) => page.id) },
        },
      );
    }
    using _room = cap.reserve(this);
    this.#opening += 1;
    try {
      const lease = await this.#open(signal, onProgress);
      const opening = lease.newPage?.() ?? lease.context.newPage();
      const raw = await within(signal, opening).catch((thrown: unknown) => {
        // A page that comes too late has nobody who knows its id.
        void opening.then((late) => late.close()).catch(() => {});
        throw thrown;
      });
      this.#asked.add(raw);
      const page = this.#register(raw);
      this.#current = page;
      return page;
    } finally {
      this.#opening -= 1;
      this.#closeExcess();
    }
  }

  /**
   * Closes a page that no longer answers and opens a blank one in its place: same id, label and
   * position.
   *
   * @returns False when the browser gives no other page; then the page is gone.
   */
  async replace(page: OpenPage): Promise<boolean> {
    const stuck = page.raw;
    const lease = this.#context;
    if (!lease || !this.#pages.includes(page)) return false;
    this.#opening += 1;
    try {
      const raw = await (lease.newPage?.() ?? lease.context.newPage());
      this.#asked.add(raw);
      const index = this.#pages.findIndex((candidate) => candidate.raw === raw);
      const [fresh] = index === -1 ? [] : this.#pages.splice(index, 1);
      if (this.#current === fresh) this.#current = page;
      page.adopt(raw);
    } finally {
      this.#opening -= 1;
      this.#closeExcess();
    }
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
  [Symbol.asyncDispose](): Promise<void> {
    return (this.#disposal ??= this.#close());
  }

  async #close(): Promise<void> {
    const closing = (async () => {
      const lease = await this.#lease?.catch(() => null);
      await this.#arrivals?.[Symbol.asyncDispose]();
      await lease?.[Symbol.asyncDispose]();
    })();
    const all = Promise.all([this.#kept[Symbol.asyncDispose](), closing]);
    try {
      await within(AbortSignal.timeout(CLOSE_MS), all);
    } catch (thrown) {
      this.#options.onProblem(`Session ${this.key} did not close in good order: ${String(thrown)}`);
    }
    this.#pages.length = 0;
    this.#current = null;
  }

  #takeEviction(): OrielError | null {
    const untold = this.#untold;
    this.#untold = [];
    const [first] = untold;
    return first === undefined ? null : evicted(untold, this.#evicted.get(first) ?? '');
  }

  /** Parallel first calls share one context; a caller that gives up leaves it to the others. */
  async #open(signal: AbortSignal, onProgress?: (message: string) => void): Promise<ContextLease> {
    if (this.#disposal) throw sessionEnded();
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
      lease.context.on('page', (raw) => {
        this.#register(raw);
        this.#closeExcess();
      });
      lease.context.on('close', () => this.#lose(lease));
      return lease;
    } catch (error) {
      this.#lease = null;
      throw error;
    }
  }

  /**
   * Pages that pages open count as well, and the newest of them close when there are too many: a
   * page must not use up what its agent may have. While a call opens one, nobody knows yet which
   * is which; then it is seen to afterwards.
   */
  #closeExcess(): void {
    if (this.#opening > 0) return;
    const { maxPages, cap } = this.#options;
    for (const page of this.#pages.filter(({ raw }) => !this.#asked.has(raw)).toReversed()) {
      const why =
        this.#pages.length > maxPages
          ? `a session keeps at most ${maxPages} pages`
          : cap.admit(this, page);
      if (why === null) return;
      this.#forget(page.raw);
      this.#refused.set(why, (this.#refused.get(why) ?? 0) + 1);
      void page.raw.close().catch(() => {});
    }
  }

  #register(raw: Page): OpenPage {
    const known = this.#pages.find((page) => page.raw === raw);
    if (known) return known;
    const page = new OpenPage(this.#nextId(), raw, this.#options.clock);
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

  #nextId(): PageId {
    return this.#options.pageIds === 'unique'
      ? mintId<'page'>('p')
      : (`p${++this.#numbered}` as PageId);
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
    if (this.#disposal) return;
    this.#loss = { generation: lease.generation };
    // Nothing is left to close; the engine still has to be given its lease back.
    void Promise.resolve(lease[Symbol.asyncDispose]()).catch(() => {});
  }
}

function evicted(pages: readonly string[], why: string): OrielError {
  const those = pages.length === 1 ? `${pages[0]} was` : `${pages.join(', ')} were`;
  return new OrielError('gone', `${those} closed to make room for other pages: ${why}.`, {
    hint: 'Open the address again with browser_navigate; its login still stands.',
    details: { pages },
  });
}

function sessionEnded(): OrielError {
  return new OrielError('not_found', 'This session has ended.', {
    hint: 'Leave out `session` to use your own, or make one with browser_session.',
  });
}
