/** A bounded list: when it is full, the oldest entry makes room for the newest. */
export class Ring<T> {
  readonly capacity: number;
  #entries: T[] = [];
  #start = 0;
  #added = 0;

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`a ring needs a capacity of at least 1, got ${capacity}`);
    }
    this.capacity = capacity;
  }

  /** How many entries were ever added, dropped ones included. */
  get added(): number {
    return this.#added;
  }

  get size(): number {
    return this.#entries.length;
  }

  push(entry: T): void {
    this.#added++;
    if (this.#entries.length < this.capacity) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[this.#start] = entry;
    this.#start = (this.#start + 1) % this.capacity;
  }

  /** The entries, oldest first. */
  toArray(): T[] {
    return [...this.#entries.slice(this.#start), ...this.#entries.slice(0, this.#start)];
  }

  clear(): void {
    this.#entries = [];
    this.#start = 0;
  }
}
