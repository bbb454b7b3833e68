type Release = () => unknown;

/**
 * Owns what was opened, and releases it last in, first out. All releases run, also when one
 * throws; the first failure is thrown after the last release. Disposing twice is a no-op.
 */
export class Scope implements AsyncDisposable {
  readonly #releases: Release[] = [];
  #disposal: Promise<void> | undefined;

  get isDisposed(): boolean {
    return this.#disposal !== undefined;
  }

  /**
   * Takes ownership of `resource`. On a scope that is already disposed the resource is released
   * at once, so that nothing opened during a shutdown survives it.
   */
  own<T extends AsyncDisposable | Disposable>(resource: T): T {
    this.defer(() =>
      Symbol.asyncDispose in resource
        ? resource[Symbol.asyncDispose]()
        : resource[Symbol.dispose](),
    );
    return resource;
  }

  /** Runs `release` on disposal. */
  defer(release: Release): void {
    if (this.#disposal) {
      this.#disposal = this.#disposal.then(async () => void (await release()));
      return;
    }
    this.#releases.push(release);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#disposal ??= this.#releaseAll());
  }

  async #releaseAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let release = this.#releases.pop(); release; release = this.#releases.pop()) {
      try {
        await release();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
