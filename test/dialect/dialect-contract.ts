import type { TestOriel } from '../harness/oriel.ts';

/** A tool as its system declares it. */
export interface PinnedTool {
  readonly name: string;
  readonly required: readonly string[];
  /** Optional arguments with their defaults; null for those without one. */
  readonly optional: Readonly<Record<string, unknown>>;
}

/** A call that ends well, and for each argument another value that makes a difference. */
export interface SampleCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly instead: Readonly<Record<string, unknown>>;
  /** Opened first, by the path of a fixture page; the input may name what came of it. */
  readonly before?: (oriel: TestOriel) => Promise<Readonly<Record<string, unknown>>>;
}

/**
 * What `contract.test.ts` holds a dialect to; `test/dialect/<name>/contract.ts` exports it as
 * `contract`.
 */
export interface DialectContract {
  readonly listing: readonly PinnedTool[];
  /** Names of tools that a server which only reads lists. */
  readonly readonlyTools: readonly string[];
  readonly samples: Readonly<Record<string, SampleCall>>;
  /** Whether a first block is a failure in the system's shape. */
  isFailure(value: unknown): boolean;
}
