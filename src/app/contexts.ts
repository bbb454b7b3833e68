import type { Config } from '../config/schema.ts';
import { within } from '../kernel/deadline.ts';
import type { ContextLease, ContextSource, Engine, OpenRequest } from '../model/engine.ts';

/** Contexts in the local browser, one a session. */
export class LocalContexts implements ContextSource {
  readonly #engine: Engine;
  readonly #config: Config;

  constructor(engine: Engine, config: Config) {
    this.#engine = engine;
    this.#config = config;
  }

  async open(_session: string, request: OpenRequest, signal: AbortSignal): Promise<ContextLease> {
    const lease = await this.#engine.open(request, signal);
    const { width, height } = this.#config.viewport;
    const context = await within(
      signal,
      lease.browser.newContext({ viewport: { width, height }, acceptDownloads: true }),
    );
    return {
      context,
      generation: lease.generation,
      egress: lease.egress,
      policy: this.#config.network,
      [Symbol.asyncDispose]: async () => {
        await context.close().catch(() => {});
        await lease[Symbol.asyncDispose]();
      },
    };
  }
}
