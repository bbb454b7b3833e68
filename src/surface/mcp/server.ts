import { randomUUID } from 'node:crypto';
import {
  inputRequired,
  inputResponse,
  Server,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type {
  CallAnswer,
  Caller,
  CallRequest,
  Done,
  Failed,
  NeedsInput,
  Outcome,
} from '../../model/outcome.ts';
import type { Listing, Repertoire } from '../../tool/repertoire.ts';
import { serveArtifacts } from './resources.ts';

/** Runs a call; everything behind it may still be loading. */
export type Calling = (
  request: CallRequest,
  options: { signal: AbortSignal; onProgress: (message: string) => void },
) => Promise<Outcome>;

export interface McpOptions {
  readonly version: string;
  /** What the client is shown and calls. */
  readonly repertoire: Repertoire;
  /** Native calls, by which its resources are read. */
  readonly call: Calling;
  /** A client has been told of the tools, and will call one next. */
  readonly onListed?: () => void;
  readonly onClose: () => void;
}

/** Serves one client over stdin and stdout, in either revision of the protocol. */
export function serveMcpStdio(options: McpOptions): StdioServerHandle {
  const handle = serveStdio(() => createMcpServer(options), {
    onerror: () => {},
  });
  process.stdin.once('end', options.onClose);
  process.stdin.once('close', options.onClose);
  return handle;
}

function createMcpServer(options: McpOptions): Server {
  const { repertoire } = options;
  const server = new Server(
    { name: 'oriel', title: 'Oriel', version: options.version },
    { capabilities: { tools: {}, resources: {} }, instructions: repertoire.instructions },
  );
  const connection = randomUUID();
  const caller = (canAsk: boolean): Caller => ({
    surface: 'mcp',
    principal: 'local',
    connection,
    canAsk,
  });

  serveArtifacts(server, (input, signal) =>
    options.call(
      // Resources have no way to put a question to a person.
      { tool: 'browser_artifacts', input, caller: caller(false) },
      { signal, onProgress: () => {} },
    ),
  );

  server.setRequestHandler('tools/list', () => {
    options.onListed?.();
    return { tools: repertoire.listings.map(toWire) };
  });

  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: input, _meta: meta } = request.params;
    const token = meta?.progressToken;
    const { mcpReq } = context;
    let step = 0;
    const answer = answerOf(mcpReq.inputResponses, mcpReq.requestState());
    const outcome = await repertoire.call(
      {
        tool: name,
        input: input ?? {},
        caller: caller(canAsk(server, mcpReq.envelope)),
        ...(answer ? { answer } : {}),
      },
      {
        signal: mcpReq.signal,
        onProgress: (message) => {
          if (token === undefined) return;
          const params = { progressToken: token, progress: ++step, message };
          void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
        },
      },
    );
    return outcome.status === 'needs_input' ? toQuestion(outcome) : toResult(outcome);
  });
  return server;
}

/** The handshake of 2025 tells once what the client can do, each request of 2026 anew. */
function canAsk(server: Server, envelope: Readonly<Record<string, unknown>> | undefined): boolean {
  const said = envelope?.['io.modelcontextprotocol/clientCapabilities'] as
    | { elicitation?: unknown }
    | undefined;
  return (said ?? server.getClientCapabilities())?.elicitation !== undefined;
}

/** The key under which an approval is asked for and answered. */
const APPROVAL = 'approval';

function answerOf(responses: unknown, state: unknown): CallAnswer | undefined {
  if (typeof state !== 'string') return undefined;
  const view = inputResponse(responses as Record<string, unknown> | undefined, APPROVAL);
  if (view.kind !== 'elicit') return { state, approved: false };
  return { state, approved: view.action === 'accept' && view.content?.['approve'] !== false };
}

function toQuestion(outcome: NeedsInput) {
  return inputRequired({
    inputRequests: {
      [APPROVAL]: inputRequired.elicit({
        message: outcome.question,
        requestedSchema: {
          type: 'object',
          properties: {
            approve: { type: 'boolean', title: 'Allow it', default: true },
          },
          required: ['approve'],
        },
      }),
    },
    requestState: outcome.state,
  });
}

function toWire({ name, description, inputSchema, annotations, meta }: Listing) {
  return {
    name,
    description,
    inputSchema: inputSchema as { type: 'object' },
    ...(annotations ? { annotations } : {}),
    ...(meta ? { _meta: { ...meta } } : {}),
  };
}

function toResult(outcome: Done | Failed): CallToolResult {
  const content = outcome.content.map((block) =>
    block.type === 'text'
      ? { type: 'text' as const, text: block.text }
      : { type: 'image' as const, mimeType: block.mimeType, data: block.base64 },
  );
  const meta = Object.keys(outcome.meta ?? {}).length > 0 ? { _meta: { ...outcome.meta } } : {};
  return { content, ...meta, ...(outcome.status === 'failed' ? { isError: true } : {}) };
}
