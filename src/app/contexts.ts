import type { BrowserContext } from 'playwright-core';
import type { Config } from '../config/schema.ts';
import type { GateListener } from '../gate/gate-listener.ts';
import { within } from '../kernel/deadline.ts';
import { Scope } from '../kernel/scope.ts';
import type { ContextLease, ContextRequest, ContextSource, Engine } from '../model/engine.ts';
import type { NetworkHold } from '../model/network-hold.ts';
import { banNodeRequests } from './ban-node-requests.ts';
import { ownWindows } from './own-windows.ts';
import type { Egress } from './egress.ts';

/** Contexts in the local browser, one a session, each with a way out of its own. */
export class LocalContexts implements ContextSource {
  readonly #engine: Engine;
  readonly #egress: Egress;
  readonly #config: Config;
  readonly #beforeContext: () => Promise<void>;

  /** @param beforeContext - What must be ready before a page can be opened. */
  constructor(engine: Engine, egress: Egress, config: Config, beforeContext: () => Promise<void>) {
    this.#engine = engine;
    this.#egress = egress;
    this.#config = config;
    this.#beforeContext = beforeContext;
  }

  async open(request: ContextRequest, signal: AbortSignal): Promise<ContextLease> {
    const scope = new Scope();
    try {
      const lease = scope.own(await this.#engine.open(request, signal));
      await this.#beforeContext();
      const { gate } = this.#egress;
      const held = this.#egress.of(lease.generation);
      const listener = gate
        ? scope.own(
            await gate.openListener(request.session, request.narrower, signal, held.namespace),
          )
        : null;
      const { width, height } = this.#config.viewport;
      const context: BrowserContext = await within(
        signal,
        lease.browser.newContext({
          viewport: { width, height },
          acceptDownloads: true,
          ...(listener ? { proxy: listener.contextProxy } : {}),
        }),
      );
      scope.defer(() => context.close().catch(() => {}));
      banNodeRequests(context);
      return {
        context,
        generation: lease.generation,
        ...(this.#config.sessions.pageWindows === 'own' ? { newPage: ownWindows(context) } : {}),
        network: holdOf(held.level, held.reason, listener, this.#config),
        [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
      };
    } catch (error) {
      await scope[Symbol.asyncDispose]().catch(() => {});
      throw error;
    }
  }
}

function holdOf(
  level: NetworkHold['level'],
  reason: string,
  listener: GateListener | null,
  config: Config,
): NetworkHold {
  return {
    level,
    reason,
    get policy() {
      return listener?.policy.source ?? config.network;
    },
    get blockedCount() {
      return listener?.blockedCount ?? 0;
    },
    async blockedSince(at) {
      if (!listener) return [];
      await listener.flush();
      return listener.blocked().filter((entry) => entry.at >= at);
    },
    async failedSince(at) {
      if (!listener) return [];
      await listener.flush();
      return listener.failed().filter((entry) => entry.at >= at);
    },
    latestBlocked(count) {
      return listener?.blocked().slice(-count) ?? [];
    },
    async narrow(narrower) {
      await listener?.setPolicy(narrower);
    },
  };
}
