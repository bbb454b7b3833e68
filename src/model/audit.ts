import type { ErrorCode } from '../kernel/errors.ts';

/** One line of the record: who did what, with which result. Secrets are out already. */
export interface AuditEntry {
  readonly at: string;
  readonly surface: string;
  readonly principal: string;
  /** Tool of a dialect that the call was part of: `aalis/browser_click`; null for native calls. */
  readonly via: string | null;
  readonly session: string | null;
  readonly page: string | null;
  readonly tool: string;
  readonly effect: string | null;
  readonly input: unknown;
  readonly status: 'done' | 'failed' | 'needs_input';
  readonly code: ErrorCode | null;
  readonly url: string | null;
  readonly tookMs: number;
}

/** Append-only. A record that cannot be written is logged and never fails the call. */
export interface AuditLog {
  append(entry: AuditEntry): void;
}
