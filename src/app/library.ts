import { readEnvironment } from '../config/environment.ts';
import type { ConfigInput } from '../config/schema.ts';
import { lineLog, type Log } from '../kernel/log.ts';
import {
  createClient,
  type Client,
  type ClientOptions,
  type SessionClient,
} from '../surface/library/client.ts';
import { INSTRUCTIONS } from '../surface/mcp/instructions.ts';
import { listedSchema } from '../surface/mcp/schema.ts';
import { ToolSet } from '../tool/tool-set.ts';
import * as toolIndex from '../tools/index.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { createCore } from './core.ts';
import { loadSetup } from './dialects.ts';

const { TOOLS, ...toolbox } = toolIndex;

/** Oriel in this process: a method for each tool, and what {@link Client} adds. */
export interface Oriel extends Client<typeof toolbox> {
  /**
   * Ends, in one batch, what calls with these `hostSession` ids have opened. Ids of children leave
   * their root as it is; ids without a session are passed over. Never throws.
   *
   * @returns How many sessions have ended.
   */
  readonly endHostSessions: (ids: readonly string[]) => Promise<number>;
}

/** A client that is bound to one session, from {@link Oriel.newSession}. */
export interface OrielSession extends SessionClient<typeof toolbox> {}

export interface OrielOptions extends ClientOptions {
  /**
   * Root of a session of the host by its id, for calls with `hostSession`: children share the
   * pages and logins of their root. An id that it does not know is a root itself.
   */
  readonly rootOf?: (id: string) => string | undefined;
  /** Spoken instead of the one that the configuration names, such as `octopus({ backend })`. */
  readonly dialect?: Dialect;
  /** Takes diagnostics; by default they go to stderr, from `log.level` up. */
  readonly log?: Log;
}

/**
 * Opens Oriel in this process. With `dialect` in the configuration, `call`, `tools`,
 * `instructions` and the adapters speak it; the methods stay those of our own tools.
 * It starts nothing: the first call that needs a page finds and
 * starts a browser, which ends when the client is closed.
 *
 * @param config - Settings; what they leave out comes from `ORIEL_…` in the environment, then
 * from the defaults.
 * @throws `bad_input` naming the setting that does not fit.
 */
export async function createOriel(
  config: ConfigInput = {},
  options: OrielOptions = {},
): Promise<Oriel> {
  const env = readEnvironment();
  const { loaded, dialect, warnings } = await loadSetup(
    { env, file: env['ORIEL_CONFIG'], values: config },
    options.dialect,
  );
  const log =
    options.log ?? lineLog(loaded.config.log.level, (line) => void process.stderr.write(line));
  const listed = new ToolSet(TOOLS).listed(loaded.config);
  const { rootOf } = options;
  for (const warning of warnings) log('warn', warning);
  const core = createCore(loaded.config, env, log, { dialect, ...(rootOf ? { rootOf } : {}) });
  const client = createClient({
    toolbox,
    all: TOOLS,
    listed,
    schemaOf: (tool) => listedSchema(tool, loaded.config.packs),
    instructions: INSTRUCTIONS,
    call: (request, { signal, onProgress, hostSession }) => {
      const { caller } = request;
      const as = hostSession === undefined ? {} : { connection: hostSession };
      return core.calls.call(
        { ...request, caller: { ...caller, ...as } },
        { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) },
      );
    },
    ...(dialect ? { repertoire: core.repertoire } : {}),
    ...(options.onQuestion ? { onQuestion: options.onQuestion } : {}),
    [Symbol.asyncDispose]: () => core[Symbol.asyncDispose](),
  });
  return Object.assign(client, {
    endHostSessions: (ids: readonly string[]) =>
      core.deps.sessions.endNamed({ principal: 'local', connection: 'library' }, ids),
  });
}

export { octopus } from '../dialect/octopus/octopus.ts';
export { ERROR_CODES, isOrielError, OrielError } from '../kernel/errors.ts';
export { FailedCall } from '../surface/library/failed-call.ts';
export { toAiSdkTools } from '../surface/library/ai-sdk.ts';
export { toOpenAiTools } from '../surface/library/openai.ts';
export type {
  Arrival,
  OctopusBackend,
  PageElement,
  PageSnapshot,
} from '../dialect/octopus/backend.ts';
export type { OctopusHost } from '../dialect/octopus/octopus.ts';
export type { Dialect } from '../dialect/dialect.ts';
export type { Config, ConfigInput } from '../config/schema.ts';
export type { Actor, CodeFacts, ErrorCode, ErrorJson, Retry } from '../kernel/errors.ts';
export type { Log, LogLevel } from '../kernel/log.ts';
export type { Artifact } from '../model/artifact.ts';
export type { Effect } from '../model/effect.ts';
export type { CallAnswer, Content, Done, Failed, NeedsInput, Outcome } from '../model/outcome.ts';
export type { PageFacts } from '../model/page.ts';
export type { ToolEffect } from '../model/policy.ts';
export type { SessionFacts } from '../model/session.ts';
export type { AiSdkTool } from '../surface/library/ai-sdk.ts';
export type { AdapterOptions } from '../surface/library/chosen-tools.ts';
export type {
  Client,
  ClientBase,
  ClientOptions,
  ListedTool,
  Question,
  SessionClient,
} from '../surface/library/client.ts';
export type {
  CallFacts,
  CallOptions,
  InputOf,
  Method,
  Methods,
  ResultOf,
  Toolbox,
} from '../surface/library/methods.ts';
export type {
  OpenAiPicturesMessage,
  OpenAiTool,
  OpenAiToolCall,
  OpenAiToolMessage,
  OpenAiTools,
} from '../surface/library/openai.ts';
