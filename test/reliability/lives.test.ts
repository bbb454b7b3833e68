// How servers end, share a folder and outlive a jump of the clock (P01, P06, F04).
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { stillRunning } from '../../src/engine/process-table.ts';
import { until } from '../engine/fixture.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { browse, ORIEL_ENTRY, startMcp } from '../harness/mcp-client.ts';
import { startOriel, textOf } from '../harness/oriel.ts';

let site: FixtureServer;
beforeAll(async () => {
  site = await startFixtureServer();
});
afterAll(() => site[Symbol.asyncDispose]());

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
    const tree = await browse(mcp, site.url('/blank.html'));
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
      const trees = await Promise.all([
        browse(one, site.url('/blank.html')),
        browse(two, site.url('/blank.html')),
      ]);
      expect(readdirSync(join(dataDir, 'run/browsers'))).toHaveLength(2);
      process.kill(one.pid, 'SIGKILL');
      await until(async () => (await stillRunning(trees[0]!)).length === 0, 5_000);
      // A third one clears up after the first, and leaves the second alone.
      await using three = await startMcp({ era: '2026', args: [`--data-dir=${dataDir}`] });
      await browse(three, site.url('/blank.html'));
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
    await using oriel = await startOriel({
      config: { sessions: { idleMs: 60_000, sweepMs: 100 } },
    });
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

describe('where little can be written (F04)', { timeout: 90_000 }, () => {
  // In a mount namespace of its own: nothing of the machine changes.
  const canMount =
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['--mount', 'true']).status === 0;

  it.for([
    ['no shared memory', 'mount -t tmpfs -o ro,size=4k none /dev/shm'],
    ['a home that is read-only', 'mount -t tmpfs -o ro,size=4k none "$HOME"'],
  ] as const)('with %s the browser works', async ([, mount], test) => {
    if (!canMount) return test.skip('It needs a mount namespace.');
    using place = folder();
    const ran = await callBehind(place.path, mount, 'data');
    expect(ran.code, ran.text).toBe(0);
    expect(ran.text).toContain('form-50.html');
    expect(ran.text).toContain('.png');
  });

  it('with a data folder that is read-only the call names it', async (test) => {
    if (!canMount) return test.skip('It needs a mount namespace.');
    using place = folder();
    mkdirSync(join(place.path, 'fixed'));
    const mount = `mount -t tmpfs -o ro,size=4k none "${join(place.path, 'fixed')}"`;
    const ran = await callBehind(place.path, mount, 'fixed');
    expect(ran.code, ran.text).not.toBe(0);
    expect(ran.text).toMatch(/read-only/);
    expect(ran.text).not.toMatch(/\(bug\)/);
  });
});

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'oriel-little-'));
  mkdirSync(join(path, 'home'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Opens a page and takes its picture, by the command line, once `mount` has been done. */
async function callBehind(path: string, mount: string, data: string) {
  const child = spawn(
    'unshare',
    [
      '--mount',
      '/bin/sh',
      '-c',
      `${mount} && exec "$@"`,
      'sh',
      process.execPath,
      ORIEL_ENTRY,
      'call',
      '-',
      `--data-dir=${join(path, data)}`,
      '--exempt-hosts=127.0.0.1:*',
    ],
    { env: { ...process.env, HOME: join(path, 'home'), TMPDIR: path }, timeout: 80_000 },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  for (const call of [
    { tool: 'browser_navigate', input: { url: site.url('/form-50.html') } },
    { tool: 'browser_screenshot', input: {} },
  ]) {
    child.stdin.write(`${JSON.stringify(call)}\n`);
  }
  child.stdin.end();
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, text };
}
