import type { ConnectRule, Refusal } from './refusal.ts';

/** The session name under which what belongs to no session is refused and recorded. */
export const BASE_SESSION = 'base';

/** What decided on a connection: a rule of the policy, or what happened besides the policy. */
export type AuditRule = ConnectRule | 'allowed' | 'peer' | 'over_limit' | 'upstream';

/** One line for each CONNECT; equal refusals within a second are folded into one. */
export interface AuditRecord {
  /** Milliseconds since the epoch at which the connection was decided. */
  readonly at: number;
  /** The session's id, or `base` for what belongs to no session. */
  readonly session: string;
  readonly host: string;
  readonly port: number;
  readonly decision: 'allow' | 'block';
  readonly rule: AuditRule;
  readonly refusal?: Refusal;
  /** What the host resolved to. For the operator alone, never for an agent. */
  readonly addresses: readonly string[];
  /** The address connected to, or `upstream`. */
  readonly dialled?: string;
  /** From the request to the reply, in milliseconds. */
  readonly ms: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  /** How it ended: refused by us, failed to connect (with its code), closed, or cut by us. */
  readonly end: 'refused' | 'failed' | 'closed' | 'cut';
  readonly error?: string;
  /** The status that an upstream proxy refused with. */
  readonly status?: number;
  /** How many connections this line stands for. */
  readonly count: number;
}

const FOLD_MS = 1000;
const MAX_FOLDED = 1000;

/** Passes records on, the first of its kind at once and its repeats once a second as one. */
export class AuditFold implements Disposable {
  readonly #write: (record: AuditRecord) => void;
  readonly #repeats = new Map<string, AuditRecord | undefined>();
  readonly #timer: NodeJS.Timeout;

  constructor(write: (record: AuditRecord) => void) {
    this.#write = write;
    this.#timer = setInterval(() => this.#flush(), FOLD_MS).unref();
  }

  add(record: AuditRecord): void {
    if (record.decision === 'allow' && record.end !== 'failed') {
      this.#write(record);
      return;
    }
    const key = [record.session, record.host, record.port, record.rule, record.end].join('\n');
    if (!this.#repeats.has(key)) {
      // Past this many kinds at once each is written as it comes, so memory stays bounded.
      if (this.#repeats.size < MAX_FOLDED) this.#repeats.set(key, undefined);
      this.#write(record);
      return;
    }
    const count = this.#repeats.get(key)?.count ?? 0;
    this.#repeats.set(key, { ...record, count: count + record.count });
  }

  /** Passes the repeats on that wait, for someone who asks what was refused until now. */
  passOn(): void {
    for (const [key, record] of this.#repeats) {
      if (!record) continue;
      this.#repeats.set(key, undefined);
      this.#write(record);
    }
  }

  #flush(): void {
    this.passOn();
    this.#repeats.clear();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#flush();
  }
}
