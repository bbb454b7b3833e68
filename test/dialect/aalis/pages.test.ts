import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aalis } from '../../../src/dialect/aalis/aalis.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { FixtureServer } from '../../harness/fixture-server.ts';
import { startOriel, textOf, type TestOriel } from '../../harness/oriel.ts';
import { verifies } from '../../harness/verifies.ts';
import { startSite } from './site.ts';

let site: FixtureServer;
let oriel: TestOriel;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site[Symbol.asyncDispose]());
afterEach(async () => oriel?.[Symbol.asyncDispose]());

async function start(dialectOptions: Record<string, unknown> = {}): Promise<void> {
  oriel = await startOriel({ dialect: aalis(), config: { dialectOptions } });
}

/** Calls as a session of the host. */
async function call(tool: string, input: object, connection = 's1'): Promise<Outcome> {
  return oriel.speak(tool, input, { caller: { connection } });
}

async function done(tool: string, input: object, connection = 's1') {
  const outcome = await call(tool, input, connection);
  if (outcome.status !== 'done') throw new Error(textOf(outcome));
  return outcome.output as Record<string, unknown>;
}

async function fails(tool: string, input: object, connection = 's1'): Promise<string> {
  const outcome = await call(tool, input, connection);
  if (outcome.status !== 'failed') throw new Error(`did not fail: ${textOf(outcome)}`);
  return (outcome.output as { error: string }).error;
}

const open = async (path: string, connection = 's1') =>
  String((await done('browser_navigate', { url: site.url(path) }, connection))['pageId']);
const read = async (pageId: string, connection = 's1') =>
  String((await done('browser_get_text', { pageId }, connection))['text']);
const session = (connection = 's1') => {
  const found = oriel.core.deps.sessions.ownOf({ principal: 'local', connection });
  if (!found) throw new Error(`no session ${connection}`);
  return found;
};
const raw = (pageId: string, connection = 's1') => session(connection).page(pageId).raw;

describe('pages and logins', () => {
  it('belong to the session that opened them, in a context of its own', async () => {
    verifies('A-030', 'A-031', 'A-032', 'A-034', 'A-035', 'A-036');
    await start();
    expect(oriel.core.deps.sessions.size).toBe(0);
    const pageId = await open('/login', 's1');
    expect(await read(await open('/whoami', 's1'), 's1')).toMatch(/who=me[\s\S]*storage:me/);
    const who = await open('/whoami', 's2');
    expect(await read(who, 's2')).toMatch(/cookie:none[\s\S]*storage:null/);
    expect(raw(pageId, 's1').context()).not.toBe(raw(who, 's2').context());
    const foreign = await call('browser_get_text', { pageId }, 's2');
    const missing = await call('browser_get_text', { pageId: `p_${'A'.repeat(22)}` }, 's2');
    expect(foreign.content).toEqual(missing.content);
    expect(textOf(foreign)).toBe('{"error":"页面不存在"}');
    const other = await done('browser_navigate', { url: site.url('/plain'), pageId }, 's2');
    expect(other['pageId']).not.toBe(pageId);
    expect(raw(pageId, 's1').url()).toBe(site.url('/login'));
  });

  it('are gone after a crash, and the next call starts anew without them', async () => {
    verifies('A-033', 'A-085');
    await start();
    const pageId = await open('/login');
    const theirs = await open('/plain', 's2');
    const { running } = oriel.core.deps.engine;
    process.kill(running?.facts.pid ?? 0, 'SIGKILL');
    await expect.poll(() => oriel.core.deps.engine.running).toBeNull();
    const who = await open('/whoami');
    expect(await read(who)).toMatch(/cookie:none/);
    expect(oriel.core.deps.engine.running?.generation).toBe((running?.generation ?? 0) + 1);
    expect(await fails('browser_get_text', { pageId })).toBe('页面不存在');
    expect(await fails('browser_get_text', { pageId: theirs }, 's2')).toBe('页面不存在');
  });

  it('start one browser for all first calls together', async () => {
    verifies('A-083', 'A-084');
    await start();
    const ids = await Promise.all([open('/plain', 's1'), open('/plain', 's2'), open('/plain')]);
    expect(new Set(ids).size).toBe(3);
    expect(oriel.core.deps.engine.running?.generation).toBe(1);
  });
});

