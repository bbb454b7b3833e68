import type { EgressLevel, NetworkPolicy } from './network.ts';

/** One refused connection, fit for an agent: nothing of what a name resolved to. */
export interface BlockedConnection {
  readonly host: string;
  readonly port: number;
  readonly rule: string;
  readonly reason: string;
  /** How an operator would allow it. */
  readonly remedy: string;
  /** How many connections this stands for. */
  readonly count: number;
}

/** A connection that was allowed and did not come about. */
export interface FailedConnection {
  readonly host: string;
  readonly port: number;
  /** What happened, in one sentence. */
  readonly reason: string;
  /** What whoever asked for it can do. */
  readonly remedy: string;
  /** The system's name for it, such as ECONNREFUSED. */
  readonly error: string;
}

/** What holds the traffic of one session. */
export interface NetworkHold {
  readonly level: EgressLevel;
  /** Why the level is not a higher one; empty at the highest. */
  readonly reason: string;
  /** The policy in force. */
  readonly policy: NetworkPolicy;
  /** How many connections were refused so far. */
  readonly blockedCount: number;
  /** The latest refusals since a time in milliseconds since the epoch, newest last. */
  blockedSince(at: number): Promise<readonly BlockedConnection[]>;
  /** The latest connections that were let out and failed since then, newest last. */
  failedSince(at: number): Promise<readonly FailedConnection[]>;
  /** The last refusals of all, newest last, at most `count`; asks nobody. */
  latestBlocked(count: number): readonly BlockedConnection[];
  /**
   * Puts a narrower policy in force; tunnels that it would not have let in are cut.
   *
   * @throws `denied` when it would widen the server's.
   */
  narrow(narrower: Partial<NetworkPolicy>): Promise<void>;
}
