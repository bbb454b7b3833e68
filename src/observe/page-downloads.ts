import type { CDPSession, Download } from 'playwright-core';
import { within } from '../kernel/deadline.ts';

/** Whether Chromium has told that a download exceeds the bound. */
export interface SizeWatch extends Disposable {
  readonly isTooLarge: boolean;
}

interface Begun {
  readonly guid: string;
  readonly url: string;
  readonly name: string;
  isTooLarge: boolean;
  raw: Download | null;
}

/** How long a link that downloads may take until the browser says that it has begun. */
const EXPECT_MS = 1_000;

/**
 * What only the DevTools protocol tells of a page's downloads: that a click has asked for one,
 * before any byte came, and how large it has become. A page that opens for a download alone has
 * no such session in time; its size is judged at the end.
 */
export class PageDownloads {
  readonly #maxBytes: number;
  readonly #begun: Begun[] = [];
  #expecting: { readonly until: number; readonly begin: () => void; done: Promise<void> } | null =
    null;

  constructor(cdp: Promise<CDPSession | null>, maxBytes: number) {
    this.#maxBytes = maxBytes;
    void cdp.then((session) => session && this.#listen(session)).catch(() => {});
  }

  /** Resolves when the download that a click has asked for has begun, or at once without one. */
  async expected(signal: AbortSignal): Promise<void> {
    const expecting = this.#expecting;
    if (!expecting || expecting.until < Date.now()) return;
    await within(signal, expecting.done);
  }

  /** Stops `raw` as soon as it is known to be too large. */
  watchSize(raw: Download): SizeWatch {
    const known = this.#begun.find(
      (begun) =>
        begun.raw === null && begun.url === raw.url() && begun.name === raw.suggestedFilename(),
    );
    const begun = known ?? {
      guid: '',
      url: raw.url(),
      name: raw.suggestedFilename(),
      isTooLarge: false,
      raw: null,
    };
    begun.raw = raw;
    if (!known) this.#begun.push(begun);
    this.#judge(begun);
    return {
      get isTooLarge() {
        return begun.isTooLarge;
      },
      [Symbol.dispose]: () => {
        const index = this.#begun.indexOf(begun);
        if (index !== -1) this.#begun.splice(index, 1);
      },
    };
  }

  async #listen(cdp: CDPSession): Promise<void> {
    cdp.on('Page.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      this.#expecting?.begin();
      const waiting = this.#begun.find(
        (begun) => begun.guid === '' && begun.url === url && begun.name === suggestedFilename,
      );
      const begun = { guid, url, name: suggestedFilename, isTooLarge: false, raw: null };
      if (!waiting) this.#begun.push(begun);
      else Object.assign(waiting, { guid });
    });
    cdp.on('Page.downloadProgress', ({ guid, totalBytes, receivedBytes, state }) => {
      const index = this.#begun.findIndex((begun) => begun.guid === guid);
      const begun = this.#begun[index];
      if (!begun) return;
      begun.isTooLarge ||= Math.max(totalBytes, receivedBytes) > this.#maxBytes;
      this.#judge(begun);
      if (state !== 'inProgress') this.#begun.splice(index, 1);
    });
    cdp.on('Page.frameRequestedNavigation', ({ disposition }) => {
      if (disposition === 'download') this.#expect();
    });
    await cdp.send('Page.enable');
  }

  #expect(): void {
    let begin = () => {};
    const done = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, EXPECT_MS);
      begin = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#expecting = { until: Date.now() + EXPECT_MS, begin, done };
  }

  #judge(begun: Begun): void {
    if (begun.isTooLarge && begun.raw) void begun.raw.cancel().catch(() => {});
  }
}
