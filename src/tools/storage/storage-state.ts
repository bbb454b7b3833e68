import path from 'node:path';
import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { storageStateSchema, type StorageState } from '../../model/storage.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool, type SessionRun } from '../../tool/declaration.ts';

const MAX_BYTES = 10 * 1024 * 1024;

export const storageState = defineTool({
  name: 'browser_storage_state',
  summary: "Save this session's logins (cookies and storage) to a file, or load such a file.",
  effect: ({ action }) => (action === 'export' ? 'disk' : 'act'),
  effects: ['act', 'disk'],
  scope: 'session',
  pack: 'storage',
  limit: 'navigation',
  aliases: { filename: 'path' },
  input: z.strictObject({
    action: z.enum(['export', 'import']).describe('import replaces all that the session has.'),
    path: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe("In the workspace; default storage-state.json in the session's folder."),
    indexedDB: z.boolean().default(false).describe('export: databases too.'),
    overwrite: z.boolean().default(false).describe('export: replace a file that is there.'),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    path: z.string().describe('The file.'),
    bytes: z.int(),
    cookies: z.int().describe('How many.'),
    origins: z.array(z.string()).describe('Whose storage it holds.'),
  }),
  examples: [],
  async run(run, input) {
    const { session, deps } = run;
    const file = input.path ?? path.join(deps.artifacts.folder(session.key), 'storage-state.json');
    return input.action === 'export' ? exportState(run, file, input) : importState(run, file);
  },
  render({ path, bytes, cookies, origins }, { action }) {
    const what = `${cookies} cookies and the storage of ${origins.length} origins`;
    const text =
      action === 'export' ? `Saved ${what}: ${path}, ${bytes} bytes.` : `Loaded ${what}.`;
    return [
      { source: 'oriel', text },
      { source: 'page', text: origins.join('\n') },
    ];
  },
});

async function exportState(
  { session, deps, signal }: SessionRun,
  file: string,
  options: { readonly indexedDB: boolean; readonly overwrite: boolean },
) {
  const lease = session.context;
  if (!lease) throw nothingToSave();
  const state = await deps.act.readState(lease.context, options, signal);
  // A file of logins is never replaced by one without any.
  if (state.cookies.length === 0 && state.origins.length === 0) throw nothingToSave();
  const content = Buffer.from(JSON.stringify(state, null, 2), 'utf8');
  requireSize(content.byteLength);
  const saved = await deps.files.writeOutput(session.key, file, content, options);
  return describeState(saved, content.byteLength, state);
}

async function importState({ session, deps, signal, onProgress }: SessionRun, file: string) {
  await using input = await deps.files.openInput(session.key, file);
  requireSize(input.bytes);
  const state = parseState(await input.handle.readFile('utf8'));
  session.throwIfLost();
  const context =
    session.context?.context ?? (await session.newPage(signal, onProgress)).raw.context();
  await deps.act.writeState(context, state, signal);
  return describeState(input.path, input.bytes, state);
}

/** The whole file is judged before anything of the session is replaced. */
function parseState(text: string): StorageState {
  try {
    return storageStateSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new OrielError('bad_input', 'The file holds no storage state.', {
      hint: 'Give a file that browser_storage_state export has written.',
      cause,
    });
  }
}

function describeState(file: string, bytes: number, state: StorageState) {
  const origins = state.origins.map(({ origin }) => origin);
  return { path: file, bytes, cookies: state.cookies.length, origins };
}

function requireSize(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new OrielError('over_limit', `The state has ${bytes} bytes; the most is ${MAX_BYTES}.`, {
    hint: 'Leave out databases, or clear storage that is not needed.',
  });
}

function nothingToSave(): OrielError {
  return new OrielError('not_found', 'This session has no cookies and no storage to save.', {
    hint: 'Log in first; no file was written or replaced.',
  });
}
