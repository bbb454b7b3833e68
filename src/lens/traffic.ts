import type { Frame, Page, Request } from 'playwright-core';

/** Kinds of request that say nothing about whether an action is done. */
const IGNORED = new Set([
  'websocket',
  'eventsource',
  'ping',
  'media',
  'beacon',
  'font',
  'image',
  'texttrack',
  'manifest',
  'cspviolationreport',
]);
const REMEMBERED = 300;
/** Starts outside of actions that make an address a poll. */
const POLLS = 2;

interface Flight {
  readonly request: Request;
  readonly startedAt: number;
}

/** What a page asks of the network, so that settling knows what an action has started. */
export class Traffic {
  readonly #page: Page;
  readonly #open = new Map<Request, Flight>();
  readonly #idleStarts = new Map<string, number>();
  readonly #waiters = new Set<() => void>();
  #markedAt = performance.now();
  #isActing = false;
  #navigations = 0;
  #navigationsAtMark = 0;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => this.#started(request));
    page.on('requestfinished', (request) => this.#ended(request));
    page.on('requestfailed', (request) => this.#ended(request));
    page.on('framenavigated', (frame) => this.#navigated(frame));
  }

  /** An action begins. */
  mark(): void {
    this.#markedAt = performance.now();
    this.#isActing = true;
    this.#navigationsAtMark = this.#navigations;
  }

  /** The action has settled: what starts now, the page started by itself. */
  release(): void {
    this.#isActing = false;
  }

  get hasNavigated(): boolean {
    return this.#navigations > this.#navigationsAtMark;
  }

  /** A document request of the main frame is on its way. */
  get isNavigating(): boolean {
    for (const { request, startedAt } of this.#open.values()) {
      if (startedAt >= this.#markedAt && request.isNavigationRequest() && this.#isMain(request))
        return true;
    }
    return false;
  }

  /** Some request is under way that may change what the page shows, whoever began it. */
  get isAwaiting(): boolean {
    for (const request of this.#open.keys()) if (!this.#isBackground(request)) return true;
    return false;
  }

  /** Requests the action has started that still run. */
  get busy(): number {
    let count = 0;
    for (const { request, startedAt } of this.#open.values()) {
      if (startedAt >= this.#markedAt && !this.#isBackground(request)) count++;
    }
    return count;
  }

  /** Resolves at the next start or end of a request, a navigation, or after `ms`. */
  change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiters.add(done);
    });
  }

  #isBackground(request: Request): boolean {
    if (IGNORED.has(request.resourceType())) return true;
    return (this.#idleStarts.get(keyOf(request)) ?? 0) >= POLLS;
  }

  #started(request: Request): void {
    if (!this.#isActing) {
      const key = keyOf(request);
      this.#idleStarts.set(key, (this.#idleStarts.get(key) ?? 0) + 1);
      if (this.#idleStarts.size > REMEMBERED) {
        const [oldest] = this.#idleStarts.keys();
        if (oldest !== undefined) this.#idleStarts.delete(oldest);
      }
    }
    this.#open.set(request, { request, startedAt: performance.now() });
    if (this.#open.size > REMEMBERED) {
      const [oldest] = this.#open.keys();
      if (oldest) this.#open.delete(oldest);
    }
    this.#wake();
  }

  #ended(request: Request): void {
    this.#open.delete(request);
    this.#wake();
  }

  #navigated(frame: Frame): void {
    if (frame !== this.#page.mainFrame()) return;
    this.#navigations++;
    // Requests of the former document never report their end.
    for (const request of this.#open.keys())
      if (!this.#isMain(request) || !request.isNavigationRequest()) this.#open.delete(request);
    this.#idleStarts.clear();
    this.#wake();
  }

  #isMain(request: Request): boolean {
    try {
      return request.frame() === this.#page.mainFrame();
    } catch {
      return false;
    }
  }

  #wake(): void {
    // A waiter may add another: only those that wait now are woken.
    Array.from(this.#waiters).forEach((waiter) => waiter());
  }
}

function keyOf(request: Request): string {
  const url = request.url();
  const end = url.indexOf('?');
  return `${request.method()} ${end < 0 ? url : url.slice(0, end)}`;
}
