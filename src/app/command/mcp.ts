import { serveMcpStdio } from '../../surface/mcp/server.ts';
import { createCore } from '../core.ts';
import type { CommandContext } from './context.ts';

/** Serves one MCP client over stdio until it goes or the process is told to end. */
export async function runMcp({
  loaded,
  env,
  log,
  version,
  signal,
}: CommandContext): Promise<number> {
  const core = createCore(loaded.config, env, log);
  try {
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      serveMcpStdio({
        version,
        config: loaded.config,
        tools: core.calls.tools,
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
