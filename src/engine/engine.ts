import type { Browser } from 'playwright-core';
import type { EgressLevel } from '../model/network.ts';
import type { BrowserSource, Progress } from './browser-kind.ts';

export interface BrowserFacts {
  /** Such as `chromium`, `chrome`, `headless-shell`. */
  readonly kind: string;
  readonly executablePath: string;
  /** As the browser reports it, such as `156.0.8078.73`. */
  readonly version: string;
  readonly isHeadless: boolean;
  readonly isSandboxed: boolean;
  /** Null until the process has been seen, and where it cannot be. */
  readonly pid: number | null;
}

export interface OpenRequest {
  /** Told of slow steps: what is being done, in a few words. */
  readonly onProgress?: Progress | undefined;
}

/**
 * A browser to use for a while. Disposing gives it back: an owned browser may live on for others,
 * a borrowed one is disconnected and never closed.
 */
export interface BrowserLease extends AsyncDisposable {
  readonly browser: Browser;
  readonly ownership: 'owned' | 'borrowed';
  readonly egress: EgressLevel;
  /** Counts the browser processes of this engine, from 1. */
  readonly generation: number;
  readonly facts: BrowserFacts;
  /** Aborts when this browser has gone, with an OrielError `gone` as its reason. */
  readonly gone: AbortSignal;
}

/** Where browsers come from. */
export interface Engine extends AsyncDisposable {
  /**
   * A running browser, started if need be. A cancelled caller stops waiting; the start goes on
   * for the others. Throws `setup_needed` or `upstream` when no browser can be had, else the
   * signal's reason.
   */
  open(request: OpenRequest, signal: AbortSignal): Promise<BrowserLease>;
  /** Facts of the running browser, or null; never starts one. */
  readonly running: { readonly facts: BrowserFacts; readonly generation: number } | null;
  /** Ends a generation whose browser no longer answers, without waiting for it to close. */
  abandon(generation: number, reason: string): void;
  /** What stands now; never starts or asks a browser. */
  status(): EngineStatus;
}

export interface EngineStatus {
  readonly state: 'idle' | 'starting' | 'running' | 'failing' | 'closed';
  /** Of the running or last browser; 0 before the first. */
  readonly generation: number;
  /** Leases that have not been given back. */
  readonly leases: number;
  readonly headless: boolean;
  /** Whether Chromium's own sandbox is on, and why not. */
  readonly sandbox: { readonly isOn: boolean; readonly reason?: string };
  readonly browser?: BrowserFacts & {
    readonly source: BrowserSource;
    readonly egress: EgressLevel;
    readonly startedInMs: number;
    readonly warning?: string;
  };
  /** Why the last start failed, and when the next is allowed. */
  readonly failure?: { readonly message: string; readonly tries: number; readonly waitMs: number };
  /** True when a process stands by that ends the browser should ours die. */
  readonly isWatched: boolean;
}

/**
 * What another part adds to one launch, such as the network gate. Disposed when that browser ends
 * or does not start; possibly twice.
 */
export interface LaunchAmendment extends AsyncDisposable {
  /** Switches added last; not subject to the check of the operator's own. */
  readonly launchArgs: readonly string[];
  readonly egress: EgressLevel;
  /** The executable to start in place of `path`, such as a script that enters a namespace first. */
  wrapExecutable?(path: string, signal: AbortSignal): Promise<string>;
  /** Throws when the started browser must not be used; it is then ended. */
  verify?(browser: Browser, signal: AbortSignal): Promise<void>;
  /** When this aborts the browser is ended at once. */
  readonly mustEnd?: AbortSignal;
}

export type AmendLaunch = (generation: number, signal: AbortSignal) => Promise<LaunchAmendment>;
