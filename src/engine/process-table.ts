import { readFile, readdir } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** One running process. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  /** Process group; equal to `pid` where the system has none. */
  readonly groupId: number;
  /** An opaque stamp: with the pid it names one process, also after the pid is used again. */
  readonly startedAt: string;
  readonly command: string;
}

/** All processes that this user can see; zombies are left out, as nothing of them runs. */
export async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform === 'linux') return listFromProc();
  if (process.platform === 'win32') return parsePowerShell(await capture(...POWERSHELL));
  return parsePs(await capture('/bin/ps', PS_ARGUMENTS));
}

/** `ps` of macOS and the BSDs; `lstart` is five words. */
export const PS_ARGUMENTS = ['-axww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];

const POWERSHELL = [
  'powershell.exe',
  [
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,CommandLine,@{n="Started";e={$_.CreationDate.ToFileTimeUtc()}} | ConvertTo-Json -Compress',
  ],
] as const;

async function listFromProc(): Promise<ProcessRow[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(
    names.map(async (name) => {
      try {
        const [stat, command] = await Promise.all([
          readFile(`/proc/${name}/stat`, 'utf8'),
          readFile(`/proc/${name}/cmdline`, 'utf8'),
        ]);
        return parseProc(stat, command);
      } catch {
        return undefined; // It ended while we looked.
      }
    }),
  );
  return rows.filter((row) => row !== undefined);
}

/** One row from the text of /proc/PID/stat and /proc/PID/cmdline; undefined for a zombie. */
export function parseProc(stat: string, command: string): ProcessRow | undefined {
  // The name in parentheses may itself hold spaces and parentheses.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const [state, parentPid, groupId] = fields;
  if (state === undefined || state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    startedAt: fields[19] ?? '',
    command: command.replaceAll('\0', ' ').trim(),
  };
}

/** Rows from the output of `ps` with {@link PS_ARGUMENTS}. */
export function parsePs(output: string): ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const match = line.match(
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/,
    );
    if (!match) return [];
    const [, pid, parentPid, groupId, state = '', startedAt = '', command = ''] = match;
    if (state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        groupId: Number(groupId),
        startedAt: startedAt.replaceAll(/\s+/g, ' '),
        command: command.trim(),
      },
    ];
  });
}

/** Rows from the JSON that PowerShell prints; one process alone is not an array there. */
export function parsePowerShell(output: string): ProcessRow[] {
  interface Row {
    ProcessId: number;
    ParentProcessId: number;
    CommandLine: string | null;
    Started: number | string | null;
  }
  const parsed = JSON.parse(output.trim() || '[]') as Row | Row[];
  return (Array.isArray(parsed) ? parsed : [parsed]).map((row) => ({
    pid: row.ProcessId,
    parentPid: row.ParentProcessId,
    groupId: row.ProcessId,
    startedAt: String(row.Started ?? ''),
    command: row.CommandLine ?? '',
  }));
}

/**
 * `roots`, all that descends from them, and all in a group that one of them leads. Chromium's
 * helpers stay in the browser's group also when the process that started them has gone.
 */
export function collectTree(
  rows: readonly ProcessRow[],
  roots: readonly ProcessRow[],
): ProcessRow[] {
  const taken = new Map(roots.map((row) => [row.pid, row]));
  const groups = new Set(roots.filter((row) => row.groupId === row.pid).map((row) => row.pid));
  for (let before = -1; before !== taken.size;) {
    before = taken.size;
    for (const row of rows) {
      if (taken.has(row.pid) || row.pid === process.pid) continue;
      if (taken.has(row.parentPid) || groups.has(row.groupId)) taken.set(row.pid, row);
    }
  }
  return [...taken.values()];
}

/** Those of `rows` that still run: same pid and same start. */
export async function stillRunning(rows: readonly ProcessRow[]): Promise<ProcessRow[]> {
  if (rows.length === 0) return [];
  const now = new Map((await listProcesses()).map((row) => [row.pid, row]));
  return rows.filter(({ pid, startedAt }) => now.get(pid)?.startedAt === startedAt);
}

/**
 * Ends `rows` by SIGKILL, which also takes a stopped process, after up to `graceMs` in which they
 * may end by themselves. Each is checked by pid and start time right before. Resolves to those
 * that are still there 2 s later.
 */
export async function endProcesses(
  rows: readonly ProcessRow[],
  graceMs: number,
): Promise<ProcessRow[]> {
  const graceEnd = performance.now() + graceMs;
  let left = await stillRunning(rows);
  while (left.length > 0 && performance.now() < graceEnd) {
    await delay(50);
    left = await stillRunning(left);
  }
  for (let attempt = 0; left.length > 0 && attempt < 40; attempt++) {
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended in between, or belongs to someone else; the next look tells.
      }
    }
    await delay(50);
    left = await stillRunning(left);
  }
  return left;
}

function capture(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 32 * 1024 * 1024, timeout: 20_000, windowsHide: true };
    execFile(file, [...args], options, (failure, stdout) =>
      failure ? reject(failure) : resolve(stdout),
    );
  });
}
