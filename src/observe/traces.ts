import { readFile, rm } from 'node:fs/promises';
import type { BrowserContext } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Artifact, ArtifactStore } from '../model/artifact.ts';
import { redactHar } from './har.ts';
import { keepRecording, workingFile } from './recorded-file.ts';

/** What a recording of a context may be: Playwright's trace, or a HAR of its requests. */
type Kind = 'trace' | 'har';

interface Recording {
  readonly startedAt: number;
  /** Where Playwright writes the HAR; a trace is written when it ends. */
  readonly file: string | null;
}

export interface Ended {
  readonly file: Artifact;
  readonly durationMs: number;
}

/** Recordings of whole sessions, at most one of a kind each. */
export class Traces {
  readonly #running: Record<Kind, WeakMap<BrowserContext, Recording>> = {
    trace: new WeakMap(),
    har: new WeakMap(),
  };
  readonly #artifacts: ArtifactStore;

  constructor(artifacts: ArtifactStore) {
    this.#artifacts = artifacts;
  }

  isRunning(kind: Kind, context: BrowserContext): boolean {
    return this.#running[kind].has(context);
  }

  /** @throws `busy` when one runs already. */
  async startTrace(
    context: BrowserContext,
    options: { readonly snapshots: boolean; readonly screenshots: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    this.#begin('trace', context, null);
    await this.#orForget('trace', context, within(signal, context.tracing.start({ ...options })));
  }

  /** @throws `not_found` when none runs. */
  async stopTrace(context: BrowserContext, session: string, signal: AbortSignal): Promise<Ended> {
    const { startedAt } = this.#end('trace', context);
    const as = { session, prefix: 'trace', extension: 'zip', mimeType: 'application/zip' };
    const file = await keepRecording(this.#artifacts, as, (path) =>
      within(signal, context.tracing.stop({ path })),
    );
    return { file, durationMs: Date.now() - startedAt };
  }

  /** @throws `busy` when one runs already. */
  async startHar(
    context: BrowserContext,
    session: string,
    options: { readonly content: 'omit' | 'embed'; readonly urlFilter: string | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const path = await workingFile(this.#artifacts, session, 'har');
    this.#begin('har', context, path);
    const { content, urlFilter } = options;
    const settings = { content, ...(urlFilter === undefined ? {} : { urlFilter }) };
    await this.#orForget('har', context, within(signal, context.tracing.startHar(path, settings)));
  }

  /** @throws `not_found` when none runs. */
  async stopHar(context: BrowserContext, session: string, signal: AbortSignal): Promise<Ended> {
    const { startedAt, file } = this.#end('har', context);
    const path = file ?? '';
    try {
      await within(signal, context.tracing.stopHar());
      const content = redactHar(await readFile(path, 'utf8'));
      const as = { session, prefix: 'requests', extension: 'har', mimeType: 'application/json' };
      return {
        file: await this.#artifacts.put({ ...as, content }),
        durationMs: Date.now() - startedAt,
      };
    } finally {
      await rm(path, { force: true });
    }
  }

  #begin(kind: Kind, context: BrowserContext, file: string | null): void {
    if (this.#running[kind].has(context)) {
      throw new OrielError('busy', `A ${kind} of this session is being recorded already.`, {
        hint: `End it with browser_${kind} {"action": "stop"}.`,
      });
    }
    this.#running[kind].set(context, { startedAt: Date.now(), file });
  }

  async #orForget(kind: Kind, context: BrowserContext, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (thrown) {
      this.#running[kind].delete(context);
      throw thrown;
    }
  }

  #end(kind: Kind, context: BrowserContext): Recording {
    const running = this.#running[kind].get(context);
    if (!running) {
      throw new OrielError('not_found', `No ${kind} of this session is being recorded.`, {
        hint: `Begin one with browser_${kind} {"action": "start"}.`,
      });
    }
    this.#running[kind].delete(context);
    return running;
  }
}
