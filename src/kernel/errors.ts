/** Who can do something about a failure. */
export type Actor = 'caller' | 'operator' | 'human' | 'us';

/** Whether the same call can succeed later: never as it stands, after a moment, or at once. */
export type Retry = 'never' | 'later' | 'now';

/** What each surface needs to know of an error code. */
export interface CodeFacts {
  /** HTTP status of the answer. */
  readonly http: number;
  /** Exit code of the command line. */
  readonly exit: number;
  readonly retry: Retry;
  readonly actor: Actor;
}

/**
 * Every code an {@link OrielError} can carry. Surfaces derive their own wire form from this
 * table, so a code is never mapped twice.
 */
export const ERROR_CODES = {
  bad_input: { http: 400, exit: 2, retry: 'never', actor: 'caller' },
  not_found: { http: 404, exit: 3, retry: 'never', actor: 'caller' },
  stale_ref: { http: 409, exit: 4, retry: 'never', actor: 'caller' },
  changed_ref: { http: 409, exit: 4, retry: 'never', actor: 'caller' },
  ambiguous_ref: { http: 409, exit: 4, retry: 'never', actor: 'caller' },
  not_actionable: { http: 409, exit: 4, retry: 'later', actor: 'caller' },
  denied: { http: 403, exit: 5, retry: 'never', actor: 'operator' },
  blocked: { http: 403, exit: 5, retry: 'never', actor: 'operator' },
  not_owner: { http: 403, exit: 5, retry: 'never', actor: 'caller' },
  busy: { http: 409, exit: 6, retry: 'later', actor: 'caller' },
  user_holds_browser: { http: 423, exit: 6, retry: 'later', actor: 'human' },
  needs_human: { http: 409, exit: 6, retry: 'later', actor: 'human' },
  dialog_open: { http: 409, exit: 6, retry: 'never', actor: 'caller' },
  over_limit: { http: 429, exit: 7, retry: 'later', actor: 'caller' },
  timeout: { http: 504, exit: 8, retry: 'now', actor: 'caller' },
  cancelled: { http: 499, exit: 130, retry: 'now', actor: 'caller' },
  gone: { http: 410, exit: 9, retry: 'now', actor: 'caller' },
  unsupported: { http: 501, exit: 10, retry: 'never', actor: 'caller' },
  upstream: { http: 502, exit: 11, retry: 'later', actor: 'operator' },
  setup_needed: { http: 503, exit: 12, retry: 'never', actor: 'operator' },
  bug: { http: 500, exit: 70, retry: 'never', actor: 'us' },
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The serialisable form of an {@link OrielError}: no stack, no cause. */
export interface ErrorJson {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Text that came from a page; shown only inside the untrusted wrapper. */
  readonly pageText?: string;
}

export interface ErrorOptions {
  /** What to do next, one sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** Machine-readable facts; never secrets, never page text. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Evidence that came from the page (names, titles, messages); kept apart from the message. */
  readonly pageText?: string | undefined;
}

const BRAND: unique symbol = Symbol.for('oriel.error');

/**
 * The only error that leaves Oriel. The message says what happened and to what, the hint what to
 * do next. Recognise it with {@link isOrielError}, which also works across two copies of the
 * package in one process.
 */
export class OrielError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly pageText: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OrielError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
    this.pageText = options.pageText;
  }

  toJSON(): ErrorJson {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.pageText === undefined ? {} : { pageText: this.pageText }),
    };
  }
}

export function isOrielError(value: unknown, code?: ErrorCode): value is OrielError {
  return (
    typeof value === 'object' &&
    value !== null &&
    BRAND in value &&
    (code === undefined || (value as OrielError).code === code)
  );
}

/**
 * Wraps whatever was thrown as an OrielError once; an OrielError passes through unchanged. What
 * an unexpected error says may quote a page (a parser does), so it is kept apart from the message.
 */
export function toOrielError(thrown: unknown): OrielError {
  if (isOrielError(thrown)) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new OrielError('bug', 'Something failed that Oriel did not expect.', {
    pageText: firstLine(text),
    hint: 'Run the call again; if it fails again, please report it with `oriel doctor --json`.',
    cause: thrown,
  });
}

/** The first line of a message, at most `max` characters. */
export function firstLine(text: string, max = 300): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > max ? `${line.slice(0, max)}…` : line;
}
