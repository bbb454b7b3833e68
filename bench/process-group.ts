import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  collectTree,
  listProcesses,
  stillRunning,
  type ProcessRow,
} from '../src/engine/process-table.ts';

/** Name of the variable by which processes that left their parent are still known as ours. */
export const MARK = 'ORIEL_BENCH_MARK';

/**
 * The processes that carry `mark` in their environment, and all that descend from them: a server,
 * its daemons and its browser.
 */
export async function markedProcesses(mark: string): Promise<ProcessRow[]> {
  const wanted = `${MARK}=${mark}`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = new Set<number>();
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(wanted)) marked.add(Number(pid));
  }
  const rows = await listProcesses();
  return collectTree(
    rows,
    rows.filter((row) => marked.has(row.pid)),
  );
}

/** Memory of processes in MiB, what they share counted once among all that share it. */
export async function pssMiB(rows: readonly ProcessRow[]): Promise<number> {
  let kib = 0;
  for (const { pid } of rows) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kib += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  }
  return kib / 1024;
}

/** Gives processes 5 s to end by themselves, then ends them. Returns those that had to be ended. */
export async function awaitEnd(rows: readonly ProcessRow[]): Promise<ProcessRow[]> {
  const until = Date.now() + 5_000;
  let left = await stillRunning(rows);
  while (left.length > 0 && Date.now() < until) {
    await delay(100);
    left = await stillRunning(rows);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended while we looked.
    }
  }
  return left;
}
