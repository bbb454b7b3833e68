import type { CDPSession, Download as RawDownload, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { firstLine, OrielError } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { Ring } from '../kernel/ring.ts';
import type { Download, DownloadShelf } from '../model/download.ts';
import { PageDownloads } from './page-downloads.ts';

export interface DownloadsOptions {
  readonly shelf: DownloadShelf;
  /** Without it downloads are announced by name and stopped. */
  readonly save: boolean;
  readonly maxBytes: number;
  readonly maxCount: number;
  readonly log: Log;
}

/** Whose downloads they are: a session. */
export interface DownloadOwner {
  /** Name of its folder. */
  readonly key: string;
}

/** Records are kept beyond the count that is saved, so that refused ones are told too. */
const MAX_RECORDS = 1_000;

interface Entry {
  readonly sequence: number;
  readonly raw: RawDownload;
  readonly page: Page;
  download: Download;
  /** Whether an answer has told how it ended. */
  isTold: boolean;
  ended: Promise<void>;
}

interface Owned {
  readonly entries: Ring<Entry>;
  kept: number;
  numbered: number;
  readonly listeners: Set<() => void>;
}

/** Every download of every page, from its first byte to its end, by session. */
export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #byOwner = new WeakMap<DownloadOwner, Owned>();
  readonly #byPage = new WeakMap<Page, PageDownloads>();
  #sequence = 0;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** Follows a page's downloads until it goes. */
  attach(owner: DownloadOwner, page: Page, pageId: string, cdp: Promise<CDPSession | null>): void {
    this.#byPage.set(page, new PageDownloads(cdp, this.#options.maxBytes));
    page.on('download', (raw) => this.#begin(owner, page, pageId, raw));
  }

  /** The place in time now; what begins after it is read with {@link since}. */
  get mark(): number {
    return this.#sequence;
  }

  /** All downloads of a session that are remembered, oldest first. */
  list(owner: DownloadOwner): Download[] {
    return this.#entries(owner).map((entry) => entry.download);
  }

  /** Downloads that one of `pages` began since `mark`; telling how they ended counts as told. */
  since(owner: DownloadOwner, mark: number, pages: (page: Page) => boolean): Download[] {
    const begun = this.#entries(owner).filter(
      (entry) => entry.sequence > mark && pages(entry.page),
    );
    for (const entry of begun) entry.isTold ||= entry.download.state !== 'started';
    return begun.map((entry) => entry.download);
  }

  /** Downloads that have ended without an answer telling so; each is returned once. */
  takeNews(owner: DownloadOwner): Download[] {
    const news = this.#entries(owner).filter(
      (entry) => !entry.isTold && entry.download.state !== 'started',
    );
    for (const entry of news) entry.isTold = true;
    return news.map((entry) => entry.download);
  }

  /**
   * Waits, at most `budgetMs`, until downloads that the page has begun since `mark` have ended,
   * and for one that a click has asked for to begin.
   */
  async settle(
    owner: DownloadOwner,
    page: Page,
    mark: number,
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(budgetMs)))]);
    try {
      await this.#byPage.get(page)?.expected(limit);
      const begun = this.#entries(owner).filter(
        (entry) => entry.sequence > mark && entry.page === page,
      );
      await within(limit, Promise.all(begun.map((entry) => entry.ended)));
    } catch (thrown) {
      // The budget is no limit of the call: what is known by then is the answer.
      if (signal.aborted) throw thrown;
    }
  }

  /**
   * Waits for one download, or for those that are under way, to end; when none is and nothing is
   * untold, for the next to begin and end.
   *
   * @returns What has ended.
   * @throws `not_found` for an id that never was.
   */
  async wait(
    owner: DownloadOwner,
    id: string | undefined,
    signal: AbortSignal,
  ): Promise<Download[]> {
    const owned = this.#owned(owner);
    if (id !== undefined) {
      const entry = this.#find(owner, id);
      await within(signal, entry.ended);
      entry.isTold = true;
      return [entry.download];
    }
    for (;;) {
      const running = this.#entries(owner).filter((entry) => entry.download.state === 'started');
      await within(signal, Promise.all(running.map((entry) => entry.ended)));
      const news = this.takeNews(owner);
      if (news.length > 0) return news;
      if (running.length > 0) return running.map((entry) => entry.download);
      await nextChange(owned.listeners, signal);
    }
  }

  /** @throws `not_found`. */
  get(owner: DownloadOwner, id: string): Download {
    return this.#find(owner, id).download;
  }

  /** Stops a download that runs, and removes the file of one that has ended. */
  async remove(owner: DownloadOwner, id: string): Promise<Download> {
    const entry = this.#find(owner, id);
    if (entry.download.state === 'started') {
      await entry.raw.cancel();
      await entry.ended;
    }
    if (entry.download.path !== undefined) {
      await this.#options.shelf.remove(entry.download);
      const { path: _path, ...rest } = entry.download;
      entry.download = { ...rest, state: 'deleted' };
      this.#owned(owner).kept--;
      await this.#note(owner, entry.download);
    }
    entry.isTold = true;
    return entry.download;
  }

  #begin(owner: DownloadOwner, page: Page, pageId: string, raw: RawDownload): void {
    const { shelf, save, maxCount } = this.#options;
    const owned = this.#owned(owner);
    const suggestedName = raw.suggestedFilename();
    const download: Download = {
      id: `d${++owned.numbered}`,
      page: pageId,
      url: shortUrl(raw.url()),
      suggestedName: suggestedName.slice(0, 500).toWellFormed(),
      name: shelf.safeName(suggestedName),
      state: 'started',
      startedAt: new Date().toISOString(),
    };
    const entry: Entry = {
      sequence: ++this.#sequence,
      raw,
      page,
      download,
      isTold: false,
      ended: Promise.resolve(),
    };
    const isOverCount = save && owned.kept >= maxCount;
    if (save && !isOverCount) owned.kept++;
    owned.entries.push(entry);
    entry.ended = this.#follow(owner, owned, entry, isOverCount).then((end) => {
      entry.download = { ...entry.download, ...end, endedAt: new Date().toISOString() };
      for (const listener of owned.listeners) listener();
      return save ? this.#note(owner, entry.download) : undefined;
    });
    for (const listener of owned.listeners) listener();
  }

  /** Resolves with how it ended; never rejects. */
  async #follow(
    owner: DownloadOwner,
    owned: Owned,
    entry: Entry,
    isOverCount: boolean,
  ): Promise<Pick<Download, 'state'> & Partial<Download>> {
    const { shelf, save, maxBytes, maxCount } = this.#options;
    const { raw } = entry;
    if (!save) {
      await raw.cancel().catch(() => {});
      return { state: 'skipped' };
    }
    if (isOverCount) {
      await raw.cancel().catch(() => {});
      return { state: 'failed', error: `this session keeps ${maxCount} (downloads.maxCount)` };
    }
    try {
      await this.#note(owner, entry.download);
      using watch = this.#byPage.get(entry.page)?.watchSize(raw);
      const failure = await raw.failure();
      if (watch?.isTooLarge) throw tooLarge(maxBytes);
      if (failure !== null) throw new Error(describeFailure(failure));
      const kept = await shelf.keep(owner.key, raw.suggestedFilename(), (file) => raw.saveAs(file));
      if (kept.bytes > maxBytes) {
        await shelf.remove({ ...entry.download, path: kept.path });
        throw tooLarge(maxBytes);
      }
      return { state: 'done', ...kept };
    } catch (thrown) {
      owned.kept--;
      return { state: 'failed', error: firstLine(messageOf(thrown)) };
    } finally {
      // Playwright keeps a copy of its own until the context closes.
      void raw.delete().catch(() => {});
    }
  }

  async #note(owner: DownloadOwner, download: Download): Promise<void> {
    try {
      await this.#options.shelf.note(owner.key, download);
    } catch (thrown) {
      this.#options.log('warn', 'the list of downloads could not be written', {
        reason: messageOf(thrown),
      });
    }
  }

  #find(owner: DownloadOwner, id: string): Entry {
    const entry = this.#entries(owner).find((candidate) => candidate.download.id === id);
    if (entry) return entry;
    throw new OrielError('not_found', `There is no download ${JSON.stringify(id)}.`, {
      hint: 'List them with browser_downloads {"action": "list"}.',
    });
  }

  #entries(owner: DownloadOwner): Entry[] {
    return this.#byOwner.get(owner)?.entries.toArray() ?? [];
  }

  #owned(owner: DownloadOwner): Owned {
    const known = this.#byOwner.get(owner);
    if (known) return known;
    const owned: Owned = {
      entries: new Ring(MAX_RECORDS),
      kept: 0,
      numbered: 0,
      listeners: new Set(),
    };
    this.#byOwner.set(owner, owned);
    return owned;
  }
}

async function nextChange(listeners: Set<() => void>, signal: AbortSignal): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  listeners.add(wake);
  try {
    await within(signal, woken);
  } finally {
    listeners.delete(wake);
  }
}

function tooLarge(maxBytes: number): Error {
  return new Error(`larger than ${maxBytes} bytes (downloads.maxBytes)`);
}

/** Chromium says `canceled` for whatever ended a download early. */
function describeFailure(failure: string): string {
  return failure === 'canceled'
    ? 'stopped before its end: refused, not there, or broken off'
    : failure;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A data: address holds the whole file; its start says enough. */
function shortUrl(url: string): string {
  const max = url.startsWith('data:') ? 60 : 500;
  return url.length > max ? `${url.slice(0, max)}…` : url;
}
