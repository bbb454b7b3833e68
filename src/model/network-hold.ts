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
  /**
   * Puts a narrower policy in force; tunnels that it would not have let in are cut.
   *
   * @throws `denied` when it would widen the server's.
   */
  narrow(narrower: Partial<NetworkPolicy>): Promise<void>;
}
