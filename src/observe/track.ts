import { Ring } from '../kernel/ring.ts';
import { BUFFER_ENTRIES } from '../model/console.ts';

/** Numbers what is noted of one page, so that tracks of all kinds can be cut at one mark. */
export class Sequence {
  #last = 0;

  /** The place of the newest note. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    return ++this.#last;
  }
}

interface Stamped<T> {
  readonly at: number;
  readonly value: T;
}

/** One kind of what a page does, bounded: the oldest notes make room for the newest. */
export class Track<T> {
  readonly #sequence: Sequence;
  readonly #ring: Ring<Stamped<T>>;

  constructor(sequence: Sequence, capacity = BUFFER_ENTRIES) {
    this.#sequence = sequence;
    this.#ring = new Ring(capacity);
  }

  /** How many notes had to make room. */
  get dropped(): number {
    return this.#ring.added - this.#ring.size;
  }

  note(value: T): void {
    this.#ring.push({ at: this.#sequence.next(), value });
  }

  /** All notes that are still there, oldest first. */
  all(): T[] {
    return this.#ring.toArray().map((note) => note.value);
  }

  /** The notes after `mark`, oldest first. */
  since(mark: number): T[] {
    return this.#ring
      .toArray()
      .filter((note) => note.at > mark)
      .map((note) => note.value);
  }
}
