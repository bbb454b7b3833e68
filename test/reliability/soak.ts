import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Core } from '../../src/app/core.ts';
import type { FixtureServer } from '../harness/fixture-server.ts';

/** What is soaked; nothing of it may need a test runner. */
export interface SoakSubject {
  readonly core: Core;
  readonly fixtures: FixtureServer;
}

export interface SoakOptions {
  readonly ms: number;
  readonly seed: number;
  readonly sessions?: number;
}

export interface SoakFigures {
  readonly calls: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly generations: number;
  /** How far past its limit the latest call ended. */
  readonly latestMs: number;
  /** Heap after garbage collection, where that can be asked for, at a quarter and at the end. */
  readonly heapMb: readonly [number, number];
  /** What must not have been. */
  readonly violations: readonly string[];
}

const LIMIT_MS = 4_000;
/** What a call may take past its limit. */
const LATE_MS = 2_000;
/** A call that opens a page may have to wait for a browser to start. */
const START_MS = 20_000;

/**
 * Agents on one origin, each with a login of its own, do random things while browsers are killed,
 * pages hang, close and crash and calls are cancelled. What each sees of its login is checked.
 */
export async function soak(oriel: SoakSubject, options: SoakOptions): Promise<SoakFigures> {
  const random = generator(options.seed);
  const counts = { calls: 0, latestMs: 0 };
  const byStatus: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const violations: string[] = [];
  const endsAt = performance.now() + options.ms;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  async function call(
    who: string,
    tool: string,
    input: object = {},
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const startedAt = performance.now();
    const opens = tool === 'browser_navigate' || tool === 'browser_tabs';
    const limitMs = opens ? START_MS : LIMIT_MS;
    const outcome = await oriel.core.calls.call(
      {
        tool,
        input: { timeoutMs: limitMs, ...input },
        caller: { surface: 'library', principal: 'local', connection: who },
      },
      signal ? { signal } : {},
    );
    const lateMs = performance.now() - startedAt - limitMs;
    counts.calls += 1;
    counts.latestMs = Math.max(counts.latestMs, Math.round(lateMs));
    if (lateMs > LATE_MS) violations.push(`${tool} of ${who} ended ${Math.round(lateMs)} ms late`);
    const key = outcome.status === 'failed' ? outcome.error.code : outcome.status;
    byStatus[key] = (byStatus[key] ?? 0) + 1;
    if (key === 'bug') violations.push(`${tool} of ${who}: ${textOf(outcome)}`);
    const foreign = textOf(outcome)
      .match(/agent-\d+/g)
      ?.find((name) => name !== who);
    if (foreign) violations.push(`${tool} of ${who} showed ${foreign}`);
    return outcome;
  }

  async function logIn(who: string): Promise<void> {
    await call(who, 'browser_navigate', { url: oriel.fixtures.url(`/set-cookie?who=${who}`) });
    await call(who, 'browser_evaluate', { expression: `localStorage.setItem('who', '${who}')` });
  }

  /** Sees its own login or none, never another's. */
  async function checkLogin(who: string): Promise<void> {
    const outcome = await call(who, 'browser_evaluate', {
      expression: 'document.cookie + " " + localStorage.getItem("who")',
    });
    if (outcome.status !== 'done') await logIn(who);
  }

  const acts: readonly ((who: string) => Promise<unknown>)[] = [
    (who) => call(who, 'browser_navigate', { url: oriel.fixtures.url('/form-50.html') }),
    (who) => call(who, 'browser_navigate', { url: oriel.fixtures.url('/table-1000.html') }),
    (who) => call(who, 'browser_snapshot'),
    (who) => call(who, 'browser_read'),
    (who) => call(who, 'browser_screenshot'),
    (who) => call(who, 'browser_tabs'),
    (who) => call(who, 'browser_tabs', { action: 'new', url: oriel.fixtures.url('/echo') }),
    (who) => call(who, 'browser_tabs', { action: 'close' }),
    (who) => call(who, 'browser_session'),
    (who) => call(who, 'browser_wait', { text: 'never there', timeoutMs: 300 }),
    checkLogin,
    checkLogin,
  ];
  const fault = (name: string) => void (faults[name] = (faults[name] ?? 0) + 1);
  const breaks: readonly ((who: string) => Promise<unknown>)[] = [
    async (who) => {
      fault('hang');
      await call(who, 'browser_evaluate', { expression: '() => { for (;;); }', timeoutMs: 800 });
    },
    async (who) => {
      fault('cancel');
      await call(who, 'browser_wait', { text: 'never there' }, AbortSignal.timeout(200));
    },
    async (who) => {
      fault('session closed');
      await call(who, 'browser_session', { action: 'close' });
    },
    async (who) => {
      fault('page crashed');
      const own = oriel.core.deps.sessions.ownOf({ principal: 'local', connection: who });
      const cdp = await own?.current?.cdp;
      void cdp?.send('Page.crash').catch(() => {});
    },
  ];

  async function agent(who: string): Promise<void> {
    await logIn(who);
    while (performance.now() < endsAt) {
      await pick(random() < 0.12 ? breaks : acts)(who);
    }
  }

  async function killer(): Promise<void> {
    while (performance.now() < endsAt) {
      await delay(Math.min(5_000 + random() * 15_000, Math.max(0, endsAt - performance.now())));
      const pid = oriel.core.deps.engine.running?.facts.pid;
      if (pid === null || pid === undefined || performance.now() >= endsAt) continue;
      const how = pick(['SIGKILL', 'SIGKILL', 'SIGSTOP'] as const);
      try {
        process.kill(pid, how);
        fault(`browser ${how}`);
      } catch {
        // It has just ended by itself.
      }
    }
  }

  let quarterMb = 0;
  const quarter = delay(options.ms / 4).then(() => (quarterMb = heapMb()));
  await Promise.all([
    ...Array.from({ length: options.sessions ?? 8 }, (_, index) => agent(`agent-${index + 1}`)),
    killer(),
    quarter,
  ]);
  return {
    calls: counts.calls,
    byStatus,
    faults,
    generations: oriel.core.deps.engine.running?.generation ?? 0,
    latestMs: counts.latestMs,
    heapMb: [quarterMb, heapMb()],
    violations,
  };
}

function textOf({ content }: Outcome): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function heapMb(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
}

/** Numbers from 0 to 1 that repeat with their seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
