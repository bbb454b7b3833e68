import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { within } from '../kernel/deadline.ts';
import { OrielError, firstLine, isOrielError } from '../kernel/errors.ts';
import type { OpenRequest } from '../model/engine.ts';
import { Breaker } from './breaker.ts';
import type { FoundBrowser, Progress } from './browser-kind.ts';
import { DeathWatch } from './death-watch.ts';
import type { AmendLaunch, EngineStatus, LocalLease, ProcessEngine } from './engine.ts';
import type { HostFacts } from './host-facts.ts';
import { findBrowser } from './ladder.ts';
import { checkOperatorArgs } from './launch-flags.ts';
import { loadPlaywright } from './load-playwright.ts';
import { LaunchedBrowser } from './launched-browser.ts';
import { listProcesses } from './process-table.ts';
import { endLeftBrowsers } from './reaper.ts';

export interface LocalEngineOptions {
  readonly executablePath?: string | undefined;
  readonly headless: boolean;
  /** Oriel's data folder; the records of running browsers lie in `run/browsers` below it. */
  readonly dataDir: string;
  readonly host: HostFacts;
  /** `auto` turns Chromium's sandbox off for root alone, where it cannot work. Default `auto`. */
  readonly sandbox?: 'auto' | boolean;
  /** Switches of the operator; those that the engine relies on are refused by the constructor. */
  readonly args?: readonly string[];
  /** Default 60,000: a busy machine may need 20 s and more. */
  readonly startTimeoutMs?: number;
  readonly amendLaunch?: AmendLaunch;
  /** Default: 1 s after the first failure, doubled up to 60 s. */
  readonly breaker?: Breaker;
}

/**
 * One Chromium on this machine, started on demand and shared by all who ask. Callers that ask at
 * the same time wait for the same start; a browser that died is noticed when the next one asks.
 */
export class LocalEngine implements ProcessEngine {
  readonly #options: LocalEngineOptions;
  readonly #sandbox: EngineStatus['sandbox'];
  readonly #breaker: Breaker;
  readonly #ownerId = randomBytes(12).toString('hex');
  readonly #closing = new AbortController();
  readonly #listeners = new Set<Progress>();
  #current: LaunchedBrowser | undefined;
  #starting: Promise<LaunchedBrowser> | undefined;
  #generation = 0;
  #leases = 0;
  #watch: DeathWatch | undefined;
  #disposal: Promise<void> | undefined;

  /** Throws `bad_input` for operator arguments that are not allowed. Starts nothing. */
  constructor(options: LocalEngineOptions) {
    checkOperatorArgs(options.args ?? []);
    this.#options = options;
    this.#sandbox = decideSandbox(options.sandbox ?? 'auto', options.host);
    this.#breaker = options.breaker ?? new Breaker(1000, 60_000);
  }

  async open(request: OpenRequest, signal: AbortSignal): Promise<LocalLease> {
    signal.throwIfAborted();
    const { onProgress: progress } = request;
    if (progress) this.#listeners.add(progress);
    try {
      return this.#lease(await within(signal, this.#acquire()));
    } finally {
      if (progress) this.#listeners.delete(progress);
    }
  }

  get running(): ProcessEngine['running'] {
    const launched = this.#running();
    return launched ? { facts: launched.facts, generation: launched.generation } : null;
  }

