import type { BrowserContext, Route } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { RouteFacts, RouteRule } from '../model/emulation.ts';

/** More would slow every request of the session. */
const MAX_RULES = 50;

interface Placed {
  readonly id: string;
  readonly rule: RouteRule;
  readonly handler: (route: Route) => Promise<void>;
  hits: number;
}

/**
 * What a session does with requests before they leave the browser. Nothing is fetched on the
 * page's behalf: what goes on goes through the browser, and so through its network gate.
 */
export class Routes {
  readonly #context: BrowserContext;
  readonly #placed: Placed[] = [];
  #numbered = 0;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  list(): RouteFacts[] {
    return this.#placed.map(({ id, rule, hits }) => ({
      id,
      kind: rule.kind,
      pattern: rule.pattern,
      hits,
    }));
  }

  /** The rule that was added last is asked first. @throws `over_limit`. */
  async add(rule: RouteRule): Promise<RouteFacts> {
    if (this.#placed.length >= MAX_RULES) {
      throw new OrielError('over_limit', `This session has ${MAX_RULES} routes, the most it may.`, {
        hint: 'Clear some with browser_route {"action": "clear"}.',
      });
    }
    const placed: Placed = {
      id: `r${++this.#numbered}`,
      rule,
      hits: 0,
      handler: async (route) => {
        placed.hits++;
        // The page may have gone; then there is nobody to answer.
        await answer(route, rule).catch(() => {});
      },
    };
    await this.#context.route(rule.pattern, placed.handler);
    this.#placed.push(placed);
    return { id: placed.id, kind: rule.kind, pattern: rule.pattern, hits: 0 };
  }

  /** Removes one rule, or all of them. @throws `not_found`. */
  async clear(id: string | undefined): Promise<number> {
    const gone = this.#placed.filter((placed) => id === undefined || placed.id === id);
    if (id !== undefined && gone.length === 0) {
      throw new OrielError('not_found', `There is no route ${JSON.stringify(id)}.`, {
        hint: 'List them with browser_route {"action": "list"}.',
      });
    }
    for (const placed of gone) {
      await this.#context.unroute(placed.rule.pattern, placed.handler);
      this.#placed.splice(this.#placed.indexOf(placed), 1);
    }
    return gone.length;
  }
}

async function answer(route: Route, rule: RouteRule): Promise<void> {
  switch (rule.kind) {
    case 'block':
      return route.abort('blockedbyclient');
    case 'fulfil':
      return route.fulfill({
        status: rule.status,
        contentType: rule.contentType,
        headers: { ...rule.headers },
        body: rule.body,
      });
    case 'modify':
      return route.fallback({
        headers: mergeHeaders(route.request().headers(), rule.headers),
        ...(rule.method === undefined ? {} : { method: rule.method }),
        ...(rule.postData === undefined ? {} : { postData: rule.postData }),
      });
  }
}

function mergeHeaders(
  there: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const merged: Record<string, string> = { ...there };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete merged[name.toLowerCase()];
    else merged[name.toLowerCase()] = value;
  }
  return merged;
}
