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
    if (!this.#makeRoom(by, 1, null)) {
      throw new OrielError(
        'over_limit',
        `This server keeps at most ${this.#max} pages, and each of them is in use.`,
        {
          hint: 'Close a page of yours with browser_tabs {"action": "close"}, or try again later.',
          details: { maxPagesTotal: this.#max },
        },
      );
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

  /** Room for a page that is open already; why it must close when no other can make room. */
  admit(by: PageOwner, page: OpenPage): string | null {
    return this.#makeRoom(by, 0, page) ? null : this.#rule;
  }

  /** Whether `more` pages beside those that are open have room now; `keep` is not closed for it. */
  #makeRoom(by: PageOwner, more: number, keep: OpenPage | null): boolean {
    if (this.#max === null) return true;
    const owned = this.#owners().flatMap((owner) => owner.pages.map((page) => ({ owner, page })));
    const excess = owned.length + this.#opening + more - this.#max;
    const idle = owned
      .filter(({ page }) => page !== keep && !page.isInUse)
      .toSorted((one, other) => one.page.lastUsedAt - other.page.lastUsedAt);
    if (excess > idle.length) return false;
    for (const { owner, page } of idle.slice(0, Math.max(0, excess))) {
      owner.evict(page, by, this.#rule);
    }
    return true;
  }

  get #rule(): string {
    return `this server keeps at most ${this.#max} pages`;
  }
}
