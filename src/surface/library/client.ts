import { OrielError } from '../../kernel/errors.ts';
import type { Caller, CallRequest, Done, Outcome } from '../../model/outcome.ts';
import type { ToolEffect } from '../../model/policy.ts';
import { strongestEffect, type AnyTool } from '../../tool/declaration.ts';
import type { Repertoire } from '../../tool/repertoire.ts';
import { FailedCall } from './failed-call.ts';
import { methodName, type CallOptions, type Methods, type Toolbox } from './methods.ts';

/** A tool as a model is told of it. */
export interface ListedTool {
  readonly name: string;
  /** One sentence that tells a model when to use it. */
  readonly summary: string;
  /** The strongest effect that a call of it can have. */
  readonly effect: ToolEffect;
  /** Whether it is in the default listing, as the configuration has it. */
  readonly isListed: boolean;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A call that a policy rule lets only a person decide. */
export interface Question {
  readonly tool: string;
  readonly input: unknown;
  /** What to ask, in one line. */
  readonly question: string;
}

export interface ClientOptions {
  /**
   * Puts a question to a person; true approves this one call. Without it, calls that need a
   * person fail with `denied`.
   */
  readonly onQuestion?: (question: Question) => boolean | Promise<boolean>;
}

/** What every client has beside a method for each tool. */
export interface ClientBase extends AsyncDisposable {
  /**
   * Calls a tool by its name, or by a name that peers use for it. What goes wrong is an outcome
   * too; it rejects only with what `onQuestion` throws. `content` of the outcome is what a model
   * would be shown.
   */
  readonly call: (tool: string, input?: unknown, options?: CallOptions) => Promise<Outcome>;
  /** Every tool, for adapters. */
  readonly tools: readonly ListedTool[];
  /** What a model is told once, for a system prompt. */
  readonly instructions: string;
  /** Ends what this client opened; the same as `await using`. */
  readonly close: () => Promise<void>;
}

/** A client whose calls all go to one session, with cookies, storage and pages of its own. */
export type SessionClient<Tools extends Toolbox> = Methods<Tools, 'session'> &
  ClientBase & {
    /** The handle of the session. */
    readonly handle: string;
  };

export type Client<Tools extends Toolbox> = Methods<Tools> &
  ClientBase & {
    /**
     * Makes a session. Disposing the client that comes back ends it.
     *
     * @throws {@link FailedCall} `over_limit` at the cap of sessions.
     */
    readonly newSession: (options?: {
      /** For lists of sessions. */
      readonly name?: string;
    }) => Promise<SessionClient<Tools>>;
  };

/** What the composition root hands in. */
export interface ClientParts<Tools extends Toolbox> extends ClientOptions, AsyncDisposable {
  readonly toolbox: Tools;
  /** All tools, in the order of listings. */
  readonly all: readonly AnyTool[];
  readonly listed: readonly AnyTool[];
  readonly schemaOf: (tool: AnyTool) => Record<string, unknown>;
  readonly instructions: string;
  readonly call: (request: CallRequest, options: CallOptions) => Promise<Outcome>;
  /** What `call`, `tools` and `instructions` are of, where it is not our own tools. */
  readonly repertoire?: Repertoire;
}

/** A person may be asked again when what a call would do has changed in between; not for ever. */
const MAX_QUESTIONS = 3;

/** Makes the client, which owns what disposing `parts` ends. */
export function createClient<Tools extends Toolbox>(parts: ClientParts<Tools>): Client<Tools> {
  let isOver = false;
  const { native, client: whole } = bind(
    parts,
    null,
    () => isOver,
    async () => {
      isOver = true;
      await parts[Symbol.asyncDispose]();
    },
  );
  return Object.assign(whole, {
    newSession: async ({ name }: { readonly name?: string } = {}) => {
      const made = settle(
        await native('browser_session', {
          action: 'new',
          ...(name === undefined ? {} : { name }),
        }),
      ) as unknown as { sessions: [{ session: string }] };
      const handle = made.sessions[0].session;
      const { client } = bind(
        parts,
        handle,
        () => isOver,
        async () => {
          await native('browser_session', { action: 'close', session: handle });
        },
      );
      return Object.assign(client, { handle }) as unknown as SessionClient<Tools>;
    },
  }) as unknown as Client<Tools>;
}

interface Bound {
  readonly client: ClientBase & Record<string, unknown>;
  /** Calls one of our own tools, whatever the client speaks. */
  readonly native: ClientBase['call'];
}

function bind(
  parts: ClientParts<Toolbox>,
  session: string | null,
  isOver: () => boolean,
  end: () => Promise<void>,
): Bound {
  const caller: Caller = {
    surface: 'library',
    principal: 'local',
    connection: 'library',
    canAsk: parts.onQuestion !== undefined,
  };

  let ended: Promise<void> | undefined;
  async function run(
    through: ClientParts<Toolbox>['call'],
    request: CallRequest,
    options: CallOptions,
    input: unknown,
  ) {
    const { tool } = request;
    if (ended || isOver()) return closed(tool);
    let outcome = await through(request, options);
    for (let asked = 0; outcome.status === 'needs_input' && asked < MAX_QUESTIONS; asked++) {
      const { question, state } = outcome;
      const approved = (await parts.onQuestion?.({ tool, input, question })) ?? false;
      outcome = await through({ ...request, answer: { state, approved } }, options);
    }
    return outcome;
  }

  const native: ClientBase['call'] = (tool, input = {}, options = {}) =>
    run(parts.call, { tool, input: withSession(input, session), caller }, options, input);
  const { repertoire } = parts;
  // A dialect's tools have no argument for our handles.
  const bound = session === null ? caller : { ...caller, session: { handle: session } };
  const spoken = (request: CallRequest, { signal, onProgress }: CallOptions) =>
    (repertoire as Repertoire).call(request, {
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
  const call: ClientBase['call'] = repertoire
    ? (tool, input = {}, options = {}) =>
        run(spoken, { tool, input, caller: bound }, options, input)
    : native;

  const close = () => (ended ??= end());
  const methods = Object.fromEntries(
    parts.all.map((tool) => [
      methodName(tool.name),
      async (input?: unknown, options?: CallOptions) =>
        settle(await native(tool.name, input, options)),
    ]),
  );
  const client = {
    ...methods,
    call,
    tools: repertoire
      ? repertoire.listings.map(({ name, description, effect, inputSchema }) => ({
          name,
          summary: description,
          effect,
          isListed: true,
          inputSchema,
        }))
      : parts.all.map((tool) => ({
          name: tool.name,
          summary: tool.summary,
          effect: strongestEffect(tool),
          isListed: parts.listed.includes(tool),
          inputSchema: boundSchema(parts.schemaOf(tool), session),
        })),
    instructions: repertoire?.instructions ?? parts.instructions,
    close,
    [Symbol.asyncDispose]: close,
  };
  return { client, native };
}

/** A call that comes too late must not start a browser that nobody would end. */
function closed(tool: string): Outcome {
  const error = new OrielError('gone', 'The client is closed.', {
    hint: 'Make the call before closing it, or open another with createOriel().',
  });
  const text = `Error (${error.code}): ${error.message}\n${error.hint}`;
  const content = [{ type: 'text' as const, text }];
  return { status: 'failed', tool, error: error.toJSON(), content, tookMs: 0 };
}

function withSession(input: unknown, session: string | null): unknown {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return session === null || !isObject ? input : { ...input, session };
}

/** A model that is bound to a session is not told of others. */
function boundSchema(schema: Record<string, unknown>, session: string | null) {
  if (session === null) return schema;
  const { session: _session, ...properties } = schema['properties'] as Record<string, unknown>;
  return { ...schema, properties };
}

/** @throws {@link FailedCall}; `needs_human` when no answer settled it. */
function settle(outcome: Outcome): Record<string, unknown> {
  if (outcome.status === 'done') return resultOf(outcome);
  if (outcome.status === 'failed') throw new FailedCall(outcome);
  throw new OrielError('needs_human', outcome.question, {
    hint: 'Answer it in `onQuestion`; the answers given so far did not settle it.',
  });
}

function resultOf({ output, effect, page, session }: Done): Record<string, unknown> {
  return {
    ...(effect === undefined ? {} : { effect }),
    ...(page === undefined ? {} : { page }),
    ...(session === undefined ? {} : { session }),
    ...(output as Record<string, unknown>),
  };
}
