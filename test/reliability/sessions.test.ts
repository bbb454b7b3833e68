import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../engine/fixture.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';
import { verifies } from '../harness/verifies.ts';

interface Listed {
  readonly sessions: readonly { readonly session: string }[];
}
interface Tabs {
  readonly pages: readonly { readonly page: string; readonly url: string }[];
}

/** Another agent over its own connection, and one that is somebody else. */
const other = { caller: { connection: 'other' } };
const stranger = { caller: { principal: 'stranger', connection: 'stranger' } };

async function made(oriel: TestOriel, input: object = {}, settings = {}): Promise<string> {
  const { output } = await oriel.done('browser_session', { action: 'new', ...input }, settings);
  return (output as Listed).sessions[0]!.session;
}
async function pagesOf(oriel: TestOriel, input = {}, settings = {}): Promise<Tabs['pages']> {
  return ((await oriel.done('browser_tabs', input, settings)).output as Tabs).pages;
}
const cookiesOf = async (oriel: TestOriel, session: string) =>
  textOf(
    await oriel.done('browser_evaluate', {
      session,
      expression: 'document.cookie + "|" + localStorage.getItem("who")',
    }),
  );

describe('owners (S01, S03, S04, S07)', () => {
  let oriel: TestOriel;
  beforeAll(async () => {
    oriel = await startOriel();
  });
  afterAll(() => oriel[Symbol.asyncDispose]());

  it('S01: eight sessions on one origin never see each other', { timeout: 60_000 }, async () => {
    verifies('D-027', 'D-028');
    const sessions = await Promise.all(
      Array.from({ length: 8 }, (_, index) => made(oriel, { name: `agent${index}` })),
    );
    await Promise.all(
      sessions.map(async (session, index) => {
        await oriel.done('browser_navigate', {
          session,
          url: oriel.fixtures.url(`/set-cookie?who=agent${index}`),
        });
        await oriel.done('browser_evaluate', {
          session,
          expression: `localStorage.setItem("who", "agent${index}")`,
        });
      }),
    );
    const seen = await Promise.all(sessions.map((session) => cookiesOf(oriel, session)));
    seen.forEach((text, index) => {
      expect(text).toContain(`who=agent${index}|agent${index}`);
      expect(text.match(/agent\d/g)?.every((name) => name === `agent${index}`)).toBe(true);
    });
    for (const session of sessions) {
      expect(await pagesOf(oriel, { session })).toHaveLength(1);
      await oriel.done('browser_session', { action: 'close', session });
    }
  });

  it('a child acts as its root, and its end leaves the root', async () => {
    const root = await made(oriel);
    await oriel.done('browser_navigate', {
      session: root,
      url: oriel.fixtures.url('/set-cookie?a=1'),
    });
    const child = await made(oriel, { parent: root });
    const grandchild = await made(oriel, { parent: child });
    expect(new Set([root, child, grandchild]).size).toBe(3);
    const outcome = await oriel.done('browser_snapshot', { session: grandchild, page: 'p1' });
    expect(outcome.session).toBe(grandchild);
    expect(await cookiesOf(oriel, child)).toContain('a=1');
    await oriel.done('browser_tabs', { session: child, action: 'new' });
    expect(await pagesOf(oriel, { session: root })).toHaveLength(2);

    await oriel.done('browser_session', { action: 'close', session: child });
    await oriel.fails('not_found', 'browser_snapshot', { session: child });
    expect(await pagesOf(oriel, { session: root })).toHaveLength(2);
    expect(await pagesOf(oriel, { session: grandchild })).toHaveLength(2);

    await oriel.done('browser_session', { action: 'close', session: root });
    await oriel.fails('not_found', 'browser_snapshot', { session: grandchild });
  });

  it('handles, pages and children of others are like those that never were', async () => {
    const root = await made(oriel);
    await oriel.done('browser_navigate', { session: root, url: oriel.fixtures.url('/blank.html') });
    const never = `s_${'A'.repeat(root.length - 2)}`;
    for (const [tool, input] of [
      ['browser_snapshot', {}],
      ['browser_tabs', { action: 'close', page: 'p1' }],
      ['browser_session', { action: 'status' }],
      ['browser_session', { action: 'restrict' }],
    ] as const) {
      const foreign = await oriel.fails('not_found', tool, { ...input, session: root }, stranger);
      const missing = await oriel.fails('not_found', tool, { ...input, session: never }, stranger);
      expect(foreign.text).toBe(missing.text);
      expect(foreign.error).toEqual(missing.error);
    }
    const foreign = await oriel.fails(
      'not_found',
      'browser_session',
      { action: 'new', parent: root },
      stranger,
    );
    const missing = await oriel.fails(
      'not_found',
      'browser_session',
      { action: 'new', parent: never },
      stranger,
    );
    expect(foreign.text).toBe(missing.text);
    const closed = await oriel.done(
      'browser_session',
      { action: 'close', session: root },
      stranger,
    );
    const closedNone = await oriel.done(
      'browser_session',
      { action: 'close', session: never },
      stranger,
    );
    expect(textOf(closed)).toBe(textOf(closedNone));
    expect(await pagesOf(oriel, { session: root })).toHaveLength(1);

    await oriel.done('browser_tabs', { session: root, action: 'close', page: 'p1' });
    const gone = await oriel.fails('not_found', 'browser_snapshot', { session: root, page: 'p1' });
    const none = await oriel.fails('not_found', 'browser_snapshot', { session: root, page: 'p9' });
    expect(gone.text.replaceAll('p1', 'p9')).toBe(none.text);
    await oriel.done('browser_session', { action: 'close', session: root });
  });

  it('S03: pages opened by a page belong to its session, and close with it', async () => {
    const session = await made(oriel);
    await oriel.done('browser_navigate', { session, url: oriel.fixtures.url('/blank.html') });
    const opened = await oriel.done('browser_evaluate', {
      session,
      expression: `window.open(${JSON.stringify(oriel.fixtures.url('/blank.html'))}) !== null`,
    });
    expect(opened.effect?.opened).toHaveLength(1);
    const pages = oriel.core.deps.sessions.resolve(CALLER, session).pages.map(({ raw }) => raw);
    expect(pages).toHaveLength(2);
    await oriel.done('browser_session', { action: 'close', session });
    expect(pages.map((page) => page.isClosed())).toEqual([true, true]);
  });

  it('S04: closing a page closes that page and no other', async () => {
    const session = await made(oriel);
    for (const label of ['one', 'two', 'three']) {
      await oriel.done('browser_tabs', { session, action: 'new', label });
    }
    const closed = await oriel.done('browser_tabs', { session, action: 'close', page: 'two' });
    expect(textOf(closed)).toContain('p2 is closed');
    expect((await pagesOf(oriel, { session })).map(({ page }) => page)).toEqual(['p1', 'p3']);
    await oriel.done('browser_session', { action: 'close', session });
  });

  it('S07: a session that was made outlives its connection, and one of a connection does not', async () => {
    const session = await made(oriel, {}, other);
    await oriel.done(
      'browser_navigate',
      { session, url: oriel.fixtures.url('/blank.html') },
      other,
    );
    const own = await oriel.done(
      'browser_navigate',
      { url: oriel.fixtures.url('/blank.html') },
      other,
    );
    await oriel.core.deps.sessions.endConnection({ principal: 'local', connection: 'other' });
    const again = { caller: { connection: 'again' } };
    expect(await pagesOf(oriel, { session }, again)).toHaveLength(1);
    await oriel.fails('not_found', 'browser_snapshot', { session: own.session }, again);
    await oriel.done('browser_session', { action: 'close', session }, again);
  });

  it('ending a session is one batch, idempotent, and reaches no other', async () => {
    const { sessions } = oriel.core.deps;
    const owner = { principal: 'host', connection: 'host' };
    const [one, two, three] = ['a', 'b', 'c'].map((id) => sessions.named(owner, id, 'connection'));
    for (const session of [one!, two!, three!]) {
      await oriel.done(
        'browser_navigate',
        { session: session.id, url: oriel.fixtures.url('/blank.html') },
        { caller: { principal: 'host', connection: 'x' } },
      );
    }
    expect(await sessions.endNamed(owner, [])).toBe(0);
    // A tab that has already gone is no error.
    await one!.current!.raw.close();
    expect(await sessions.endNamed(owner, ['a', 'b', 'never'])).toBe(2);
    expect(await sessions.endNamed(owner, ['a', 'b'])).toBe(0);
    expect([one!.isDisposed, two!.isDisposed, three!.isDisposed]).toEqual([true, true, false]);
    expect(three!.pages).toHaveLength(1);
    await Promise.all([sessions.end(three!), sessions.end(three!)]);
    expect(three!.pages).toHaveLength(0);
  });
});

