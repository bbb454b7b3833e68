import { access, constants, mkdtemp, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from './finding.ts';

/**
 * Whether a folder can be written, tried for real: in the folder, or where it would be made.
 *
 * @param home - Given for the workspace, whose files an agent may upload: it should be neither
 * the home folder nor the root.
 */
export async function judgeFolder(
  name: string,
  folder: string,
  flag: string,
  home?: string,
): Promise<Finding> {
  const there = await nearestThere(folder);
  const isThere = there === folder;
  const advice = `Choose another with --${flag} <folder>.`;
  if (home !== undefined && !isThere) {
    return { name, verdict: 'warn', says: `${folder} does not exist.`, advice };
  }
  try {
    await writeOnce(there);
  } catch (failure) {
    const code = (failure as NodeJS.ErrnoException).code ?? 'it fails';
    if (home !== undefined && (await isReadable(folder))) {
      return { name, verdict: 'ok', says: `${folder} (read only, which is enough)` };
    }
    return { name, verdict: 'fail', says: `${there} cannot be written (${code}).`, advice };
  }
  if (home !== undefined && (folder === path.parse(folder).root || folder === home)) {
    return {
      name,
      verdict: 'warn',
      says: `${folder} holds more than an agent should be able to upload.`,
      advice,
    };
  }
  return { name, verdict: 'ok', says: isThere ? folder : `${folder} (made when first needed)` };
}

async function nearestThere(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    const isFolder = await stat(at).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (isFolder || at === path.dirname(at)) return at;
  }
}

async function writeOnce(folder: string): Promise<void> {
  await rmdir(await mkdtemp(path.join(folder, '.oriel-doctor-')));
}

async function isReadable(folder: string): Promise<boolean> {
  return access(folder, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
