import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { Stage } from './stage.ts';

/** The stage of each context; it goes with its context, so a new browser starts plain. */
export class Stages {
  readonly #byContext = new WeakMap<BrowserContext, Stage>();

  of(context: BrowserContext): Stage {
    const known = this.#byContext.get(context);
    if (known) return known;
    const stage = new Stage(context);
    this.#byContext.set(context, stage);
    return stage;
  }

  enter(page: Page, id: string, cdp: Promise<CDPSession | null>): void {
    this.of(page.context()).enter(page, id, cdp);
  }

  /** Resolves when the page is what its session is. */
  ready(page: Page): Promise<void> {
    return this.#byContext.get(page.context())?.ready(page) ?? Promise.resolve();
  }
}