describe('maxPages', () => {
  it('closes the least recently used page of all sessions', async () => {
    verifies('A-009', 'A-042', 'A-043');
    await start({ maxPages: 3 });
    const first = await open('/plain', 's1');
    const second = await open('/plain', 's2');
    const third = await open('/plain', 's1');
    await read(first, 's1');
    const fourth = await open('/plain', 's3');
    expect(await fails('browser_get_text', { pageId: second }, 's2')).toBe('页面不存在');
    await read(first, 's1');
    await read(third, 's1');
    await read(fourth, 's3');
  });

  it('passes over a page that a call is using, and fails when none is left', async () => {
    verifies('A-043');
    await start({ maxPages: 1, defaultTimeout: 4_000 });
    const pageId = await open('/plain');
    using _use = session().page(pageId).use();
    const error = await fails('browser_navigate', { url: site.url('/plain') }, 's2');
    expect(error).toContain('超出上限');
    await read(pageId);
  });

  it('is five unless told otherwise', async () => {
    verifies('A-009');
    await start();
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await open('/plain', `s${n}`));
    expect(await fails('browser_get_text', { pageId: ids[0] }, 's0')).toBe('页面不存在');
    await read(ids[1] ?? '', 's1');
  });
});

describe('a window', () => {
  it('belongs to each page', async () => {
    verifies('A-087');
    await start();
    const ids = [await open('/plain'), await open('/plain'), await open('/plain')];
    const windows = await Promise.all(
      ids.map(async (pageId) => {
        const cdp = await session().page(pageId).cdp;
        return (await cdp?.send('Browser.getWindowForTarget'))?.windowId;
      }),
    );
    expect(windows.every((id) => typeof id === 'number')).toBe(true);
    expect(new Set(windows).size).toBe(3);
  });

  it.each<[string, string, object]>([
    ['browser_click', 'clicked', { selector: '#b' }],
    ['browser_type', 'typed', { selector: '#q', text: 'x' }],
    ['browser_screenshot', 'shot', {}],
  ])('of a page that opened another comes to the front for %s', async (tool, _word, input) => {
    verifies('A-088');
    await start({ defaultTimeout: 8_000 });
    const pageId = await open('/opener');
    await raw(pageId).evaluate("document.getElementById('w').click()");
    await expect.poll(() => session().pages.length).toBe(2);
    await session().pages[1]?.raw.bringToFront();
    const page = raw(pageId);
    let isFront = false;
    const { act } = oriel.core.deps;
    const bringToFront = act.bringToFront.bind(act);
    act.bringToFront = async (target, signal) => {
      isFront ||= target === page;
      return bringToFront(target, signal);
    };
    try {
      await done(tool, { pageId, ...input });
    } finally {
      act.bringToFront = bringToFront;
    }
    expect(isFront).toBe(true);
    expect(session().current?.id).toBe(pageId);
  });
});

describe('time limits', () => {
  it('defaultTimeout holds navigation and operations', async () => {
    verifies('A-006', 'A-091');
    await start({ defaultTimeout: 700 });
    const startedAt = performance.now();
    expect(await fails('browser_navigate', { url: site.url('/never') })).toContain('超时');
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    const pageId = await open('/plain');
    const clickedAt = performance.now();
    expect(await fails('browser_click', { pageId, selector: '#none' })).toMatch(/\S/);
    expect(performance.now() - clickedAt).toBeLessThan(1_400 + 600);
  });

  it('a late screenshot ends the browser; others are not held up, old pages are gone', async () => {
    verifies('A-089', 'A-090');
    await start({ defaultTimeout: 1_200 });
    const other = await open('/plain', 's2');
    const pageId = await open('/hang');
    const before = oriel.core.deps.engine.running?.generation ?? 0;
    await raw(pageId).evaluate('setTimeout(() => { for (;;); }, 0)');
    const startedAt = performance.now();
    const error = await fails('browser_screenshot', { pageId });
    expect(error).toContain('超时');
    expect(performance.now() - startedAt).toBeLessThan(1_200 + 1_000);
    expect(await fails('browser_get_text', { pageId })).toBe('页面不存在');
    expect(await fails('browser_get_text', { pageId: other }, 's2')).toBe('页面不存在');
    await open('/plain', 's2');
    expect(oriel.core.deps.engine.running?.generation).toBeGreaterThan(before);
  });

  it('0 means none', async () => {
    verifies('A-092');
    await start({ defaultTimeout: 0 });
    const { timeouts } = oriel.core.deps.config;
    expect([timeouts.navigationMs, timeouts.actionMs, timeouts.captureMs]).toEqual([0, 0, 0]);
    const pageId = await open('/plain');
    await done('browser_screenshot', { pageId });
    await done('browser_click', { pageId, selector: 'h1' });
  });
});

describe('the viewport', () => {
  it('is as the options say, 1280 by 720 without them', async () => {
    verifies('A-007', 'A-008');
    await start();
    const size = async () => {
      const { width, height } = await done('browser_screenshot', { pageId: await open('/plain') });
      return [width, height];
    };
    expect(await size()).toEqual([1280, 720]);
    await oriel[Symbol.asyncDispose]();
    await start({ viewportWidth: 800, viewportHeight: 600 });
    expect(await size()).toEqual([800, 600]);
  });
});