describe("a host's sessions", () => {
  it('children go by the root that the host names', async () => {
    const roots: Record<string, string> = { child: 'root', root: 'root' };
    await using oriel = await startOriel({ host: { rootOf: (id) => roots[id] } });
    const as = (connection: string) => ({ caller: { connection } });
    const url = oriel.fixtures.url('/set-cookie?who=root');
    await oriel.done('browser_navigate', { url }, as('root'));
    expect(
      textOf(await oriel.done('browser_evaluate', { expression: 'document.cookie' }, as('child'))),
    ).toContain('who=root');
    // A session that the host does not know owns itself.
    await oriel.fails('not_found', 'browser_snapshot', {}, as('unknown'));

    const { sessions } = oriel.core.deps;
    const owner = { principal: 'local', connection: '' };
    expect(sessions.named(owner, 'child', 'auto')).toBe(sessions.named(owner, 'root', 'auto'));
    expect(sessions.named({ ...owner, principal: 'else' }, 'root', 'auto')).not.toBe(
      sessions.named(owner, 'root', 'auto'),
    );
    await sessions.endConnection({ principal: 'local', connection: 'child' });
    expect(await sessions.endNamed(owner, ['child'])).toBe(0);
    expect(await pagesOf(oriel, {}, as('child'))).toHaveLength(1);
    expect(await sessions.endNamed(owner, ['root'])).toBe(2);
    expect(await pagesOf(oriel, {}, as('child'))).toHaveLength(0);
  });
});

