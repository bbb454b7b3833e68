import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { NetworkHold } from './network-hold.ts';
import type { EgressLevel, NetworkPolicy } from './network.ts';

/**
 * Where a launcher that stands before a browser notes what that was started with, a line an
 * argument, in the folder of the launch: the profile is known from the first moment of its life.
 */
export const ARGUMENTS_NOTE = 'arguments';

export interface BrowserFacts {
  /** Such as `chromium`, `chrome`, `headless-shell`. */
  readonly kind: string;
  readonly executablePath: string;
  readonly version: string;
  readonly isHeadless: boolean;
  readonly isSandboxed: boolean;
  readonly pid: number | null;
}

/**
 * A browser to use, not to close: disposing the lease gives it back, and only an owned browser
 * ends with its last lease's engine.
 */
export interface BrowserLease extends AsyncDisposable {
  readonly browser: Browser;
  readonly ownership: 'owned' | 'borrowed';
  readonly egress: EgressLevel;
  /** Counts launches, from 1; a dead browser is followed by the next generation. */
  readonly generation: number;
  readonly facts: BrowserFacts;
}

/** What every engine can be asked for. */
export interface OpenRequest {
  /** Told of slow steps: what is being done, in a few words. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** Where browsers come from. */
export interface Engine extends AsyncDisposable {
  /**
   * @throws `setup_needed` without a browser, `upstream` when it does not start, the signal's
   * reason when aborted.
   */
  open(request: OpenRequest, signal: AbortSignal): Promise<BrowserLease>;
  /** Ends a generation whose browser no longer answers, without waiting for its close. */
  abandon(generation: number, reason: string): void;
  /** Facts of the running browser, or null; never starts one. */
  readonly running: { readonly facts: BrowserFacts; readonly generation: number } | null;
}

/** A context of its own for one session, with the network held as its policy says. */
export interface ContextLease extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly generation: number;
  readonly network: NetworkHold;
  /** Opens a page, where that takes more than asking the context for one. */
  readonly newPage?: () => Promise<Page>;
}

export interface ContextRequest extends OpenRequest {
  /** Name of the session in files and logs. */
  readonly session: string;
  /** What its network policy has beyond the server's. */
  readonly narrower: Partial<NetworkPolicy>;
}

/** Composes engine and gate; sessions ask it and know neither. */
export interface ContextSource {
  open(request: ContextRequest, signal: AbortSignal): Promise<ContextLease>;
}
