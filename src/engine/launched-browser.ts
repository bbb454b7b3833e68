import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { sleep, within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { BrowserFacts } from '../model/engine.ts';
import type { EgressLevel } from '../model/network.ts';
import type { FoundBrowser, Progress } from './browser-kind.ts';
import type { LaunchAmendment } from './engine.ts';
import { BASE_FLAGS, browserEnvironment } from './launch-flags.ts';
import { explainLaunchFailure } from './launch-failure.ts';
import {
  LAUNCH_SWITCH,
  type LaunchRecord,
  findMarked,
  profileFolder,
  writeRecord,
} from './launch-record.ts';
import { loadPlaywright } from './load-playwright.ts';
import { listProcesses } from './process-table.ts';
import { endLaunch } from './reaper.ts';

/** How long a browser may take to close in good order before it is ended. */
const CLOSE_MS = 5000;
const PROGRESS_EVERY_MS = 5000;

export interface LaunchPlan {
  readonly found: FoundBrowser;
  readonly headless: boolean;
  readonly sandbox: boolean;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tempDir: string;
  readonly startTimeoutMs: number;
  readonly launchId: string;
  readonly generation: number;
  readonly recordFolder: string;
  readonly ownerStartedAt: string;
  readonly amendment: LaunchAmendment | undefined;
  readonly progress: Progress;
}

/** One browser process of ours, from its start to the last trace of it. */
export class LaunchedBrowser implements AsyncDisposable {
  readonly browser: Browser;
  readonly found: FoundBrowser;
  readonly generation: number;
  readonly egress: EgressLevel;
  readonly startedInMs: number;
  readonly #plan: LaunchPlan;
  readonly #notes: LaunchNotes;
  readonly #gone = new AbortController();
  #ending: Promise<void> | undefined;

  private constructor(browser: Browser, plan: LaunchPlan, notes: LaunchNotes, startedInMs: number) {
    this.browser = browser;
    this.found = plan.found;
    this.generation = plan.generation;
    this.egress = plan.amendment?.egress ?? 'none';
    this.startedInMs = startedInMs;
    this.#plan = plan;
    this.#notes = notes;
    browser.on('disconnected', () => void this.end('it ended or crashed'));
    const mustEnd = plan.amendment?.mustEnd;
    if (mustEnd?.aborted) void this.end('its network gate ended');
    mustEnd?.addEventListener('abort', () => void this.end('its network gate ended'), {
      once: true,
      signal: this.#gone.signal,
    });
  }

  /**
   * Starts the browser and proves that it may be used. Owns the plan's amendment: it is disposed
   * when this throws and when the browser ends. Throws `setup_needed`, `upstream` or the reason of
   * `signal`; nothing is left running then.
   */
  static async launch(plan: LaunchPlan, signal: AbortSignal): Promise<LaunchedBrowser> {
    const startedAt = performance.now();
    const notes = new LaunchNotes(plan);
    const starting = startBrowser(plan, notes, signal);
    try {
      await using _ticker = tick(plan, signal);
      const browser = await within(signal, starting);
      const startedInMs = Math.round(performance.now() - startedAt);
      const launched = new LaunchedBrowser(browser, plan, notes, startedInMs);
      try {
        await plan.amendment?.verify?.(browser, signal);
        launched.gone.throwIfAborted();
      } catch (failure) {
        await launched.end('it was refused');
        throw failure;
      }
      return launched;
    } catch (failure) {
      await notes.endAll();
      // A start that was given up may still be on its way to a process; that is ended as well.
      const late = starting.then((browser) => browser.close()).catch(() => {});
      await within(AbortSignal.timeout(CLOSE_MS), late).catch(() => {});
      await notes.endAll();
      await disposeQuietly(plan.amendment);
      signal.throwIfAborted();
      throw explainLaunchFailure(plan.found, failure);
    }
  }

  /** Aborts when the browser has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get facts(): BrowserFacts {
    const { found, headless, sandbox } = this.#plan;
    return {
      kind: found.isHeadlessShell ? 'headless-shell' : found.kind,
      executablePath: found.path,
      version: this.browser.version(),
      isHeadless: headless,
      isSandboxed: sandbox,
      pid: this.#notes.mainPid ?? null,
    };
  }

  /** Ends the browser without asking it; safe to call again. Never throws. */
  end(reason: string): Promise<void> {
    if (!this.#gone.signal.aborted) this.#gone.abort(goneError(this.generation, reason));
    return (this.#ending ??= this.#clear());
  }

  /** Closes in good order, and ends the browser when that takes longer than 5 s. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#gone.signal.aborted) {
      this.#gone.abort(goneError(this.generation, 'Oriel closed it'));
    }
    await within(AbortSignal.timeout(CLOSE_MS), this.browser.close()).catch(() => {});
    await this.end('Oriel closed it');
  }

  async #clear(): Promise<void> {
    await this.#notes.endAll();
    // Lets Playwright see the end, so that its own folders go too.
    await within(AbortSignal.timeout(CLOSE_MS), this.browser.close()).catch(() => {});
    await disposeQuietly(this.#plan.amendment);
  }
}

/** What the record folder knows of a launch, kept up to date while the browser starts. */
class LaunchNotes {
  readonly #plan: LaunchPlan;
  readonly #over = new AbortController();
  #following: Promise<void> | undefined;
  record: LaunchRecord;
  /** The browser itself, where {@link record} may name a script that started it. */
  mainPid: number | undefined;

  constructor(plan: LaunchPlan) {
    this.#plan = plan;
    this.record = {
      launchId: plan.launchId,
      ownerPid: process.pid,
      ownerStartedAt: plan.ownerStartedAt,
      tempFolders: [],
    };
  }

  /** Notes the folder, then looks for the process until it shows, and notes that. */
  begin(artifactsFolder: string): void {
    this.record = { ...this.record, tempFolders: [artifactsFolder] };
    this.#following = this.#follow(artifactsFolder).catch(() => {});
  }

  /** Ends what runs of the launch and clears its folders; safe to call again. Never throws. */
  async endAll(): Promise<void> {
    this.#over.abort();
    // A note that is still being written would outlast its removal.
    await this.#following;
    await listProcesses()
      .then((rows) => endLaunch(this.#plan.recordFolder, this.record, rows, 0))
      .catch(() => {});
  }

  async #follow(artifactsFolder: string): Promise<void> {
    await this.#write(this.record);
    const giveUpAt = performance.now() + this.#plan.startTimeoutMs;
    for (let waitMs = 30; performance.now() < giveUpAt; waitMs *= 1.5) {
      await sleep(Math.min(waitMs, 2000), this.#over.signal);
      const marked = findMarked(await listProcesses(), this.#plan.launchId);
      const main = marked.find(({ pid }) => marked.every((row) => row.parentPid !== pid));
      const root =
        marked.find((row) => row.parentPid === process.pid) ??
        marked.find((row) => row.groupId === row.pid) ??
        marked[0];
      const profile = root && profileFolder(root);
      if (root === undefined || profile === undefined) continue;
      this.mainPid = main?.pid;
      await this.#write({
        ...this.record,
        pid: root.pid,
        startedAt: root.startedAt,
        tempFolders: [artifactsFolder, profile],
      });
      return;
    }
  }

  async #write(record: LaunchRecord): Promise<void> {
    this.record = record;
    // On a full or read-only disk the mark in the command line alone must do.
    await writeRecord(this.#plan.recordFolder, record).catch(() => {});
  }
}

async function startBrowser(
  plan: LaunchPlan,
  notes: LaunchNotes,
  signal: AbortSignal,
): Promise<Browser> {
  const { found, amendment } = plan;
  const artifactsDir = await mkdtemp(join(plan.tempDir, 'oriel-launch-'));
  notes.begin(artifactsDir);
  const executablePath =
    (await amendment?.wrapExecutable?.(found.path, artifactsDir, signal)) ?? found.path;
  const { chromium } = loadPlaywright();
  signal.throwIfAborted();
  return chromium.launch({
    executablePath,
    headless: plan.headless,
    chromiumSandbox: plan.sandbox,
    args: [
      ...BASE_FLAGS,
      ...plan.args,
      ...(amendment?.launchArgs ?? []),
      `${LAUNCH_SWITCH}${plan.launchId}`,
    ],
    env: { ...browserEnvironment(plan.env), ...found.env },
    artifactsDir,
    timeout: plan.startTimeoutMs,
    // The process that hosts us decides what a signal means.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Says every few seconds that the browser is still starting, until disposed. */
function tick(plan: LaunchPlan, signal: AbortSignal): AsyncDisposable {
  const startedAt = performance.now();
  const stop = new AbortController();
  const both = AbortSignal.any([stop.signal, signal]);
  plan.progress(`Starting the browser ${plan.found.path}.`);
  const loop = (async () => {
    for (;;) {
      await sleep(PROGRESS_EVERY_MS, both);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      plan.progress(`The browser is still starting, ${seconds} s so far.`);
    }
  })().catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await loop;
    },
  };
}

/** Disposes what was lent for a launch; its owner reports failures of its own. Idempotent there. */
async function disposeQuietly(amendment: LaunchAmendment | undefined): Promise<void> {
  try {
    await amendment?.[Symbol.asyncDispose]();
  } catch {
    // The browser has ended, which is what matters here.
  }
}

function goneError(generation: number, reason: string): OrielError {
  return new OrielError('gone', `Browser generation ${generation} has gone: ${reason}.`, {
    hint: 'Its pages are lost; call again to work in a new browser.',
    details: { generation },
  });
}
