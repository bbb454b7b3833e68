import type { Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import { Journal, type JournalOptions } from './journal.ts';

/** The journal of each page; it goes with its page. */
export class Journals {
  readonly #byPage = new WeakMap<Page, Journal>();

  attach(page: Page, options: JournalOptions): Journal {
    const journal = new Journal(page, options);
    this.#byPage.set(page, journal);
    return journal;
  }

  of(page: Page): Journal {
    const journal = this.#byPage.get(page);
    if (!journal) throw new OrielError('bug', 'A page was used that nothing observes.');
    return journal;
  }
}
