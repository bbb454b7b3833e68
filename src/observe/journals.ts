import type { BrowserContext, ConsoleMessage, Page, Request, Worker } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import { Journal, type JournalOptions } from './journal.ts';

/** Most requests of one context that wait for the page they belong to. */
const MAX_UNCLAIMED = 50;

/**
 * The journal of each page; it goes with its page. Console and network are heard on the context,
 * because a popup asks for its document before it exists as a page, and a service worker belongs
 * to no page at all.
 */
export class Journals {
  readonly #byPage = new WeakMap<Page, Journal>();
  readonly #heard = new WeakSet<BrowserContext>();
  /** Requests of pages that are still being made. */
  readonly #unclaimed = new WeakMap<BrowserContext, Set<Request>>();

  attach(page: Page, options: JournalOptions): Journal {
    const journal = new Journal(page, options);
    this.#byPage.set(page, journal);
    this.#hear(page.context());
    this.#claim(page.context());
    return journal;
  }

  of(page: Page): Journal {
    const journal = this.#byPage.get(page);
    if (!journal) throw new OrielError('bug', 'A page was used that nothing observes.');
    return journal;
  }

  #hear(context: BrowserContext): void {
    if (this.#heard.has(context)) return;
    this.#heard.add(context);
    this.#unclaimed.set(context, new Set());
    context.on('console', (message) => this.#onConsole(context, message));
    context.on('weberror', (thrown) => {
      const page = thrown.page();
      if (page) this.#byPage.get(page)?.console.noteError(thrown);
    });
    context.on('request', (request) => this.#onRequest(context, request));
    context.on('response', (response) => {
      this.#claim(context);
      for (const journal of this.#journalsOf(context, response.request())) {
        journal.network.noteResponse(response);
      }
    });
    const end = (request: Request) => {
      this.#claim(context);
      for (const journal of this.#journalsOf(context, request)) journal.network.noteEnd(request);
    };
    context.on('requestfinished', end);
    context.on('requestfailed', end);
  }

  #onConsole(context: BrowserContext, message: ConsoleMessage): void {
    const page = message.page();
    const journals = page ? [this.#byPage.get(page)] : this.#servedBy(context, message.worker());
    for (const journal of journals) journal?.console.noteMessage(message);
  }

  #onRequest(context: BrowserContext, request: Request): void {
    const worker = request.serviceWorker();
    if (worker) {
      const journals = this.#servedBy(context, worker);
      for (const journal of journals) journal.network.noteRequest(request, worker.url());
      return;
    }
    const page = pageOf(request);
    const journal = page && this.#byPage.get(page);
    if (journal) {
      journal.network.noteRequest(request);
      return;
    }
    const unclaimed = this.#unclaimed.get(context);
    if (unclaimed && unclaimed.size < MAX_UNCLAIMED) unclaimed.add(request);
  }

  /** Gives requests that came before their page to it, once it is there. */
  #claim(context: BrowserContext): void {
    const unclaimed = this.#unclaimed.get(context);
    for (const request of unclaimed ?? []) {
      const page = pageOf(request);
      const journal = page && this.#byPage.get(page);
      if (!journal) continue;
      unclaimed?.delete(request);
      journal.network.noteRequest(request);
    }
  }

  #journalsOf(context: BrowserContext, request: Request): Journal[] {
    const worker = request.serviceWorker();
    if (worker) return this.#servedBy(context, worker);
    const page = pageOf(request);
    const journal = page && this.#byPage.get(page);
    return journal ? [journal] : [];
  }

  /** The pages that a service worker can serve: those of its origin. */
  #servedBy(context: BrowserContext, worker: Worker | null): Journal[] {
    const origin = originOf(worker?.url() ?? '');
    if (origin === null) return [];
    return context
      .pages()
      .filter((page) => originOf(page.url()) === origin)
      .flatMap((page) => this.#byPage.get(page) ?? []);
  }
}

/** The page that a request is for; null while that page is being made, and for workers. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
