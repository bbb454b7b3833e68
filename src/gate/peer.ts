import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Says whether the process at the other end of a loopback connection may use the gate. */
export type PeerCheck = (socket: Socket) => Promise<boolean>;

/**
 * On Linux: the owner of the connecting socket, found in /proc, must be `rootPid` or descend from
 * it. Elsewhere there is nothing to ask, and the peer is judged by the policy alone.
 *
 * A browser keeps its sockets in one process, so the last owner found is asked first; a full scan
 * takes several milliseconds.
 */
export function peerCheckFor(rootPid: number): PeerCheck | undefined {
  if (process.platform !== 'linux') return undefined;
  const recent: number[] = [];
  return async (socket) => {
    const inode = await inodeOf(socket.remoteAddress, socket.remotePort, socket.localPort);
    if (inode === undefined) return false;
    for (const pid of recent) if (ownsSocket(pid, inode)) return descendsFrom(pid, rootPid);
    for (const pid of await familyOf(rootPid)) {
      if (!ownsSocket(pid, inode)) continue;
      recent.unshift(pid);
      recent.length = Math.min(recent.length, 8);
      return true;
    }
    return false;
  };
}

/** About a thousand sockets. */
const SHORT_TABLE_CHARS = 150_000;

async function inodeOf(
  address: string | undefined,
  port: number | undefined,
  gatePort: number | undefined,
): Promise<string | undefined> {
  if (address === undefined || port === undefined || gatePort === undefined) return undefined;
  const bytes = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  const hex = (value: number, width: number) =>
    value.toString(16).toUpperCase().padStart(width, '0');
  const local = `${bytes
    .toReversed()
    .map((byte) => hex(byte, 2))
    .join('')}:${hex(port, 4)}`;
  const remote = `:${hex(gatePort, 4)}`;
  const table = await readTable();
  for (let at = table.indexOf(local); at !== -1; at = table.indexOf(local, at + 1)) {
    const fields = table.slice(at, table.indexOf('\n', at)).split(/\s+/);
    if (fields[0] === local && fields[1]?.endsWith(remote)) return fields[8];
  }
  return undefined;
}

let tableChars = 0;
let readAgainAt = 0;
let nextTable: Promise<string> | undefined;

/**
 * The kernel's table of TCP sockets, read after this call. It takes 7 ms for 500 sockets on a
 * busy machine, and a page brings its connections in bursts, one accepted a turn: so whoever
 * asks soon after a reading waits as long as that took, and shares the next with all who wait.
 */
async function readTable(): Promise<string> {
  nextTable ??= setTimeout(Math.max(0, readAgainAt - performance.now())).then(async () => {
    nextTable = undefined;
    const startedAt = performance.now();
    // A short table costs less to read than to hand to another thread.
    const table =
      tableChars < SHORT_TABLE_CHARS
        ? readFileSync('/proc/net/tcp', 'latin1')
        : await readFile('/proc/net/tcp', 'latin1');
    tableChars = table.length;
    const endedAt = performance.now();
    readAgainAt = endedAt + (endedAt - startedAt);
    return table;
  });
  return nextTable;
}

/**
 * Asked in this thread on purpose: a link in /proc is read in a microsecond or two, while a
 * hundred of them through the thread pool would hold up the lookups that wait there.
 */
function ownsSocket(pid: number, inode: string): boolean {
  const wanted = `socket:[${inode}]`;
  const folder = `/proc/${pid}/fd`;
  try {
    // The newest descriptors come last, and the socket was opened a moment ago.
    return readdirSync(folder)
      .toReversed()
      .some((name) => linkAt(`${folder}/${name}`) === wanted);
  } catch {
    return false;
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function descendsFrom(pid: number, rootPid: number): Promise<boolean> {
  for (let at = pid; at > 1; at = await parentOf(at)) if (at === rootPid) return true;
  return false;
}

/** `rootPid` and all that descend from it, as they stand now. */
async function familyOf(rootPid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = new Map(
    await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)),
  );
  const isInFamily = (pid: number) => {
    for (let at: number | undefined = pid; at && at > 1; at = parents.get(at)) {
      if (at === rootPid) return true;
    }
    return false;
  };
  return pids.filter(isInFamily);
}
