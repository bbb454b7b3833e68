import { OrielError } from '../kernel/errors.ts';
import type { OpenPage } from './open-page.ts';

/** A session as the cap sees it. */
export interface PageOwner {
  readonly pages: readonly OpenPage[];
  /** Closes one of its pages to make room for a page of `by`; any other owner must be told. */
  evict(page: OpenPage, by: PageOwner, why: string): void;
}

/** The cap on the pages of the whole process: the least recently used one makes room. */
export class PageCap {
  readonly #max: number | null;
  readonly #owners: () => readonly PageOwner[];
  /** Pages that are being opened, and are in no session yet. */
  #opening = 0;

  constructor(max: number | null, owners: () => readonly PageOwner[]) {
    this.#max = max;
    this.#owners = owners;
  }

  /**
   * Room for one page more of `by`; disposed once it is open, or will not be.
   *
   * @throws `over_limit` when every page is in use.
   */
  reserve(by: PageOwner): Disposable {
    const max = this.#max;
    if (max !== null) {
      const owned = this.#owners().flatMap((owner) => owner.pages.map((page) => ({ owner, page })));
      let excess = owned.length + this.#opening + 1 - max;
      const idle = owned
        .filter(({ page }) => !page.isInUse)
        .sort((one, other) => one.page.lastUsedAt - other.page.lastUsedAt);
      if (excess > idle.length) {
        throw new OrielError(
          'over_limit',
          `This server keeps at most ${max} pages, and each of them is in use.`,
          {
            hint: 'Close a page of yours with browser_tabs {"action": "close"}, or try again later.',
            details: { maxPagesTotal: max },
          },
        );
      }
      for (const { owner, page } of idle) {
        if (excess-- <= 0) break;
        owner.evict(page, by, `this server keeps at most ${max} pages`);
      }
    }
    this.#opening += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#opening -= 1;
        isHeld = false;
      },
    };
  }
}
