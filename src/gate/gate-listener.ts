import { Ring } from '../kernel/ring.ts';
import type { NetworkPolicy } from '../model/network.ts';
import type { AuditRecord, AuditRule } from './audit.ts';
import { explain, explainFailure } from './explain.ts';
import type { Answer, GateRequest } from './gate-messages.ts';
import { proxyServer } from './launch-args.ts';
import { narrow } from './narrow.ts';
import type { CompiledPolicy } from './policy.ts';

const KEPT_REFUSALS = 200;
const KEPT_FAILURES = 50;

/** One refused connection, fit for an agent: nothing of what a name resolved to. */
export interface Blocked {
  readonly at: number;
  readonly host: string;
  readonly port: number;
  readonly rule: AuditRule;
  readonly reason: string;
  readonly remedy: string;
  /** How many connections this stands for. */
  readonly count: number;
}

/** A connection that was allowed and did not come about. */
export interface Failed {
  readonly at: number;
  readonly host: string;
  readonly port: number;
  readonly reason: string;
  readonly remedy: string;
  /** The system's name for it, such as ECONNREFUSED. */
  readonly error: string;
}

/** What a listener needs of its gate. */
export interface ListenerGate {
  readonly ask: (request: GateRequest) => Promise<Answer>;
  readonly basePolicy: () => CompiledPolicy;
  readonly onDisposed: () => void;
}

/** One session's way out: a SOCKS5 listener that no other session shares. */
export class GateListener implements AsyncDisposable {
  readonly session: string;
  readonly port: number;
  /** For the `proxy` of the session's browser context, or the launch flag of its own browser. */
  readonly proxyServer: string;
  readonly #gate: ListenerGate;
  readonly #refusals = new Ring<Blocked>(KEPT_REFUSALS);
  readonly #failures = new Ring<Failed>(KEPT_FAILURES);
  #policy: CompiledPolicy;
  #narrower: Partial<NetworkPolicy>;
  #blockedCount = 0;

  constructor(
    session: string,
    label: string,
    port: number,
    policy: CompiledPolicy,
    narrower: Partial<NetworkPolicy>,
    gate: ListenerGate,
  ) {
    this.session = session;
    this.port = port;
    // A name of its own keeps the sockets of two sessions apart in the browser's pools as well.
    this.proxyServer = proxyServer(`s${port}`, label, port);
    this.#policy = policy;
    this.#narrower = narrower;
    this.#gate = gate;
  }

  /** The `proxy` option of the session's context; the bypass keeps loopback in the proxy. */
  get contextProxy(): { server: string; bypass: string } {
    return { server: this.proxyServer, bypass: '<-loopback>' };
  }

  /** The policy in force. */
  get policy(): CompiledPolicy {
    return this.#policy;
  }

  get narrower(): Partial<NetworkPolicy> {
    return this.#narrower;
  }

  /** How many connections were refused so far. */
  get blockedCount(): number {
    return this.#blockedCount;
  }

  /** The latest refusals, newest last. */
  blocked(): readonly Blocked[] {
    return this.#refusals.toArray();
  }

  /** The latest connections that were let out and failed, newest last. */
  failed(): readonly Failed[] {
    return this.#failures.toArray();
  }

  /** The latest refusal of this host since `since` (milliseconds since the epoch). */
  blockedSince(since: number, host?: string): Blocked | undefined {
    return this.blocked().findLast(
      (entry) => entry.at >= since && (host === undefined || entry.host === host),
    );
  }

  /**
   * Waits until every refusal that the browser has already seen is in {@link blocked}: the page
   * can learn of one before its line has come over.
   */
  async flush(): Promise<void> {
    await this.#gate.ask({ type: 'flush' });
  }

  /**
   * Narrows the session to something else under the server's policy, and cuts what would not
   * have been let in.
   * @throws OrielError `denied` when it would widen; nothing changes then
   */
  async setPolicy(narrower: Partial<NetworkPolicy>): Promise<void> {
    const policy = narrow(this.#gate.basePolicy(), narrower);
    await this.#gate.ask({ type: 'setPolicy', session: this.session, policy: policy.source });
    this.#policy = policy;
    this.#narrower = narrower;
  }

  /** Takes over what the gate has put in force. For {@link Gate} alone. */
  adopt(policy: CompiledPolicy): void {
    this.#policy = policy;
  }

  /** Notes an audit line of this session. For {@link Gate} alone. */
  note(record: AuditRecord): void {
    const { at, host, port, rule, count } = record;
    if (record.end === 'failed') {
      const { error = '' } = record;
      this.#failures.push({ at, host, port, error, ...explainFailure(host, port, error) });
    }
    if (record.decision !== 'block') return;
    this.#blockedCount += count;
    this.#refusals.push({ at, host, port, rule, count, ...words(record) });
  }

  /** Closes the listener and cuts the session's connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#gate.onDisposed();
    // A gate that has ended took the listener with it.
    await this.#gate.ask({ type: 'closeSession', session: this.session }).catch(() => {});
  }
}

function words(record: AuditRecord): { reason: string; remedy: string } {
  if (record.refusal) return explain(record.refusal);
  if (record.rule === 'upstream') {
    return {
      reason: `The upstream proxy refused ${record.host} (${record.status ?? 'no status'}).`,
      remedy: 'Only whoever runs that proxy can allow it.',
    };
  }
  if (record.rule === 'peer') {
    return {
      reason: 'A process that is not this browser used the session’s listener.',
      remedy: 'Nothing needs to be done; it was turned away.',
    };
  }
  return {
    reason: 'Too many connections were open at once.',
    remedy: 'Close pages that hold many connections, then try again.',
  };
}
