// How servers end, share a folder and outlive a jump of the clock (P01, P06, F04).
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { stillRunning, type ProcessRow } from '../../src/engine/process-table.ts';
import { until } from '../engine/fixture.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { startMcp, type TestMcp } from '../harness/mcp-client.ts';
import { startOriel, textOf } from '../harness/oriel.ts';

let site: FixtureServer;
beforeAll(async () => {
  site = await startFixtureServer();
});
afterAll(() => site[Symbol.asyncDispose]());

async function browse(mcp: TestMcp): Promise<ProcessRow[]> {
  const answer = await mcp.call('browser_navigate', { url: site.url('/blank.html') });
  expect(answer.isError, answer.text).toBe(false);
  const tree = await mcp.tree();
  expect(tree.filter((row) => row.command.includes('--type=renderer')).length).toBeGreaterThan(0);
  return tree;
}

describe('nothing is left 5 s after a server that (P01)', () => {
  it.each([
    ['calls process.exit', 'process.exit(3)'],
    ['throws where nobody catches', 'throw new Error("thrown by a test")'],
    ['loses a promise', 'void Promise.reject(new Error("rejected by a test"))'],
    ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'],
  ])('%s', { timeout: 60_000 }, async (_name, script) => {
    const code = `process.on('SIGUSR2', () => { ${script} })`;
    await using mcp = await startMcp({
      era: '2026',
      nodeArgs: ['--max-old-space-size=96', '--import', `data:text/javascript,${code}`],
    });
    const tree = await browse(mcp);
    process.kill(mcp.pid, 'SIGUSR2');
    await until(async () => (await stillRunning(tree)).length === 0, 10_000);
  });
});

describe('two servers (P06)', () => {
  it('on one data folder both work, and the end of one leaves the other', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'oriel-shared-'));
    try {
      await using one = await startMcp({ era: '2025', args: [`--data-dir=${dataDir}`] });
      await using two = await startMcp({ era: '2026', args: [`--data-dir=${dataDir}`] });
      const trees = await Promise.all([browse(one), browse(two)]);
      expect(readdirSync(join(dataDir, 'run/browsers'))).toHaveLength(2);
      process.kill(one.pid, 'SIGKILL');
      await until(async () => (await stillRunning(trees[0]!)).length === 0, 5_000);
      // A third one clears up after the first, and leaves the second alone.
      await using three = await startMcp({ era: '2026', args: [`--data-dir=${dataDir}`] });
      await browse(three);
      const seen = await two.call('browser_snapshot');
      expect(seen.isError, seen.text).toBe(false);
      expect(seen.text).toContain('Blank');
      expect((await two.call('browser_session')).text).toContain('generation 1');
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('a clock that jumps', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ['a day ahead', 86_400_000],
    ['a day back', -86_400_000],
  ])('%s: sessions, deadlines and records go on', async (_name, byMs) => {
    await using oriel = await startOriel({ config: { sessions: { idleMs: 60_000, sweepMs: 50 } } });
    const { sessions } = oriel.core.deps;
    const owner = { principal: 'local', connection: 'test' };
    const auto = sessions.named(owner, 'mine', 'auto');
    await oriel.done('browser_navigate', {
      session: auto.id,
      url: oriel.fixtures.url('/blank.html'),
    });
    const real = Date.now.bind(Date);
    const startedAt = performance.now();
    const wait = oriel.call('browser_wait', {
      session: auto.id,
      text: 'never there',
      timeoutMs: 1_000,
    });
    vi.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
    expect((await wait).status).toBe('failed');
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(900);
    expect(tookMs).toBeLessThan(3_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    // Idle for a second, whatever the clock on the wall says.
    expect(auto.isDisposed).toBe(false);
    expect(textOf(await oriel.done('browser_snapshot', { session: auto.id }))).toContain('Blank');
    const shot = await oriel.done('browser_screenshot', { session: auto.id });
    expect(shot.status).toBe('done');
  });
});

describe('where little can be written (F04)', () => {
  const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryUnshare();

  // In a mount namespace of its own: nothing of the machine changes.
  it.for([
    ['no shared memory', 'mount -t tmpfs -o ro,size=4k none /dev/shm', []],
    ['a home that is read-only', 'mount -t tmpfs -o ro,size=4k none "$HOME"', []],
  ] as const)('with %s the browser works', { timeout: 90_000 }, ([, mount], test) => {
    if (!canMount) return test.skip('It needs a mount namespace.');
    const folder = mkdtempSync(join(tmpdir(), 'oriel-little-'));
    mkdirSync(join(folder, 'home'));
    const calls = [
      { tool: 'browser_navigate', input: { url: site.url('/form-50.html') } },
      { tool: 'browser_screenshot', input: {} },
    ];
    try {
      const ran = spawnSync(
        'unshare',
        [
          '--mount',
          '/bin/sh',
          '-c',
          `${mount} && exec "$@"`,
          'sh',
          process.execPath,
          'dist/bin/oriel.js',
          'call',
          '-',
          `--data-dir=${join(folder, 'data')}`,
          '--exempt-hosts=127.0.0.1:*',
        ],
        {
          input: calls.map((call) => `${JSON.stringify(call)}\n`).join(''),
          env: { ...process.env, HOME: join(folder, 'home'), TMPDIR: folder },
          encoding: 'utf8',
          timeout: 80_000,
        },
      );
      expect(ran.status, ran.stdout + ran.stderr).toBe(0);
      expect(ran.stdout).toContain('form-50.html');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it(
    'with a data folder that is read-only the call says so, by name',
    { timeout: 60_000 },
    (test) => {
      if (!canMount) return test.skip('It needs a mount namespace.');
      const folder = mkdtempSync(join(tmpdir(), 'oriel-little-'));
      try {
        const ran = spawnSync(
          'unshare',
          [
            '--mount',
            '/bin/sh',
            '-c',
            'mkdir "$0" && mount -t tmpfs -o ro,size=4k none "$0" && exec "$@"',
            join(folder, 'data'),
            process.execPath,
            'dist/bin/oriel.js',
            'call',
            'browser_navigate',
            site.url('/form-50.html'),
            `--data-dir=${join(folder, 'data')}`,
            '--exempt-hosts=127.0.0.1:*',
          ],
          { env: { ...process.env, TMPDIR: folder }, encoding: 'utf8', timeout: 50_000 },
        );
        // Either it works without records, or it names what cannot be written; it never hangs.
        expect(ran.signal).toBeNull();
        expect(ran.stdout + ran.stderr).toMatch(/read-only|EROFS|form-50/);
        expect(ran.stdout + ran.stderr).not.toMatch(/\(bug\)/);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

function tryUnshare(): boolean {
  return spawnSync('unshare', ['--mount', 'true']).status === 0;
}
