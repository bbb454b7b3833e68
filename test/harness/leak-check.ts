import { createHook } from 'node:async_hooks';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses } from '../../src/engine/process-table.ts';

/** Kinds of what keeps a Node process alive and would be ours. */
const HANDLES = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap'];

/** Timers that our own code set and that have neither fired nor been cleared, with their origin. */
const timers = new Map<number, string>();
createHook({
  init(id, type) {
    if (type !== 'Timeout') return;
    const frames = (new Error('origin').stack ?? '').split('\n').slice(2);
    // Those of AbortSignal.timeout hold nothing: they go with their signal.
    if (frames.some((frame) => frame.includes('AbortSignal.timeout'))) return;
    // Nor is the check's own wait between two looks anything that was left.
    if (frames.some((frame) => frame.includes('leak-check'))) return;
    const setter = frames.find((frame) => !frame.includes('node:')) ?? '';
    const own = /\/((?:src|test)\/[^)]*)/.exec(setter)?.[1];
    if (own !== undefined && !setter.includes('node_modules')) timers.set(id, own);
  },
  destroy: (id) => void timers.delete(id),
}).enable();

/** How long what was closed may take to be gone. */
const GRACE_MS = 3000;

/**
 * Remembers what this process holds now; {@link expectNothingNew} then throws, naming it, when
 * more is held: timers, sockets, child processes, files in the temp folder.
 */
export class LeakCheck {
  readonly tempDir = mkdtempSync(join(tmpdir(), 'oriel-temp-'));
  readonly #tempBefore = process.env['TMPDIR'];
  readonly #handles = countHandles();
  readonly #children = childrenOf(process.pid);
  readonly #timers = new Set(timers.keys());

  constructor() {
    // Playwright makes its profile folders where the process says.
    process.env['TMPDIR'] = this.tempDir;
  }

  async expectNothingNew(): Promise<void> {
    const giveUpAt = performance.now() + GRACE_MS;
    let left = await this.#left();
    while (left.length > 0 && performance.now() < giveUpAt) {
      await delay(50);
      left = await this.#left();
    }
    if (this.#tempBefore === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = this.#tempBefore;
    rmSync(this.tempDir, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`Left behind: ${left.join('; ')}`);
  }

  async #left(): Promise<string[]> {
    const left = readdirSync(this.tempDir).map((name) => `temp file ${name}`);
    for (const [kind, count] of countHandles()) {
      const before = this.#handles.get(kind) ?? 0;
      if (count > before) left.push(`${count - before} × ${kind}`);
    }
    for (const [id, origin] of timers) if (!this.#timers.has(id)) left.push(`timer of ${origin}`);
    const before = await this.#children;
    const children = (await childrenOf(process.pid)).filter((row) => !before.includes(row));
    return [...left, ...children.map((row) => `process ${row}`)];
  }
}

/** Browsers and watchdogs that a process started, by their command lines. */
export async function childrenOf(pid: number): Promise<string[]> {
  return (await listProcesses())
    .filter((row) => row.parentPid === pid && /--oriel-launch=|oriel-watchdog/.test(row.command))
    .map((row) => `${row.pid} ${row.command.slice(0, 80)}`);
}

function countHandles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (HANDLES.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
