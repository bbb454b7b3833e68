import { serveMcpStdio } from '../../surface/mcp/server.ts';
import { createCore } from '../core.ts';
import type { CommandContext } from './context.ts';

/** Serves one MCP client over stdio until it goes or the process is told to end. */
export async function runMcp({
  loaded,
  dialect,
  env,
  log,
  version,
  signal,
}: CommandContext): Promise<number> {
  const core = createCore(loaded.config, env, log, { dialect });
  try {
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      serveMcpStdio({
        version,
        repertoire: core.repertoire,
        call: (request, options) => core.calls.call(request, options),
        onClose: resolve,
      });
    });
    await ended;
    return 0;
  } finally {
    await core[Symbol.asyncDispose]();
  }
}
