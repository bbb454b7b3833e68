import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Scope } from '../kernel/scope.ts';
import type { PageRun } from './declaration.ts';

export interface StagedInputs {
  /** What was given, for the answer. */
  readonly files: { name: string; bytes: number }[];
  /** Copies that the page may be handed; they live as long as it does. */
  readonly staged: readonly string[];
}

/**
 * Takes files for a page from the places that a caller may read: the workspace and the session's
 * own.
 *
 * @throws `denied` or `not_found` for any other path.
 */
export async function stageInputs(
  { page, session, deps, signal }: Omit<PageRun, 'steps'>,
  paths: readonly string[],
): Promise<StagedInputs> {
  await using open = new Scope();
  const files = [];
  for (const given of paths) {
    files.push(open.own(await deps.files.openInput(session.key, given)));
  }
  const folder = path.join(deps.artifacts.folder(session.key), '.uploads');
  const staged = await deps.act.stageFiles(folder, files, signal);
  page.raw.once('close', () => {
    for (const file of staged) void rm(path.dirname(file), { recursive: true, force: true });
  });
  return { files: files.map(({ name, bytes }) => ({ name, bytes })), staged };
}