describe('idle clean-up (S05)', () => {
  it('ends what is idle, never what a call is using, and only sessions nobody asked for', async () => {
    verifies('D-030');
    let now = 1_000_000;
    await using oriel = await startOriel({ host: { clock: () => now } });
    const { sessions } = oriel.core.deps;
    const owner = { principal: 'local', connection: 'test' };
    const idle = sessions.named(owner, 'idle', 'auto');
    const used = sessions.named(owner, 'used', 'auto');
    const kept = await made(oriel);
    const navigate = (session: string) =>
      oriel.done('browser_navigate', { session, url: oriel.fixtures.url('/blank.html') });
    await navigate(idle.id);
    await navigate(used.id);
    await navigate(kept);
    const raw = idle.current!.raw;

    now += 299_000;
    expect(await sessions.sweep()).toBe(0);
    // Any call counts as activity, also one that only looks, and one that fails.
    await oriel.fails('not_found', 'browser_snapshot', { session: used.id, page: 'p7' });
    now += 2_000;
    expect(await sessions.sweep()).toBe(1);
    expect(raw.isClosed()).toBe(true);
    await oriel.fails('not_found', 'browser_snapshot', { session: idle.id });
    expect(sessions.findNamed(owner, 'idle')).toBeNull();

    const wait = oriel.call('browser_wait', {
      session: used.id,
      text: 'never there',
      timeoutMs: 1_500,
    });
    await until(() => used.isInUse, 1_000);
    now += 10_000_000;
    expect(await sessions.sweep()).toBe(0);
    expect((await wait).status).toBe('failed');
    expect(used.pages).toHaveLength(1);
    now += 301_000;
    expect(await sessions.sweep()).toBe(1);
    expect(await pagesOf(oriel, { session: kept })).toHaveLength(1);
  });

  it('happens by itself, and closes the context', async () => {
    await using oriel = await startOriel({ config: { sessions: { idleMs: 1_000, sweepMs: 100 } } });
    const { sessions } = oriel.core.deps;
    const session = sessions.named({ principal: 'local', connection: 'test' }, 'mine', 'auto');
    await oriel.done('browser_navigate', {
      session: session.id,
      url: oriel.fixtures.url('/blank.html'),
    });
    const browser = session.context!.context.browser()!;
    await until(() => session.isDisposed && browser.contexts().length === 0, 5_000);
    expect(sessions.size).toBe(0);
  });
});

