/** Times of one operation in milliseconds, or sizes in characters. */
export type Values = readonly number[];

/** Median of `values`; undefined when there are none. */
export function median(values: Values): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** The least of `values`, which a loaded machine disturbs least; undefined when there are none. */
export function least(values: Values): number | undefined {
  return values.length === 0 ? undefined : Math.min(...values);
}

/** All values of a run, by subject and by what was measured. */
export class Samples {
  readonly #values = new Map<string, number[]>();
  readonly #failures = new Map<string, string>();

  add(subject: string, measure: string, value: number): void {
    const key = keyOf(subject, measure);
    const values = this.#values.get(key) ?? [];
    values.push(value);
    this.#values.set(key, values);
  }

  fail(subject: string, measure: string, reason: string): void {
    this.#failures.set(keyOf(subject, measure), reason);
  }

  of(subject: string, measure: string): Values {
    return this.#values.get(keyOf(subject, measure)) ?? [];
  }

  /** What went wrong, as `subject: measure: reason`. */
  get failures(): readonly string[] {
    return [...this.#failures].map(([key, reason]) => `${key.replace('\n', ': ')}: ${reason}`);
  }
}

function keyOf(subject: string, measure: string): string {
  return `${subject}\n${measure}`;
}
