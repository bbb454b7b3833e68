import type { NetworkPolicy } from '../model/network.ts';
import type { AuditRecord } from './audit.ts';
import type { GateLimits } from './session-listener.ts';

/** Switches that only tests turn; they travel in the start message, never in the environment. */
export interface GateTesting {
  /** Judged address, or `address:port`, to the loopback server that stands for it. */
  readonly dialMap?: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
  readonly ownAddresses?: readonly string[];
  readonly limits?: Partial<GateLimits>;
}

/** What the host asks of its gate; each is answered by `done` or `failed` with its number. */
export type GateRequest =
  | {
      readonly type: 'start';
      readonly policy: NetworkPolicy;
      readonly controlPorts: readonly number[];
      readonly checksPeers: boolean;
      readonly testing: GateTesting | undefined;
    }
  | {
      readonly type: 'open';
      readonly session: string;
      readonly policy: NetworkPolicy;
      readonly namespace: string | undefined;
    }
  | { readonly type: 'setPolicy'; readonly session: string; readonly policy: NetworkPolicy }
  | {
      readonly type: 'setBasePolicy';
      readonly policy: NetworkPolicy;
      readonly sessions: Readonly<Record<string, NetworkPolicy>>;
    }
  | { readonly type: 'setControlPorts'; readonly ports: readonly number[] }
  | { readonly type: 'closeSession'; readonly session: string }
  | {
      readonly type: 'openNamespace';
      readonly namespace: string;
      readonly command: readonly string[];
    }
  | { readonly type: 'closeNamespace'; readonly namespace: string }
  | { readonly type: 'flush' }
  | { readonly type: 'close' };

export type ToGate = GateRequest & { readonly request: number };

/** What the gate says to its host. */
export type FromGate =
  | { readonly type: 'done'; readonly request: number; readonly value: Answer }
  | { readonly type: 'failed'; readonly request: number; readonly message: string }
  | { readonly type: 'audited'; readonly record: AuditRecord };

/** The answers that carry something: a port, and the process that lives in a namespace. */
export interface Answer {
  readonly port?: number;
  readonly pid?: number;
}
