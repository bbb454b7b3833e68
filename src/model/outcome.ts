import type { ErrorJson } from '../kernel/errors.ts';
import type { Effect } from './effect.ts';
import type { MeantSession } from './session.ts';

/** Who asks, as the surface knows it. Serialisable, so that a daemon can stand in between. */
export interface Caller {
  readonly surface: 'mcp' | 'cli' | 'http' | 'library';
  /** Owner of what the call opens; a surface without authentication has one principal. */
  readonly principal: string;
  /** Names the caller's own session when the input names none: a connection, or the principal. */
  readonly connection: string;
  /** Whether the surface can put a question to a person (MCP elicitation, a library handler). */
  readonly canAsk?: boolean;
  /** Whether the caller can be shown pictures; a surface that does not know leaves it out. */
  readonly takesPictures?: boolean;
  /** The session that is the caller's own, instead of the one of its connection. */
  readonly session?: MeantSession;
  /** The tool of another system that the call is part of, for the record. */
  readonly via?: string;
}

/** One call of one tool: plain data. */
export interface CallRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly caller: Caller;
  /** The answer to an earlier `needs_input` of the same call. */
  readonly answer?: CallAnswer;
}

export interface CallAnswer {
  /** The `state` of the `needs_input` outcome, unchanged. */
  readonly state: string;
  readonly approved: boolean;
}

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly base64: string };

interface OutcomeBase {
  readonly tool: string;
  readonly session?: string;
  readonly page?: string;
  readonly effect?: Effect;
  /** What a model is shown: page text already wrapped, secrets already out, within the budget. */
  readonly content: readonly Content[];
  /** What a client is told beside the content, where its wire has a place for it. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly tookMs: number;
}

export interface Done extends OutcomeBase {
  readonly status: 'done';
  /** The structured result, by the tool's output schema. */
  readonly output: unknown;
}

export interface Failed extends OutcomeBase {
  readonly status: 'failed';
  readonly error: ErrorJson;
  /** The failure in the shape of a dialect that has one of its own. */
  readonly output?: unknown;
}

export interface NeedsInput extends OutcomeBase {
  readonly status: 'needs_input';
  readonly question: string;
  /** Opaque; comes back in {@link CallAnswer}. */
  readonly state: string;
}

/** What every call ends with. `call()` never throws. */
export type Outcome = Done | Failed | NeedsInput;
