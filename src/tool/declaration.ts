import type { z } from 'zod';
import type { Log } from '../kernel/log.ts';
import type { Caller } from '../model/outcome.ts';
import { EFFECTS, type ToolEffect } from '../model/policy.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import type { Deps } from './deps.ts';

/** A piece of an answer, with who wrote it: text of a page is wrapped as untrusted by `call()`. */
export type Part =
  | { readonly source: 'oriel'; readonly text: string }
  | { readonly source: 'page'; readonly text: string; readonly origin?: string }
  | { readonly source: 'image'; readonly mimeType: string; readonly base64: string };

/** Which of the configured time limits a tool goes by. */
export type LimitName = 'navigation' | 'action' | 'wait' | 'script' | 'capture';

/** A dialog that waits for its answer, in the words of its page. */
export interface OpenDialog {
  readonly type: string;
  readonly message: string;
}

export interface Example<Input> {
  readonly title: string;
  /** What the demo site's page must be for the example to run, by path. */
  readonly on?: string;
  readonly input: Input;
}

interface RunBase {
  readonly deps: Deps;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onProgress: (message: string) => void;
}
export interface ServerRun extends RunBase {}
export interface SessionRun extends RunBase {
  readonly session: Session;
}
export interface PageRun extends SessionRun {
  readonly page: OpenPage;
  /** The calls that the tool declared with {@link Tool.steps}, ready to be made. */
  readonly steps: readonly Step[];
}

/** A call that another call makes. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** A planned call that has been read and admitted. */
export interface Step {
  readonly tool: string;
  readonly effect: ToolEffect;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether it is its purpose to leave the document. */
  readonly goesElsewhere: boolean;
  /** Makes the call and waits until the page has settled. */
  run(): Promise<StepResult>;
}

export interface StepResult {
  readonly output: unknown;
  readonly parts: readonly Part[];
}
export type RunOf<Scope extends ToolScope> = Scope extends 'page'
  ? PageRun
  : Scope extends 'session'
    ? SessionRun
    : ServerRun;

export type ToolScope = 'page' | 'session' | 'server';

/**
 * One tool, whole. Every surface, the reference, the help and the tests derive from it.
 *
 * A tool changes nothing before `run` and cleans up after itself when `run` throws.
 */
export interface Tool<
  Scope extends ToolScope = ToolScope,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> {
  readonly name: string;
  /** One sentence that tells a model when to use it. */
  readonly summary: string;
  /** What a call changes; a function where that depends on the input. */
  readonly effect:
    | ToolEffect
    | ((input: z.output<Input>, steps: readonly ToolEffect[]) => ToolEffect);
  /** Every effect it can have, weakest first; needed where `effect` is a function. */
  readonly effects?: readonly ToolEffect[];
  readonly scope: Scope;
  /** Pack that lists it; without one it is in the default listing. */
  readonly pack?: string;
  readonly limit: LimitName;
  /** Milliseconds that the input itself asks to wait, on top of the limit. */
  readonly extraMs?: (input: z.output<Input>) => number;
  /** Opens a page when the call names none and the session has none. */
  readonly opensPage?: boolean;
  /** Address that a call goes to, as given; admission judges it in place of the page's. */
  readonly address?: (input: z.output<Input>) => string | undefined;
  /** Calls of page tools that it will make, on its own page; they are judged before it runs. */
  readonly steps?: (input: z.output<Input>) => readonly PlannedCall[];
  /** May run while a dialog is open on the page. */
  readonly toleratesDialog?: boolean;
  /** Takes the place of `run` while a dialog waits for its answer; does not touch the page. */
  readonly runUnderDialog?: (run: Omit<PageRun, 'steps'>, dialog: OpenDialog) => z.input<Output>;
  /** Its own argument names by the names that peers use. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Names under which peers list this tool; accepted, never listed. */
  readonly peerNames?: readonly string[];
  readonly input: Input;
  readonly output: Output;
  readonly examples: readonly Example<z.input<Input>>[];
  /** Refs of elements whose change the answer tells, so that the effect need not. */
  readonly tells?: (output: z.output<Output>) => readonly string[];
  /** The answer as a model sees it. */
  render(output: z.output<Output>, input: z.output<Input>): readonly Part[];
  run(run: RunOf<Scope>, input: z.output<Input>): Promise<z.input<Output>>;
}

/** Checks a declaration's types; the object itself is the tool. */
export function defineTool<
  const Scope extends ToolScope,
  Input extends z.ZodObject,
  Output extends z.ZodType,
>(tool: Tool<Scope, Input, Output>): Tool<Scope, Input, Output> {
  return tool;
}

/** A tool whose exact types are not known, as tables of tools hold it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- input and output vary by tool and meet only inside call(), after parsing
export type AnyTool = Tool<any, any, any>;

/** Every effect a call of the tool can have, weakest first. */
export function effectsOf(tool: AnyTool): readonly ToolEffect[] {
  if (tool.effects) return tool.effects;
  return typeof tool.effect === 'string' ? [tool.effect] : EFFECTS;
}

/** What annotations go by. */
export function strongestEffect(tool: AnyTool): ToolEffect {
  return effectsOf(tool).at(-1) ?? 'config';
}

/** @param steps - Effects of the calls that it makes. */
export function actualEffect(
  tool: AnyTool,
  input: unknown,
  steps: readonly ToolEffect[] = [],
): ToolEffect {
  return typeof tool.effect === 'string' ? tool.effect : tool.effect(input, steps);
}
