import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { OrielError } from '../../kernel/errors.ts';
import type { Answer, CallTool } from './story.ts';

const PROTOCOL = '2026-07-28';
const KEPT_CHARS = 4_000;

export interface StoryClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly onProgress: (message: string) => void;
  readonly signal: AbortSignal;
}

/** A real MCP client and the server that it started; disposing ends both. */
export interface StoryClient extends AsyncDisposable {
  readonly call: CallTool;
  readonly toolCount: number;
  readonly protocol: string;
  /** The end of what the server wrote to stderr. */
  readonly serverLog: () => string;
}

/**
 * Starts an MCP server over stdio and greets it.
 *
 * @throws `upstream` when it does not answer, with what it wrote.
 */
export async function connectStoryClient(options: StoryClientOptions): Promise<StoryClient> {
  const { command, args, version, onProgress, signal } = options;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: definedOnly(options.env),
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-KEPT_CHARS);
  });
  const client = new Client(
    { name: 'oriel-demo', version },
    { versionNegotiation: { mode: { pin: PROTOCOL } } },
  );
  try {
    await client.connect(transport, { signal });
    const { tools } = await client.listTools(undefined, { signal });
    return {
      call: (tool, input) => call(client, tool, input, { onProgress, signal }),
      toolCount: tools.length,
      protocol: PROTOCOL,
      serverLog: () => log.trim(),
      [Symbol.asyncDispose]: () => client.close(),
    };
  } catch (cause) {
    await client.close();
    signal.throwIfAborted();
    throw new OrielError('upstream', `The MCP server did not start. ${log.trim()}`.trim(), {
      hint: 'Run `oriel doctor` to see what this machine lacks.',
      cause,
    });
  }
}

async function call(
  client: Client,
  tool: string,
  input: Record<string, unknown>,
  { onProgress, signal }: Pick<StoryClientOptions, 'onProgress' | 'signal'>,
): Promise<Answer> {
  const startedAt = performance.now();
  const result = await client.callTool(
    { name: tool, arguments: input },
    {
      signal,
      timeout: 120_000,
      onprogress: ({ message }) => {
        if (message) onProgress(message);
      },
    },
  );
  const tookMs = Math.round(performance.now() - startedAt);
  const blocks = result.content;
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const image = blocks.find((block) => block.type === 'image');
  return {
    text,
    isError: result.isError === true,
    picture:
      image?.type === 'image'
        ? { mimeType: image.mimeType, bytes: Buffer.byteLength(image.data, 'base64') }
        : null,
    tookMs,
  };
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
