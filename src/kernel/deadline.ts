import { OrielError } from './errors.ts';

/** `setTimeout` clamps above this many milliseconds; a longer limit is treated as none. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * The one deadline of a call. Whatever waits inside the call takes {@link signal}; its reason is
 * an OrielError (`timeout` or the caller's `cancelled`). Dispose it when the call is over.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  /** The limit in milliseconds; 0 means none. */
  readonly timeoutMs: number;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #detach: () => void;

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.timeoutMs = timeoutMs;
    const controller = new AbortController();
    this.signal = controller.signal;
    if (timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS) {
      this.#timer = setTimeout(() => {
        controller.abort(
          new OrielError('timeout', `The call did not finish within ${timeoutMs} ms.`, {
            details: { timeoutMs },
          }),
        );
      }, timeoutMs);
    }
    const cancel = () => controller.abort(cancelled(caller?.reason));
    if (caller?.aborted) cancel();
    else caller?.addEventListener('abort', cancel, { once: true });
    this.#detach = () => caller?.removeEventListener('abort', cancel);
  }

  /** Milliseconds left, at least 1 while not expired; Infinity without a limit. */
  get remainingMs(): number {
    if (this.timeoutMs === 0) return Infinity;
    return Math.max(1, this.timeoutMs - (performance.now() - this.#startedAt));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#detach();
  }
}

function cancelled(reason: unknown): OrielError {
  return reason instanceof OrielError
    ? reason
    : new OrielError('cancelled', 'The caller cancelled the call.', { cause: reason });
}

/**
 * Waits for `work`, at most until `signal` aborts; then rejects with the signal's reason. The
 * work itself is not stopped: hand it the signal as well where it takes one. No listener stays
 * behind on either outcome, which a bare `Promise.race` would leave.
 *
 * @param graceMs - How long work that knows of the abort may take to say what it was about.
 */
export async function within<T>(signal: AbortSignal, work: Promise<T>, graceMs = 0): Promise<T> {
  // An abandoned promise that fails later must not become an unhandled rejection.
  work.catch(() => {});
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    let grace: NodeJS.Timeout | undefined;
    const giveUp = () => reject(signal.reason as Error);
    const abort = () => {
      if (graceMs > 0) grace = setTimeout(giveUp, graceMs);
      else giveUp();
    };
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(grace);
      signal.removeEventListener('abort', abort);
    });
  });
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
