/**
 * What a test run takes of a long list: all of it under `ORIEL_TEST_LONG=1`, otherwise a part that
 * its seed decides. The seed is printed, and `ORIEL_TEST_SEED` repeats a run.
 */
export class Sample {
  readonly isWhole: boolean;
  readonly #size: number;
  #state: number;

  private constructor(seed: number, size: number, isWhole: boolean) {
    this.#state = seed;
    this.#size = size;
    this.isWhole = isWhole;
  }

  static ofThisRun(size: number): Sample {
    const isWhole = process.env['ORIEL_TEST_LONG'] === '1';
    const given = process.env['ORIEL_TEST_SEED'];
    const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
    if (!isWhole)
      process.stderr.write(`A sample of ${size}: ORIEL_TEST_SEED=${seed} repeats it.\n`);
    return new Sample(seed, size, isWhole);
  }

  /** @throws TypeError for an empty list. */
  one<T>(list: readonly T[]): T {
    const chosen = list[Math.floor(this.#next() * list.length)];
    if (chosen === undefined) throw new TypeError('There is nothing to choose from.');
    return chosen;
  }

  /** Some of the list without repeats, in an order of its own; all of it in a whole run. */
  draw<T>(list: readonly T[]): readonly T[] {
    if (this.isWhole) return list;
    const rest = [...list];
    const taken: T[] = [];
    while (taken.length < this.#size && rest.length > 0) {
      taken.push(...rest.splice(Math.floor(this.#next() * rest.length), 1));
    }
    return taken;
  }

  /** mulberry32: small, and even enough to choose with. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
