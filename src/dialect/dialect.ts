import type { z } from 'zod';
import type { OrielError } from '../kernel/errors.ts';
import type { ToolEffect } from '../model/policy.ts';
import type { AnyTool } from '../tool/declaration.ts';
import type { Deps } from '../tool/deps.ts';
import type { Turn } from './turn.ts';

/**
 * Another system's tools over ours, spoken exactly. It maps each of its tools onto native calls,
 * which are admitted, held to their page and recorded like any other; it changes nothing by
 * itself. What a system's host hands in (a store, a backend) comes to the function that makes the
 * dialect.
 */
export interface Dialect {
  /** As `--dialect` takes it. */
  readonly name: string;
  /** The system that speaks so, for people. */
  readonly system: string;
  /** What is other than in the native surface, a sentence each. */
  readonly changes: readonly string[];
  /** In the order of that system's listing. */
  readonly tools: readonly AnyDialectTool[];
  /**
   * Tools in the native form for what no native tool does, such as asking a backend. They are
   * called like native ones and never listed, so that what they do is admitted and recorded too.
   */
  readonly ownTools?: readonly AnyTool[];
  /** What a model is told once. */
  readonly instructions: string;
  /**
   * Settings to start from: the file, the environment and flags beat them.
   *
   * @param options - The system's own settings, by its own names (`dialectOptions`).
   * @param warn - Told of an option that is passed over.
   * @throws `bad_input` for an option that must not be passed over.
   */
  preset(options: Readonly<Record<string, unknown>>, warn: (text: string) => void): Preset;
  /** A failure in that system's shape and words. */
  renderError(failure: Failure): Answer;
  /** Ends what it has opened beside the native sessions; called when they have ended. */
  end?(): Promise<void>;
}

/** Part of the configuration. */
export type Preset = Partial<{
  readonly [Branch in keyof Deps['config']]: Deps['config'][Branch] extends readonly unknown[]
    ? Deps['config'][Branch]
    : Partial<Deps['config'][Branch]>;
}>;

/** One tool of a dialect: its declaration, and what it does with native calls. */
export interface DialectTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** The system's own description, or its sense. */
  readonly summary: string;
  /** Every effect that a call can have, weakest first: read-only servers list by it. */
  readonly effects: readonly ToolEffect[];
  readonly input: Input;
  /** Its own argument names by others that are taken. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly examples?: readonly { readonly title: string; readonly input: z.input<Input> }[];
  /**
   * Makes the native calls and puts what came of them into that system's shape. It may run once
   * more from the start when a person had to be asked: calls that were made are then not repeated,
   * so it does nothing but by {@link Turn}.
   *
   * @throws OrielError, which {@link Dialect.renderError} words.
   */
  run(turn: Turn, input: z.output<Input>): Promise<Answer>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- inputs vary by tool and meet only after parsing
export type AnyDialectTool = DialectTool<any>;

/** Checks a declaration's types; the object itself is the tool. */
export function defineDialectTool<Input extends z.ZodObject>(
  tool: DialectTool<Input>,
): AnyDialectTool {
  return tool;
}

/** What a call of a dialect's tool ends with. */
export interface Answer {
  /** First block of the answer: an object as bare JSON, or text. */
  readonly value: Readonly<Record<string, unknown>> | string;
  /** Pictures beside it. */
  readonly images?: readonly { readonly mimeType: string; readonly base64: string }[];
  /** For clients that keep it apart from the content. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Makes it a failure that was not thrown, such as one that carries pictures. */
  readonly error?: OrielError;
}

export interface Failure {
  readonly error: OrielError;
  /** Name that was called. */
  readonly name: string;
  /** Null for a name that the dialect does not have. */
  readonly tool: AnyDialectTool | null;
  /** Arguments as they were given. */
  readonly input: unknown;
}
