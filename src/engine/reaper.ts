import { setTimeout as delay } from 'node:timers/promises';
import {
  type LaunchRecord,
  findMarked,
  notedProfile,
  profileFolder,
  readRecords,
  removeRecord,
  removeTempFolders,
} from './launch-record.ts';
import { type ProcessRow, collectTree, endProcesses, listProcesses } from './process-table.ts';

/**
 * Ends the browsers whose owner no longer runs, and removes their temporary folders. A browser is
 * ours when its command line carries the random mark of its record; nothing else is touched, and
 * browsers of an owner that lives are left to it. Resolves to the number of browsers ended.
 */
export async function endLeftBrowsers(recordFolder: string): Promise<number> {
  const records = await readRecords(recordFolder);
  if (records.length === 0) return 0;
  const rows = await listProcesses();
  let ended = 0;
  for (const record of records) {
    if (isOwnerAlive(rows, record)) continue;
    if (await endLaunch(recordFolder, record, rows, 0)) ended += 1;
  }
  return ended;
}

/**
 * Ends whatever still runs of one launch, `graceMs` after it may have ended by itself, and clears
 * its folders and record. Without a record (the disk was full) `record` carries the id alone.
 * Resolves to whether anything was still running.
 */
export async function endLaunch(
  recordFolder: string,
  record: LaunchRecord,
  rows: readonly ProcessRow[],
  graceMs: number,
): Promise<boolean> {
  let now = rows;
  let roots = findRoots(now, record);
  if (roots.length === 0 && graceMs > 0) {
    // A launcher becomes the browser in several steps, and between two of them shows no command
    // line: such a one would make its folders anew after they are cleared.
    await delay(graceMs);
    now = await listProcesses();
    roots = findRoots(now, record);
  }
  const folders = new Set(record.tempFolders);
  for (const folder of record.tempFolders) {
    const profile = await notedProfile(folder);
    if (profile !== undefined) folders.add(profile);
  }
  for (const root of roots) {
    const profile = profileFolder(root);
    if (profile !== undefined) folders.add(profile);
  }
  const tree = collectTree(now, roots);
  const left = await endProcesses(tree, graceMs);
  await removeTempFolders(folders);
  if (left.length === 0) await removeRecord(recordFolder, record.launchId).catch(() => {});
  return tree.length > 0;
}

/** The marked processes, and the orphans of the recorded browser's group when it has gone. */
function findRoots(rows: readonly ProcessRow[], record: LaunchRecord): ProcessRow[] {
  const marked = findMarked(rows, record.launchId);
  const { pid } = record;
  if (marked.length > 0 || pid === undefined) return marked;
  // While a group has members its number is not given out again, so members of a group whose
  // leader has gone are what the browser left behind; a living leader would be a stranger.
  const hasLeader = rows.some((row) => row.pid === pid);
  return hasLeader || process.platform === 'win32'
    ? []
    : rows.filter((row) => row.groupId === pid && / --type=|crashpad/.test(row.command));
}

function isOwnerAlive(rows: readonly ProcessRow[], record: LaunchRecord): boolean {
  return rows.some((row) => row.pid === record.ownerPid && row.startedAt === record.ownerStartedAt);
}
