import { OrielError } from '../../kernel/errors.ts';
import { nativeRepertoire } from '../../surface/mcp/listing.ts';
import { serveMcpStdio } from '../../surface/mcp/server.ts';
import type { Core } from '../core.ts';
import type { CommandContext } from './context.ts';

/** A client that asks for no list gets everything loaded after this time all the same. */
const LOAD_AFTER_MS = 1000;

/**
 * Serves one MCP client over stdio until it goes or the process is told to end. The client is
 * answered before the rest is loaded: many clients wait for `tools/list` of all their servers
 * before they show anything.
 *
 * @throws `bad_input` when the configuration names what does not exist.
 */
export async function runMcp({
  loaded,
  dialect,
  env,
  log,
  version,
  signal,
}: CommandContext): Promise<number> {
  const { config } = loaded;
  let core: Promise<Core> | null = null;
  let isOver = false;
  const over = new AbortController();
  const load = (): Promise<Core> => {
    if (isOver) return Promise.reject(new OrielError('cancelled', 'The server is closing.'));
    core ??= import('../core.ts').then(({ createCore }) =>
      createCore(config, env, log, { dialect }),
    );
    core.catch((failure: unknown) => over.abort(failure));
    return core;
  };
  const repertoire = dialect
    ? (await load()).repertoire
    : nativeRepertoire(config, async (request, options) =>
        (await load()).calls.call(request, options),
      );
  const ended = new Promise<void>((resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason as Error));
    signal.addEventListener('abort', () => resolve(), { once: true });
    serveMcpStdio({
      version,
      repertoire,
      call: async (request, options) => (await load()).calls.call(request, options),
      // Not before the answer is out.
      onListed: () => setImmediate(() => void load().catch(() => {})),
      onClose: resolve,
    });
    setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS).unref();
  });
  try {
    await ended;
    return 0;
  } finally {
    isOver = true;
    await (core as Promise<Core> | null)?.then((made) => made[Symbol.asyncDispose]());
  }
}
