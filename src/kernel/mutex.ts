interface Waiter {
  readonly grant: () => void;
}

/** Holding it is owning it: dispose the guard to let the next one in. Order is first come, first served. */
export class Mutex {
  #isHeld = false;
  readonly #waiters: Waiter[] = [];

  get isHeld(): boolean {
    return this.#isHeld;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Waits for its turn, or rejects with the signal's reason and leaves the queue. */
  async acquire(signal: AbortSignal): Promise<Guard> {
    signal.throwIfAborted();
    if (!this.#isHeld) {
      this.#isHeld = true;
      return new Guard(() => this.#release());
    }
    return new Promise<Guard>((resolve, reject) => {
      const abort = () => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        grant: () => {
          signal.removeEventListener('abort', abort);
          resolve(new Guard(() => this.#release()));
        },
      };
      this.#waiters.push(waiter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  #release(): void {
    const next = this.#waiters.shift();
    if (next) next.grant();
    else this.#isHeld = false;
  }
}

/** Proof of holding a {@link Mutex}. Disposing twice releases once. */
export class Guard implements Disposable {
  #release: (() => void) | undefined;

  constructor(release: () => void) {
    this.#release = release;
  }

  [Symbol.dispose](): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }
}