describe('caps', () => {
  it('of sessions: over it a call fails, lists what could be closed, and expired ones make room', async () => {
    let now = 0;
    await using oriel = await startOriel({
      config: { sessions: { max: 2 } },
      host: { clock: () => now },
    });
    const owner = { principal: 'local', connection: 'test' };
    const mine = await made(oriel, { name: 'cart' });
    oriel.core.deps.sessions.named(owner, 'auto', 'auto');
    const full = await oriel.fails('over_limit', 'browser_session', { action: 'new' });
    expect(full.text).toContain(`${mine} (cart)`);
    const foreign = await oriel.fails('over_limit', 'browser_session', { action: 'new' }, stranger);
    expect(foreign.text).not.toContain(mine);
    now += 300_000;
    await made(oriel);
    await oriel.fails('over_limit', 'browser_session', { action: 'new' });
  });

  it('of the pages of one session: over it a call fails and lists them', async () => {
    await using oriel = await startOriel({ config: { sessions: { maxPages: 2 } } });
    const opened = await Promise.all(
      [1, 2, 3, 4].map(() => oriel.call('browser_tabs', { action: 'new' })),
    );
    expect(opened.filter(({ status }) => status === 'done')).toHaveLength(2);
    const full = await oriel.fails('over_limit', 'browser_tabs', { action: 'new' });
    expect(full.text).toContain('p1, p2');
    await oriel.done('browser_tabs', { action: 'close', page: 'p1' });
    await oriel.done('browser_tabs', { action: 'new' });
  });

  it('of pages that pages open: those over it close at once, and the answer says so', async () => {
    await using oriel = await startOriel({ config: { sessions: { maxPages: 3 } } });
    await oriel.open('/blank.html');
    await oriel.done('browser_tabs', { action: 'new', label: 'mine' });
    const flood = await oriel.done('browser_evaluate', {
      expression: '() => { for (let count = 0; count < 6; count++) open("/blank.html"); }',
    });
    expect(flood.effect?.opened).toHaveLength(1);
    const browser = oriel.raw().context();
    await expect.poll(() => browser.pages().length, { timeout: 5_000 }).toBe(3);
    const after = await oriel.done('browser_click', { target: 'body' });
    const told = [...(flood.effect?.blocked ?? []), ...(after.effect?.blocked ?? [])].join();
    expect(told).toContain('that a page opened: a session keeps at most 3 pages');
    const ids = (await pagesOf(oriel)).map(({ page }) => page);
    expect(ids).toHaveLength(3);
    expect(ids.slice(0, 2)).toEqual(['p1', 'p2']);
    // A page that hangs is replaced even where no page more has room.
    const stubborn = '() => { setInterval(() => { for (;;); }, 0); for (;;); }';
    await oriel.fails('timeout', 'browser_evaluate', { expression: stubborn, timeoutMs: 800 });
    await expect
      .poll(async () => (await oriel.call('browser_snapshot', { page: 'mine' })).status, {
        timeout: 10_000,
      })
      .toBe('done');
    expect(await pagesOf(oriel)).toHaveLength(3);
  });

  it('of all pages: one that a page opens makes room as any other, or closes', async () => {
    await using oriel = await startOriel({ config: { sessions: { maxPagesTotal: 2 } } });
    await oriel.open('/blank.html');
    await oriel.done('browser_tabs', { action: 'new', url: oriel.fixtures.url('/blank.html') });
    const opened = await oriel.done('browser_evaluate', {
      expression: '() => { open("/blank.html"); }',
    });
    expect(opened.effect?.opened?.map(({ page }) => page)).toEqual(['p3']);
    expect((await pagesOf(oriel)).map(({ page }) => page)).toEqual(['p2', 'p3']);
  });

  it('of all pages: the least recently used makes room, and its owner is told', async () => {
    let now = 0;
    await using oriel = await startOriel({
      config: { sessions: { maxPagesTotal: 2 } },
      host: { clock: () => ++now },
    });
    const open = (settings: object, path = '/blank.html') =>
      oriel.done('browser_navigate', { url: oriel.fixtures.url(path) }, settings);
    await open({});
    await open(other);
    await oriel.done('browser_snapshot');
    // The page of `other` was used least recently.
    await open(stranger);
    const told = await oriel.fails('gone', 'browser_snapshot', {}, other);
    expect(told.text).toContain('p1 was closed to make room');
    await oriel.fails('not_found', 'browser_snapshot', {}, other);
    expect(await pagesOf(oriel)).toHaveLength(1);

    // Now each page is in use: nothing may be closed.
    const waits = [{}, stranger].map((settings) =>
      oriel.call('browser_wait', { text: 'never there', timeoutMs: 2_500 }, settings),
    );
    await until(
      () =>
        oriel.core.deps.sessions.all.flatMap(({ pages }) => pages).every((page) => page.isInUse),
      2_000,
    );
    const full = await oriel.fails(
      'over_limit',
      'browser_navigate',
      { url: oriel.fixtures.url('/blank.html') },
      other,
    );
    expect(full.text).toContain('each of them is in use');
    for (const outcome of await Promise.all(waits)) {
      expect(outcome.status === 'failed' && outcome.error.code).toBe('timeout');
    }
    await open(other);
  });

  it('of all pages: a page that its own session pushed out is told of when it is asked for', async () => {
    await using oriel = await startOriel({ config: { sessions: { maxPagesTotal: 1 } } });
    await oriel.open('/blank.html');
    await oriel.done('browser_tabs', { action: 'new' });
    expect((await pagesOf(oriel)).map(({ page }) => page)).toEqual(['p2']);
    const told = await oriel.fails('gone', 'browser_snapshot', { page: 'p1' });
    expect(told.text).toContain('make room');
  });
});

const CALLER = { principal: 'local', connection: 'test' };
