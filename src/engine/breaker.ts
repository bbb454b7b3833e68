/**
 * Keeps a thing that fails from being tried in a loop: after each failure the next try waits
 * twice as long, from `firstMs` to at most `maxMs`. A success forgets all.
 */
export class Breaker {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #now: () => number;
  #failures = 0;
  #openUntilMs = 0;
  #lastFailure: unknown;

  /** `now` tells a monotonic time in milliseconds. */
  constructor(firstMs: number, maxMs: number, now: () => number = () => performance.now()) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#now = now;
  }

  get failures(): number {
    return this.#failures;
  }

  /** What the last failure threw, while there is one. */
  get lastFailure(): unknown {
    return this.#lastFailure;
  }

  /** Milliseconds until the next try is let through; 0 means now. */
  get waitMs(): number {
    return Math.max(0, Math.ceil(this.#openUntilMs - this.#now()));
  }

  recordFailure(failure: unknown): void {
    this.#lastFailure = failure;
    const waitMs = Math.min(this.#maxMs, this.#firstMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#openUntilMs = this.#now() + waitMs;
  }

  recordSuccess(): void {
    this.#failures = 0;
    this.#openUntilMs = 0;
    this.#lastFailure = undefined;
  }
}