  abandon(generation: number, reason: string): void {
    if (this.#current?.generation === generation) void this.#current.end(reason);
  }

  status(): EngineStatus {
    const running = this.#running();
    const failure = this.#breaker.lastFailure;
    return {
      state: this.#state(),
      generation: this.#generation,
      leases: this.#leases,
      headless: this.#options.headless,
      sandbox: this.#sandbox,
      isWatched: this.#watch?.isRunning === true,
      ...(running === undefined ? {} : { browser: describeBrowser(running) }),
      ...(failure === undefined
        ? {}
        : {
            failure: {
              message: reasonOf(failure),
              tries: this.#breaker.failures,
              waitMs: this.#breaker.waitMs,
            },
          }),
    };
  }

  /** Closes the browser, or ends it when it does not close within 5 s. */
  [Symbol.asyncDispose](): Promise<void> {
    return (this.#disposal ??= this.#close());
  }

  #running(): LaunchedBrowser | undefined {
    const current = this.#current;
    return current?.browser.isConnected() === true && !current.gone.aborted ? current : undefined;
  }

  #state(): EngineStatus['state'] {
    if (this.#closing.signal.aborted) return 'closed';
    if (this.#running()) return 'running';
    if (this.#starting) return 'starting';
    return this.#breaker.failures > 0 ? 'failing' : 'idle';
  }

  #acquire(): Promise<LaunchedBrowser> {
    if (this.#closing.signal.aborted) {
      return Promise.reject(closedError());
    }
    const running = this.#running();
    if (running) return Promise.resolve(running);
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(): Promise<LaunchedBrowser> {
    const { waitMs, lastFailure } = this.#breaker;
    if (waitMs > 0) throw backingOff(lastFailure, this.#breaker.failures, waitMs);
    // A browser that is not there is no failed start: the moment it is installed it is used.
    const found = findBrowser(this.#options);
    try {
      // The last one may still be on its way out; two at once would hold twice the memory.
      await this.#current?.end('it is replaced');
      const launched = await this.#launch(found);
      this.#current = launched;
      this.#breaker.recordSuccess();
      return launched;
    } catch (failure) {
      if (this.#closing.signal.aborted) throw closedError();
      this.#breaker.recordFailure(failure);
      throw failure;
    }
  }

  async #launch(found: FoundBrowser): Promise<LaunchedBrowser> {
    const { host, dataDir, amendLaunch } = this.#options;
    const signal = this.#closing.signal;
    const recordFolder = join(dataDir, 'run', 'browsers');
    const generation = this.#generation + 1;
    const amending = amendLaunch?.(generation, signal);
    const tidying = this.#watch?.isRunning === true ? undefined : this.#watchAndTidy(recordFolder);
    const preparing = Promise.all([amending, ownStart(), tidying]);
    // It stops this process, so it comes when the gate's processes, begun above, are on their way.
    setImmediate(preload);
    const [amendment, ownerStartedAt] = await preparing;
    this.#generation = generation;
    return LaunchedBrowser.launch(
      {
        found,
        headless: this.#options.headless,
        sandbox: this.#sandbox.isOn,
        args: this.#options.args ?? [],
        env: host.env,
        tempDir: host.tempDir,
        startTimeoutMs: this.#options.startTimeoutMs ?? 60_000,
        launchId: `${this.#ownerId}-${generation}`,
        generation,
        recordFolder,
        ownerStartedAt,
        amendment,
        progress: (note) => this.#tell(note),
      },
      signal,
    );
  }

  async #watchAndTidy(recordFolder: string): Promise<void> {
    this.#watch = DeathWatch.start(recordFolder, this.#ownerId);
    const ended = await endLeftBrowsers(recordFolder).catch(() => 0);
    if (ended > 0) this.#tell(`Ended ${ended} browser(s) that an earlier run had left.`);
  }

  #lease(launched: LaunchedBrowser): LocalLease {
    this.#leases += 1;
    let isHeld = true;
    return {
      browser: launched.browser,
      ownership: 'owned',
      egress: launched.egress,
      generation: launched.generation,
      get facts() {
        return launched.facts;
      },
      gone: launched.gone,
      [Symbol.asyncDispose]: async () => {
        if (isHeld) this.#leases -= 1;
        isHeld = false;
      },
    };
  }

  #tell(note: string): void {
    for (const listener of this.#listeners) listener(note);
  }

  async #close(): Promise<void> {
    this.#closing.abort(closedError());
    await this.#starting?.catch(() => {});
    await this.#current?.[Symbol.asyncDispose]();
    this.#watch?.[Symbol.dispose]();
  }
}

/** The launch reports a failure. */
function preload(): void {
  try {
    loadPlaywright();
  } catch {}
}

function decideSandbox(wanted: 'auto' | boolean, host: HostFacts): EngineStatus['sandbox'] {
  if (wanted === true) return { isOn: true };
  if (wanted === false) return { isOn: false, reason: 'turned off by configuration' };
  return host.platform === 'linux' && host.isRoot
    ? { isOn: false, reason: 'Chromium has no sandbox when it runs as root' }
    : { isOn: true };
}

function describeBrowser(launched: LaunchedBrowser): NonNullable<EngineStatus['browser']> {
  const { source, warning } = launched.found;
  return {
    ...launched.facts,
    source,
    egress: launched.egress,
    startedInMs: launched.startedInMs,
    ...(warning === undefined ? {} : { warning }),
  };
}

/** No page has a word in a launch, so what an unexpected failure says is told as it is. */
function reasonOf(failure: unknown): string {
  if (isOrielError(failure)) return failure.message;
  return firstLine(failure instanceof Error ? failure.message : String(failure));
}

function backingOff(lastFailure: unknown, failures: number, waitMs: number): OrielError {
  const last = isOrielError(lastFailure) ? lastFailure : undefined;
  const seconds = Math.max(1, Math.round(waitMs / 1000));
  return new OrielError(
    last?.code ?? 'upstream',
    `The browser failed to start ${failures} time(s); the next try is in ${seconds} s. ${reasonOf(lastFailure)}`,
    { hint: last?.hint, cause: lastFailure, details: { ...last?.details, failures, waitMs } },
  );
}

function closedError(): OrielError {
  return new OrielError('cancelled', 'Oriel is shutting down; no browser is started any more.');
}

async function ownStart(): Promise<string> {
  const rows = await listProcesses().catch(() => []);
  return rows.find(({ pid }) => pid === process.pid)?.startedAt ?? '';
}
