import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { downloadSchema, type Download } from '../../model/download.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const downloads = defineTool({
  name: 'browser_downloads',
  summary: 'List what pages have downloaded, wait for it, save a copy, or delete it.',
  effect: ({ action }) => (action === 'save' || action === 'delete' ? 'disk' : 'read'),
  effects: ['read', 'disk'],
  scope: 'session',
  pack: 'files',
  limit: 'wait',
  aliases: { download: 'id', filename: 'path' },
  input: z.strictObject({
    action: z.enum(['list', 'wait', 'save', 'delete']).default('list'),
    id: z.string().max(20).optional().describe('Such as d1; for wait: all, or the next.'),
    path: z.string().min(1).max(4_096).optional().describe('Where to save, in the workspace.'),
    overwrite: z.boolean().default(false).describe('Replace a file that is there.'),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    downloads: z.array(downloadSchema).describe('The downloads asked about, oldest first.'),
    path: z.string().nullable().describe('The copy that was saved.'),
  }),
  examples: [{ title: 'List the downloads', input: {} }],
  async run({ session, deps, signal }, input) {
    const { action, id, path } = input;
    if (action === 'list') {
      const all = deps.downloads.list(session);
      // What is listed is told; the next answer need not tell it again.
      deps.downloads.takeNews(session);
      const some = id === undefined ? all : [deps.downloads.get(session, id)];
      return { done: '', downloads: some, path: null };
    }
    if (action === 'wait') {
      const ended = await deps.downloads.wait(session, id, signal);
      return { done: `${ended.length} ended.`, downloads: ended, path: null };
    }
    if (id === undefined) throw missing('id', action);
    if (action === 'delete') {
      const removed = await deps.downloads.remove(session, id);
      return { done: `${id} is deleted.`, downloads: [removed], path: null };
    }
    if (path === undefined) throw missing('path', action);
    const download = deps.downloads.get(session, id);
    if (download.state !== 'done' || download.path === undefined) {
      throw new OrielError('not_found', `${id} has no file: it is ${download.state}.`, {
        hint: 'Wait for it with browser_downloads {"action": "wait"}, or download it again.',
      });
    }
    const saved = await deps.files.writeOutput(
      session.key,
      path,
      await readFile(download.path),
      input,
    );
    return { done: `${id} is saved as ${saved}.`, downloads: [download], path: saved };
  },
  render({ done, downloads }) {
    const lines = downloads.map(describe);
    return [
      { source: 'oriel', text: downloads.length === 0 ? 'No downloads.' : done },
      { source: 'page', text: lines.join('\n') },
    ];
  },
});

function describe(download: Download): string {
  const { id, page, name, state, path, bytes, mimeType, error, url } = download;
  const facts = [path, bytes === undefined ? null : `${bytes} bytes`, mimeType, error, url, page];
  return `- ${id} ${name} (${state}) ${facts.filter((fact) => fact !== null && fact !== undefined).join(' ')}`;
}

function missing(argument: string, action: string): OrielError {
  return new OrielError('bad_input', `\`${argument}\` is missing for ${action}.`, {
    hint: 'List the ids with browser_downloads {"action": "list"}.',
  });
}
