import { lstat, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ARGUMENTS_NOTE } from '../model/engine.ts';
import type { ProcessRow } from './process-table.ts';

/** The switch that marks a browser as ours. Chromium ignores it; it proves who started what. */
export const LAUNCH_SWITCH = '--oriel-launch=';

/** What we note of a browser while it lives, so that a later process can end what we left. */
export interface LaunchRecord {
  /** Random; the browser carries it in its command line behind {@link LAUNCH_SWITCH}. */
  readonly launchId: string;
  /** The process of ours that the browser belongs to. */
  readonly ownerPid: number;
  readonly ownerStartedAt: string;
  /** The browser's main process, once it is known. */
  readonly pid?: number;
  readonly startedAt?: string;
  /** Folders that are only this browser's. */
  readonly tempFolders: readonly string[];
}

/** Only folders with these names are ever removed, whatever a record says. */
const TEMP_FOLDER = /^(playwright_chromiumdev_profile-|playwright-artifacts-|oriel-launch-)\w+$/;

/** Writes the record in one rename, readable by us alone. */
export async function writeRecord(folder: string, record: LaunchRecord): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = recordPath(folder, record.launchId);
  await writeFile(`${path}.part`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${path}.part`, path);
}

export async function removeRecord(folder: string, launchId: string): Promise<void> {
  await rm(recordPath(folder, launchId), { force: true });
}

/** All readable records; a broken or foreign file is passed over. */
export async function readRecords(folder: string): Promise<LaunchRecord[]> {
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        try {
          const record = JSON.parse(await readFile(join(folder, name), 'utf8')) as LaunchRecord;
          const isWhole =
            /^[\w-]{16,}$/.test(record.launchId) &&
            name === basename(recordPath(folder, record.launchId)) &&
            Array.isArray(record.tempFolders);
          return isWhole ? record : undefined;
        } catch {
          return undefined;
        }
      }),
  );
  return records.filter((record) => record !== undefined);
}

/** The processes whose command line carries this launch's mark. */
export function findMarked(rows: readonly ProcessRow[], launchId: string): ProcessRow[] {
  const mark = `${LAUNCH_SWITCH}${launchId}`;
  return rows.filter(({ command }) => command.split(' ').includes(mark));
}

/** The temporary profile that a launcher noted in the folder of its launch. */
export async function notedProfile(launchFolder: string): Promise<string | undefined> {
  const note = await readFile(join(launchFolder, ARGUMENTS_NOTE), 'utf8').catch(() => '');
  const path = note.match(/^--user-data-dir=(.*)$/m)?.[1];
  return path !== undefined && TEMP_FOLDER.test(basename(path)) ? path : undefined;
}

/** The temporary profile in a browser's command line, if it is one that is ours to remove. */
export function profileFolder(row: ProcessRow): string | undefined {
  const path = row.command.match(/ --user-data-dir=(.*?)(?: --|$)/)?.[1];
  return path !== undefined && TEMP_FOLDER.test(basename(path)) ? path : undefined;
}

/** Removes temporary folders; a link, a file or a name that is not ours is left alone. */
export async function removeTempFolders(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) {
    if (!TEMP_FOLDER.test(basename(folder))) continue;
    try {
      const stats = await lstat(folder);
      const isOurs = process.getuid === undefined || stats.uid === process.getuid();
      if (stats.isDirectory() && isOurs) {
        await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      }
    } catch {
      // Gone already, or not removable: the next start tries again while its record stands.
    }
  }
}

function recordPath(folder: string, launchId: string): string {
  return join(folder, `${launchId}.json`);
}
