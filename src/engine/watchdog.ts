// A process of its own that outlives ours by seconds: when its standard input ends, our server is
// gone, however it went, and the browser that it left is ended. Arguments: the record folder and
// the owner's id, which every launch id of that owner begins with.
import { LAUNCH_SWITCH, type LaunchRecord, readRecords } from './launch-record.ts';
import { listProcesses } from './process-table.ts';
import { endLaunch } from './reaper.ts';

/** Chromium ends by itself within about 200 ms of its pipe closing, unless it hangs. */
const GRACE_MS = 1000;

const [recordFolder = '', ownerId = ''] = process.argv.slice(2);

if (!process.argv.includes('--owner-is-gone')) {
  await new Promise((resolve) => {
    process.stdin.on('end', resolve).on('close', resolve).on('error', resolve).resume();
  });
}
await endLaunchesOf(ownerId);

async function endLaunchesOf(owner: string): Promise<void> {
  if (owner.length < 16) return;
  // The processes first: an ending browser soon shows no command line any more.
  const rows = await listProcesses();
  const launches = new Map<string, LaunchRecord>();
  const mark = new RegExp(`${LAUNCH_SWITCH}(${owner}-\\d+)(?= |$)`);
  for (const { command } of rows) {
    const launchId = command.match(mark)?.[1];
    if (launchId === undefined) continue;
    launches.set(launchId, { launchId, ownerPid: 0, ownerStartedAt: '', tempFolders: [] });
  }
  for (const record of await readRecords(recordFolder)) {
    if (record.launchId.startsWith(`${owner}-`)) launches.set(record.launchId, record);
  }
  await Promise.all(
    [...launches.values()].map((record) => endLaunch(recordFolder, record, rows, GRACE_MS)),
  );
}
