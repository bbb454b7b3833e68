import { describe, expect, it } from 'vitest';
import { collectTree, listProcesses, type ProcessRow } from '../../src/engine/process-table.ts';
import { until } from '../engine/fixture.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';
import { verifies } from '../harness/verifies.ts';

const other = { caller: { connection: 'other' } };

/** The browser of the test and all that descends from it. */
async function treeOf(oriel: TestOriel): Promise<ProcessRow[]> {
  const pid = oriel.core.deps.engine.running?.facts.pid;
  const rows = await listProcesses();
  return collectTree(
    rows,
    rows.filter((row) => row.pid === pid),
  );
}

describe('a browser that stops answering', () => {
  it(
    'during a call: the call ends at its limit, then the generation ends, and the next call works',
    {
      timeout: 60_000,
    },
    async () => {
      await using oriel = await startOriel();
      await oriel.open('/blank.html');
      for (const { pid } of await treeOf(oriel)) process.kill(pid, 'SIGSTOP');
      const startedAt = performance.now();
      await oriel.fails('timeout', 'browser_snapshot', { timeoutMs: 1_000 });
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      await until(() => oriel.core.deps.engine.running === null, 5_000);
      const told = await oriel.fails('gone', 'browser_snapshot');
      expect(told.text).toContain('generation 1');
      await oriel.open('/blank.html');
      expect(oriel.core.deps.engine.running?.generation).toBe(2);
    },
  );

  it(
    'before a session opens its first page: the call does not wait to its end',
    {
      timeout: 60_000,
    },
    async () => {
      await using oriel = await startOriel();
      await oriel.open('/blank.html');
      for (const { pid } of await treeOf(oriel)) process.kill(pid, 'SIGSTOP');
      const startedAt = performance.now();
      const status = await oriel.done('browser_session');
      expect(performance.now() - startedAt).toBeLessThan(2_000);
      expect(status.output).toMatchObject({ browser: { generation: 1 } });
      const opened = await oriel.call(
        'browser_navigate',
        { url: oriel.fixtures.url('/blank.html') },
        other,
      );
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect(opened.status !== 'failed' || opened.error.code, textOf(opened)).toSatisfy(
        (result: unknown) => result === true || result === 'gone' || result === 'upstream',
      );
      await oriel.done('browser_navigate', { url: oriel.fixtures.url('/blank.html') }, other);
    },
  );
});

describe('a browser that is killed (P05)', () => {
  it(
    'the next call says so, with the generation; logins are gone and contexts come on demand',
    {
      timeout: 60_000,
    },
    async () => {
      await using oriel = await startOriel();
      await oriel.open('/set-cookie?who=me');
      process.kill(oriel.core.deps.engine.running!.facts.pid!, 'SIGKILL');
      await until(() => oriel.core.deps.engine.running === null, 5_000);
      const told = await oriel.fails('gone', 'browser_snapshot');
      expect(told.text).toMatch(/generation 1.*starts generation 2/s);
      await oriel.fails('not_found', 'browser_snapshot');
      await oriel.open('/blank.html');
      const cookies = await oriel.done('browser_evaluate', { expression: 'document.cookie' });
      expect(textOf(cookies)).not.toContain('who');
    },
  );

  it('of its GPU process alone, it goes on', { timeout: 60_000 }, async (test) => {
    await using oriel = await startOriel();
    await oriel.open('/form-50.html');
    const gpu = (await treeOf(oriel)).find(({ command }) => command.includes('--type=gpu-process'));
    if (!gpu) return test.skip('This browser has no GPU process of its own.');
    process.kill(gpu.pid, 'SIGKILL');
    await oriel.done('browser_snapshot');
    await oriel.done('browser_screenshot');
    expect(oriel.core.deps.engine.running?.generation).toBe(1);
  });
});

describe('first calls', () => {
  it(
    'S02: at the same time they share one launch, and do not fight for a page',
    {
      timeout: 60_000,
    },
    async () => {
      verifies('A-084');
      await using oriel = await startOriel();
      const opened = await Promise.all(
        [{}, {}, other, other].map((settings) =>
          oriel.done('browser_navigate', { url: oriel.fixtures.url('/blank.html') }, settings),
        ),
      );
      expect(opened).toHaveLength(4);
      const { sessions, engine } = oriel.core.deps;
      expect(engine.running?.generation).toBe(1);
      expect(sessions.all.map(({ context }) => context?.generation)).toEqual([1, 1]);
    },
  );
});
