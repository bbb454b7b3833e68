import type { Config } from '../../config/schema.ts';
import type { Log } from '../../kernel/log.ts';

export type Verdict = 'ok' | 'warn' | 'fail';

/** One thing that was looked at. */
export interface Finding {
  readonly name: string;
  readonly verdict: Verdict;
  /** What was found, one or two sentences. */
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface DiagnoseOptions {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}
