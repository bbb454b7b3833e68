import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { octopus } from '../../../src/dialect/octopus/octopus.ts';
import { SessionIds } from '../../../src/dialect/octopus/session-id.ts';
import { stillRunning } from '../../../src/engine/process-table.ts';
import type { FixtureServer } from '../../harness/fixture-server.ts';
import { startMcp } from '../../harness/mcp-client.ts';
import { startOriel } from '../../harness/oriel.ts';
import { verifies } from '../../harness/verifies.ts';
import { startSite } from './site.ts';
import { inProcess, overMcp, startOctopus } from './speaker.ts';

const MINUTE_MS = 60_000;
let site: FixtureServer;

beforeAll(async () => {
  site = await startSite();
  // A page that is alive says so five times a second.
  site.route('/beat', (request, response) => {
    const name = request.url.searchParams.get('name') ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<title>Beat</title><script>setInterval(() => fetch('/beat-${name}'), 200)</script>`,
    );
  });
  for (const name of ['idle', 'busy']) {
    site.route(`/beat-${name}`, (_request, response) => void response.end());
  }
});
afterAll(() => site[Symbol.asyncDispose]());

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether pages are still saying that they are alive. */
async function beats(name: string): Promise<boolean> {
  const before = site.count(`/beat-${name}`);
  await wait(700);
  return site.count(`/beat-${name}`) > before;
}

describe('a session', () => {
  it('has an id of its own, however many are made in one millisecond', () => {
    verifies('D-010');
    const ids = new SessionIds();
    const before = Date.now();
    const made = Array.from({ length: 1_000 }, () => ids.next());
    expect(new Set(made).size).toBe(1_000);
    for (const id of made) expect(id).toMatch(/^browser_\d{13}$/);
    expect(Number(made[0]?.slice('browser_'.length)) - before).toBeLessThan(1_000);
  });

  it('that idles ends by itself, with its pages; calls keep another alive', async () => {
    verifies('D-029', 'D-030', 'D-034', 'D-036');
    const { mcp, speaker } = await startOctopus([
      '--sessions-idle-ms=4000',
      '--sessions-sweep-ms=100',
    ]);
    await using _mcp = mcp;
    await speaker.open(site.url('/beat?name=idle'), 'idle');
    await speaker.open(site.url('/beat?name=busy'), 'busy');
    expect(await beats('idle')).toBe(true);
    // Each call comes long before the time is over, all of them together after it.
    for (let n = 0; n < 13; n++) {
      await speaker.done('browser_get_text', { element_ref: 'body', session_id: 'busy' });
      await wait(400);
    }
    expect(await beats('idle')).toBe(false);
    expect(await beats('busy')).toBe(true);
    expect(await speaker.fails('browser_snapshot', { session_id: 'idle' })).toEqual({
      success: false,
      error: 'Session not found',
      message: 'Session idle does not exist',
    });
    await speaker.done('browser_snapshot', { session_id: 'busy' });
  });

  it('idles for five minutes, not less, and then its context is closed', async () => {
    verifies('D-029', 'D-036');
    let nowMs = 0;
    await using oriel = await startOriel({
      dialect: octopus(),
      config: { sessions: { sweepMs: 100 } },
      host: { clock: () => nowMs },
    });
    const to = inProcess(oriel);
    const id = await to.open(site.url('/plain'));
    const [session] = oriel.core.deps.sessions.all;
    const context = session?.context?.context;
    const page = context?.pages()[0];
    nowMs = 5 * MINUTE_MS - 1;
    await wait(400);
    expect(page?.isClosed()).toBe(false);
    nowMs = 5 * MINUTE_MS;
    await expect.poll(() => page?.isClosed()).toBe(true);
    await expect.poll(() => context?.browser()?.contexts().length ?? 0).toBe(0);
    expect((await to.fails('browser_snapshot', { session_id: id }))['error']).toBe(
      'Session not found',
    );
    // Its id can be used again, for a session without what the first had.
    expect(await to.open(site.url('/plain'), id)).toBe(id);
    await to.fails('browser_click', { element_ref: '@e0', session_id: id });
  });

  it('is one of ten at most; those that have idled for too long make room first', async () => {
    verifies('D-035');
    let nowMs = 0;
    await using oriel = await startOriel({
      dialect: octopus(),
      // Nobody looks for idle ones in between.
      config: { sessions: { sweepMs: 3_600_000 } },
      host: { clock: () => nowMs },
    });
    const to = inProcess(oriel);
    const url = site.url('/plain');
    const first = await to.open(url);
    nowMs = MINUTE_MS;
    for (let n = 1; n < 10; n++) await to.open(url);
    const full = await to.fails('browser_navigate', { url });
    expect(full['error']).toBe('Maximum sessions reached: 10');
    expect(full['session_id']).toBeUndefined();
    nowMs = 5 * MINUTE_MS;
    await to.open(url);
    expect((await to.fails('browser_snapshot', { session_id: first }))['error']).toBe(
      'Session not found',
    );
    expect((await to.fails('browser_navigate', { url }))['error']).toBe(
      'Maximum sessions reached: 10',
    );
  });

  it('ends with others at once, and twice, without a failure', async () => {
    verifies('D-052');
    const { mcp, speaker } = await startOctopus([
      '--sessions-idle-ms=1500',
      '--sessions-sweep-ms=100',
    ]);
    await using _mcp = mcp;
    const url = site.url('/plain');
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(ids.map((id) => speaker.open(url, id)));
    await Promise.all(
      [...ids, ...ids].map((id) => speaker.done('browser_close', { session_id: id })),
    );
    await Promise.all(ids.map((id) => speaker.open(url, id)));
    await wait(2_500);
    for (const id of ids) {
      const { error } = await speaker.fails('browser_snapshot', { session_id: id });
      expect(error).toBe('Session not found');
    }
    await speaker.open(url, 'a');
  });
});

describe('a person who has to be asked', () => {
  it('is asked before there is a session, and the answer makes one', async () => {
    await using oriel = await startOriel({
      dialect: octopus(),
      config: { policy: { rules: [{ tools: ['browser_navigate'], decision: 'ask' }] } },
    });
    const { sessions } = oriel.core.deps;
    const caller = { canAsk: true };
    const url = site.url('/plain');
    const asked = await oriel.speak('browser_navigate', { url }, { caller });
    if (asked.status !== 'needs_input') throw new Error(`not asked: ${asked.status}`);
    expect(sessions.size).toBe(0);
    const answer = { state: asked.state, approved: true };
    const made = await oriel.speak('browser_navigate', { url }, { caller, answer });
    expect(made).toMatchObject({ status: 'done', output: { title: 'Plain' } });
    expect(sessions.all.map(({ name }) => name)).toEqual([
      (made as unknown as { output: { session_id: string } }).output.session_id,
    ]);
  });
});

describe('the browser', () => {
  it('starts with the first call that needs it, once, without a window', async () => {
    verifies('D-049', 'D-051');
    const { mcp, speaker } = await startOctopus();
    await using _mcp = mcp;
    await speaker.fails('browser_snapshot', { session_id: 'none' });
    expect(await mcp.browsers()).toEqual([]);
    const ids = await Promise.all(
      ['a', 'b', 'c'].map((id) => speaker.open(site.url('/plain'), id)),
    );
    const launches = (await mcp.browsers()).map(
      ({ command }) => /--oriel-launch=(\S+)/.exec(command)?.[1],
    );
    expect(new Set(launches).size).toBe(1);
    const [main] = (await mcp.browsers()).filter(({ command }) => !command.includes('--type='));
    expect(main?.command).toMatch(/headless/);
    for (const id of ids) {
      expect(await speaker.js(id, '[innerWidth, innerHeight]')).toEqual([1280, 720]);
    }
  });

  it('is given 30 seconds for an operation', async () => {
    verifies('D-049');
    await using oriel = await startOriel({ dialect: octopus() });
    const { timeouts, browser, viewport, sessions } = oriel.core.deps.config;
    expect(timeouts).toMatchObject({
      navigationMs: 30_000,
      actionMs: 30_000,
      waitMs: 30_000,
      scriptMs: 30_000,
      captureMs: 30_000,
    });
    expect(browser.headless).toBe(true);
    expect(viewport).toEqual({ width: 1280, height: 720 });
    expect(sessions).toMatchObject({ max: 10, idleMs: 300_000 });
  });

  it('ends with the server, and every session with it', async () => {
    verifies('D-032');
    const { mcp, speaker } = await startOctopus();
    for (const id of ['a', 'b', 'c']) await speaker.open(site.url('/beat?name=busy'), id);
    expect(await beats('busy')).toBe(true);
    const rows = await mcp.browsers();
    expect(rows.length).toBeGreaterThan(0);
    await mcp[Symbol.asyncDispose]();
    expect(await stillRunning(rows)).toEqual([]);
    expect(await beats('busy')).toBe(false);
  });

  it('that has crashed is started again by the next navigation of a session', async () => {
    await using oriel = await startOriel({ dialect: octopus() });
    const to = inProcess(oriel);
    const { engine } = oriel.core.deps;
    for (const isTold of [true, false]) {
      const id = await to.open(site.url('/one'), `told ${isTold}`);
      await to.elements(id);
      const pid = engine.running?.facts.pid;
      if (!pid) throw new Error('no browser runs');
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => engine.running).toBeNull();
      if (isTold) await to.fails('browser_click', { element_ref: '@e0', session_id: id });
      expect(await to.open(site.url('/one'), id)).toBe(id);
      // A ref of the page that was lost means nothing on the new one, however alike.
      await to.fails('browser_click', { element_ref: '@e0', session_id: id });
      expect(await to.js(id, 'document.title')).toBe('One');
    }
  });

  it('that is not there is named, with the commands that install one', async () => {
    verifies('D-050');
    // What such a machine says of every place where a browser could be.
    const bare = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { accessSync } = fs;
      fs.accessSync = (path, ...more) => {
        if (/chrom|edge|brave|vivaldi|opera/i.test(String(path))) throw new Error('ENOENT');
        return accessSync(path, ...more);
      };
      syncBuiltinESMExports();`;
    await using mcp = await startMcp({
      era: '2025',
      args: ['--dialect=octopus'],
      nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(bare)}`],
    });
    const failed = await overMcp(mcp).fails('browser_navigate', { url: site.url('/plain') });
    expect(failed['error']).toContain('There is no browser');
    expect(failed['message']).toMatch(/install/);
    expect(failed['message']).toMatch(/`npx playwright-core@\S+ install/);
    expect(String(failed['message']).match(/`[^`]*install[^`]*`/g)?.length).toBeGreaterThan(1);
  });
});
