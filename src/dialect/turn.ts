import { OrielError, type ErrorJson } from '../kernel/errors.ts';
import type {
  Caller,
  CallAnswer,
  CallRequest,
  Done,
  NeedsInput,
  Outcome,
} from '../model/outcome.ts';
import type { MeantSession } from '../model/session.ts';
import type { CallOptions } from '../tool/call.ts';
import type { Deps } from '../tool/deps.ts';
import { neutralise } from '../tool/untrusted.ts';

/** A native call that has ended well. */
export interface Made<Output> {
  readonly output: Output;
  /** Id of the page it was about. */
  readonly page: string | undefined;
  /** Handle of the session it was about. */
  readonly session: string | undefined;
  readonly effect: Done['effect'];
}

export interface TurnOptions {
  /** The session that the call goes to, instead of the caller's own. */
  readonly session?: MeantSession;
  /** Instead of the turn's. */
  readonly signal?: AbortSignal;
}

export interface TurnParts {
  readonly caller: Caller;
  readonly config: Deps['config'];
  readonly options: CallOptions;
  readonly call: (request: CallRequest, options: CallOptions) => Promise<Outcome>;
  /** What calls of an earlier run of the same turn came to, by their place. */
  readonly earlier: readonly (Outcome | undefined)[];
  /** A person's answer to the first call that has no earlier outcome. */
  readonly answer: CallAnswer | undefined;
}

/** A question that one of the native calls has for a person. */
export interface Asked {
  readonly question: NeedsInput;
  /** The calls made so far, by their place. */
  readonly made: readonly (Outcome | undefined)[];
}

/**
 * One call of a dialect's tool, and its way to native ones. Strings in outputs are harmless to
 * read already: text of pages that passes for our markers, or hides itself, is made visible.
 */
export class Turn {
  readonly caller: Caller;
  readonly config: Deps['config'];
  readonly signal: AbortSignal;
  readonly #parts: TurnParts;
  readonly #made: (Outcome | undefined)[] = [];
  #answer: CallAnswer | undefined;
  #calls = 0;
  #asked: Asked | null = null;
  #pageUrl: string | null = null;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#answer = parts.answer;
    this.caller = parts.caller;
    this.config = parts.config;
    this.signal = parts.options.signal ?? new AbortController().signal;
  }

  /** How many native calls were made. */
  get calls(): number {
    return this.#calls;
  }

  /** Set once a call needs a person; the turn then has no other result. */
  get asked(): Asked | null {
    return this.#asked;
  }

  /** Address that text of a page came from; empty when it is not known, null without such text. */
  get pageUrl(): string | null {
    return this.#pageUrl;
  }

  /** Says that the answer holds text of a page which no native page stands behind. */
  quote(url: string): void {
    this.#pageUrl = url || (this.#pageUrl ?? '');
  }

  /**
   * Calls a native tool.
   *
   * @throws OrielError, as the call failed.
   */
  async call<Output = Record<string, unknown>>(
    tool: string,
    input: Readonly<Record<string, unknown>> = {},
    options: TurnOptions = {},
  ): Promise<Made<Output>> {
    const outcome = await this.attempt(tool, input, options);
    if (outcome.status !== 'done') throw errorOf(outcome);
    const { output, page, session, effect } = outcome;
    return { output: output as Output, page, session, effect };
  }

  /** The same with a failure as an outcome too, for what its evidence says. */
  async attempt(
    tool: string,
    input: Readonly<Record<string, unknown>> = {},
    { session, signal = this.signal }: TurnOptions = {},
  ): Promise<Outcome> {
    const place = this.#calls++;
    const earlier = this.#parts.earlier[place];
    const outcome = earlier ?? (await this.#make(tool, input, session, signal));
    if (outcome.status === 'needs_input') {
      this.#asked ??= { question: outcome, made: this.#made };
      return outcome;
    }
    this.#made[place] = outcome;
    if (outcome.page !== undefined) {
      const { url } = (outcome.status === 'done' ? outcome.output : {}) as { url?: unknown };
      this.#pageUrl = typeof url === 'string' ? url : (this.#pageUrl ?? '');
    }
    return outcome;
  }

  async #make(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    session: MeantSession | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const answer = this.#answer;
    this.#answer = undefined;
    const { onProgress } = this.#parts.options;
    const outcome = await this.#parts.call(
      {
        tool,
        input,
        caller: { ...this.caller, ...(session ? { session } : {}) },
        ...(answer ? { answer } : {}),
      },
      { signal, isContentLess: true, ...(onProgress ? { onProgress } : {}) },
    );
    return harmless(outcome) as Outcome;
  }
}

function errorOf(outcome: Exclude<Outcome, Done>): OrielError {
  if (outcome.status === 'failed') return fromJson(outcome.error);
  return new OrielError('needs_human', outcome.question);
}

function fromJson({ code, message, hint, details, pageText }: ErrorJson): OrielError {
  return new OrielError(code, message, { hint, details, pageText });
}

/** Every string of plain data, its names left as they are. */
function harmless(value: unknown): unknown {
  if (typeof value === 'string') return neutralise(value);
  if (Array.isArray(value)) return value.map(harmless);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, harmless(entry)]));
}
