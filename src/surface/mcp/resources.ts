import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Outcome } from '../../model/outcome.ts';

/** Runs `browser_artifacts` for the client. */
export type ArtifactCalling = (input: object, signal: AbortSignal) => Promise<Outcome>;

/** What `browser_artifacts` answers with; its output schema is the contract. */
interface ArtifactOutput {
  readonly artifacts: readonly {
    readonly uri: string;
    readonly name: string;
    readonly mimeType: string;
    readonly bytes: number;
    readonly storedAt: string;
  }[];
  readonly read: {
    readonly uri: string;
    readonly mimeType: string;
    readonly bytes: number;
    readonly offset: number;
    readonly length: number;
    readonly text: string | null;
    readonly base64: string | null;
  } | null;
}

/** Most bytes of one read without a range; the rest is read in ranges. */
const WHOLE_BYTES = 4 * 1024 * 1024;

/**
 * Serves a client's artifacts as resources: `oriel://artifact/<session>/<name>`, a range of one
 * with `?offset=` and `&length=`. Each goes through the tool, so that policy and record hold.
 */
export function serveArtifacts(server: Server, call: ArtifactCalling): void {
  server.setRequestHandler('resources/list', async (_request, context) => {
    const { artifacts } = outputOf(await call({ action: 'list' }, context.mcpReq.signal));
    return {
      resources: artifacts.map(({ uri, name, mimeType, bytes, storedAt }) => ({
        uri,
        name,
        mimeType,
        size: bytes,
        annotations: { lastModified: storedAt },
      })),
    };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'oriel://artifact/{session}/{name}{?offset,length}',
        name: 'artifact',
        description: 'A file that a tool has made, or a range of its bytes.',
      },
    ],
  }));
  server.setRequestHandler('resources/read', async (request, context) => {
    const { uri } = request.params;
    const input = { action: 'read', name: uri, length: WHOLE_BYTES };
    const outcome = await call(input, context.mcpReq.signal);
    if (outcome.status === 'failed' && outcome.error.code === 'not_found') {
      throw new ResourceNotFoundError(uri);
    }
    const { read } = outputOf(outcome);
    if (!read) throw new ResourceNotFoundError(uri);
    const { mimeType, bytes, offset, length, text, base64 } = read;
    const end = offset + length;
    // A resource is the file itself, which must stay as it is: the mark goes beside it.
    const meta = {
      'oriel/untrusted': true,
      'oriel/bytes': bytes,
      ...(end < bytes ? { 'oriel/nextOffset': end } : {}),
    };
    const content = base64 === null ? { text: text ?? '' } : { blob: base64 };
    return { contents: [{ uri, mimeType, ...content, _meta: meta }] };
  });
}

function outputOf(outcome: Outcome): ArtifactOutput {
  if (outcome.status === 'done') return outcome.output as ArtifactOutput;
  const message = outcome.status === 'failed' ? outcome.error.message : outcome.question;
  throw new Error(message);
}
