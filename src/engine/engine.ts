import type { Browser } from 'playwright-core';
import type { BrowserFacts, BrowserLease, Engine, OpenRequest } from '../model/engine.ts';
import type { EgressLevel } from '../model/network.ts';
import type { BrowserSource } from './browser-kind.ts';

/** A lease that tells when its browser has gone. */
export interface LocalLease extends BrowserLease {
  /** Aborts when this browser has gone, with an OrielError `gone` as its reason. */
  readonly gone: AbortSignal;
}

/** An engine whose browser is a process of ours. */
export interface ProcessEngine extends Engine {
  open(request: OpenRequest, signal: AbortSignal): Promise<LocalLease>;
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
  /**
   * The executable to start in place of `path`, such as a script that enters a namespace first.
   *
   * @param folder - For its files; it goes with the launch, however that ends.
   */
  wrapExecutable?(path: string, folder: string, signal: AbortSignal): Promise<string>;
  /** Throws when the started browser must not be used; it is then ended. */
  verify?(browser: Browser, signal: AbortSignal): Promise<void>;
  /** When this aborts the browser is ended at once. */
  readonly mustEnd?: AbortSignal;
}

export type AmendLaunch = (generation: number, signal: AbortSignal) => Promise<LaunchAmendment>;
