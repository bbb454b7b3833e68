import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { artifactUri, parseArtifactUri } from '../../model/artifact-uri.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool, type ServerRun, type SessionRun } from '../../tool/declaration.ts';

type Session = SessionRun['session'];

const DEFAULT_LENGTH = 65_536;
/** A client holds all of an answer in memory, twice. */
const MAX_LENGTH = 16 * 1024 * 1024;

export const artifacts = defineTool({
  name: 'browser_artifacts',
  summary: 'List the files that tools have made in your sessions, or read one in parts.',
  effect: ({ action }) => (action === 'list' || action === 'read' ? 'read' : 'config'),
  effects: ['read', 'config'],
  scope: 'server',
  pack: 'files',
  limit: 'action',
  aliases: { uri: 'name' },
  input: z.strictObject({
    action: z
      .enum(['list', 'read', 'pin', 'unpin'])
      .default('list')
      .describe('A pinned one never makes room for others.'),
    name: z.string().max(400).optional().describe('File name or oriel:// address.'),
    offset: z.int().min(0).default(0).describe('First byte.'),
    length: z.int().min(1).max(MAX_LENGTH).default(DEFAULT_LENGTH).describe('Most bytes.'),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    artifacts: z
      .array(
        z.strictObject({
          uri: z.string(),
          name: z.string(),
          mimeType: z.string(),
          bytes: z.int(),
          storedAt: z.string(),
          isPinned: z.boolean(),
        }),
      )
      .describe('What there is, oldest first.'),
    read: z
      .strictObject({
        uri: z.string(),
        mimeType: z.string(),
        bytes: z.int().describe('Size of the whole.'),
        offset: z.int(),
        length: z.int().describe('Bytes that were read.'),
        text: z.string().nullable().describe('The part, where it is text.'),
        base64: z.string().nullable().describe('The part, where it is not.'),
      })
      .nullable(),
  }),
  examples: [{ title: 'List the files', input: {} }],
  async run(run, input) {
    const { deps } = run;
    if (input.action === 'list') {
      const sessions = input.session === undefined ? all(run) : [named(run, input.session)];
      const lists = await Promise.all(
        sessions.map(async ({ key }) =>
          (await deps.artifacts.list(key)).map(({ storedAt, ...facts }) => ({
            uri: artifactUri(key, facts.name),
            ...facts,
            storedAt: storedAt.toISOString(),
          })),
        ),
      );
      return { artifacts: lists.flat(), read: null };
    }
    const { key, name, offset, length } = locate(run, input);
    if (input.action !== 'read') {
      await deps.artifacts.pin(key, name, input.action === 'pin');
      return { artifacts: [], read: null };
    }
    const part = await deps.artifacts.read(key, name, offset, Math.min(length, MAX_LENGTH));
    const text = asText(part.content, part.mimeType);
    const read = {
      uri: artifactUri(key, name),
      mimeType: part.mimeType,
      bytes: part.bytes,
      offset,
      length: part.content.byteLength,
      text,
      base64: text === null ? part.content.toString('base64') : null,
    };
    return { artifacts: [], read };
  },
  render({ artifacts, read }, { action }) {
    if (read) {
      const range = `bytes ${read.offset} to ${read.offset + read.length} of ${read.bytes}`;
      const head = `${read.uri} (${read.mimeType}), ${range}`;
      if (read.text !== null) {
        return [
          { source: 'oriel', text: head },
          { source: 'page', text: read.text },
        ];
      }
      return [{ source: 'oriel', text: `${head}; it is no text: open the file itself.` }];
    }
    if (action !== 'list') return [{ source: 'oriel', text: `Done: ${action}.` }];
    const lines = artifacts.map(
      ({ uri, mimeType, bytes, isPinned }) =>
        `- ${uri} ${mimeType} ${bytes} bytes${isPinned ? ' (pinned)' : ''}`,
    );
    return [{ source: 'oriel', text: lines.length === 0 ? 'No files yet.' : lines.join('\n') }];
  },
});

function all({ deps, caller }: ServerRun): readonly Session[] {
  return deps.sessions.list(caller);
}

function named({ deps, caller }: ServerRun, handle: string | undefined): Session {
  const session =
    handle === undefined ? deps.sessions.ownOf(caller) : deps.sessions.resolve(caller, handle);
  if (session) return session;
  throw noArtifact();
}

/** A session of another principal is as unknown as one that never was. */
function locate(
  run: ServerRun,
  input: {
    readonly name?: string | undefined;
    readonly session?: string | undefined;
    readonly offset: number;
    readonly length: number;
  },
): { key: string; name: string; offset: number; length: number } {
  const { name, session, offset, length } = input;
  if (name === undefined) {
    throw new OrielError('bad_input', '`name` is missing.', {
      hint: 'List the names with browser_artifacts {"action": "list"}.',
    });
  }
  if (!name.startsWith('oriel:')) return { key: named(run, session).key, name, offset, length };
  const address = parseArtifactUri(name);
  const owner = all(run).find(({ key }) => key === address?.key);
  if (!address || !owner) throw noArtifact();
  return {
    key: owner.key,
    name: address.name,
    offset: address.offset || offset,
    length: address.length ?? length,
  };
}

function noArtifact(): OrielError {
  return new OrielError('not_found', 'There is no such artifact in your sessions.', {
    hint: 'List what there is with browser_artifacts {"action": "list"}.',
  });
}

/** Text types are given as text, when the part is whole characters. */
function asText(content: Buffer, mimeType: string): string | null {
  if (!/^text\/|json|xml/.test(mimeType)) return null;
  // A part may begin or end within a character.
  return content.toString('utf8');
}
