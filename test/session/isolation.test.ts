import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel({ config: { sessions: { max: 12, maxPages: 3 } } });
});
afterAll(() => oriel[Symbol.asyncDispose]());

async function newSession(caller = {}): Promise<string> {
  const { output } = await oriel.done('browser_session', { action: 'new' }, { caller });
  return (output as { sessions: { session: string }[] }).sessions[0]!.session;
}

describe('sessions', () => {
  it('have cookies and storage of their own', { timeout: 60_000 }, async () => {
    const sessions = await Promise.all([newSession(), newSession(), newSession()]);
    await Promise.all(
      sessions.map(async (session, index) => {
        const url = oriel.fixtures.url(`/set-cookie?who=user${index}`);
        await oriel.done('browser_navigate', { url, session });
        const store = `() => localStorage.setItem('who', 'user${index}')`;
        await oriel.done('browser_evaluate', { function: store, session });
      }),
    );
    const seen = await Promise.all(
      sessions.map(async (session) => {
        const look = `() => document.cookie + '/' + localStorage.getItem('who')`;
        const { output } = await oriel.done('browser_evaluate', { function: look, session });
        return (output as { value: string }).value;
      }),
    );
    expect(seen).toEqual(['who=user0/user0', 'who=user1/user1', 'who=user2/user2']);
    for (const session of sessions) {
      await oriel.done('browser_session', { action: 'close', session });
    }
  });

  it('of another owner look exactly like none', async () => {
    const theirs = await newSession({ principal: 'someone' });
    for (const input of [{ action: 'status' }, { action: 'close' }] as const) {
      const foreign = await oriel.call('browser_session', { ...input, session: theirs });
      const missing = await oriel.call('browser_session', {
        ...input,
        session: `s_${'A'.repeat(22)}`,
      });
      // Closing is idempotent, so that a close of what is not there fails no more than of what is.
      expect(foreign.status).toBe(missing.status);
      if (input.action === 'status') expect(errorOf(foreign)).toEqual(errorOf(missing));
      expect(foreign.content).toEqual(missing.content);
    }
    expect(JSON.stringify(await oriel.done('browser_session', { action: 'list' }))).not.toContain(
      theirs,
    );
    await oriel.done(
      'browser_session',
      { action: 'close', session: theirs },
      { caller: { principal: 'someone' } },
    );
  });

  it('of two connections are two', async () => {
    await oriel.open('/blank.html');
    const other = { caller: { connection: 'other' } };
    await oriel.fails('not_found', 'browser_snapshot', {}, other);
    const { output } = await oriel.done('browser_tabs', {}, other);
    expect((output as { pages: unknown[] }).pages).toEqual([]);
  });

  it('that have ended are gone, with their pages', async () => {
    const session = await newSession();
    await oriel.done('browser_navigate', { url: oriel.fixtures.url('/blank.html'), session });
    await oriel.done('browser_session', { action: 'close', session });
    await oriel.fails('not_found', 'browser_snapshot', { session });
    const again = await oriel.done('browser_session', { action: 'close', session });
    expect(again.output).toMatchObject({ done: 'There was no session.' });
  });

  it('are counted, and no more are made than the cap', async () => {
    const made: string[] = [];
    const full = async () => {
      for (let count = 0; count < 20; count++) made.push(await newSession());
    };
    await expect(full()).rejects.toThrow('over_limit');
    expect(made.length).toBeLessThanOrEqual(12);
    for (const session of made) await oriel.done('browser_session', { action: 'close', session });
  });
});

describe('tabs', () => {
  it('go by id, position and label, and closing one closes that one', async () => {
    const session = await newSession();
    const tabs = (input: object) => oriel.done('browser_tabs', { session, ...input });
    const url = oriel.fixtures.url('/blank.html');
    await oriel.done('browser_navigate', { url, session });
    await tabs({ action: 'new', url, label: 'second' });
    await tabs({ action: 'new', url });
    await oriel.fails('over_limit', 'browser_tabs', { session, action: 'new' });
    const closed = await tabs({ action: 'close', page: 'second' });
    expect(textOf(closed)).toContain('p2 is closed');
    const left = (closed.output as { pages: { page: string; isCurrent: boolean }[] }).pages;
    expect(left.map(({ page, isCurrent }) => [page, isCurrent])).toEqual([
      ['p1', false],
      ['p3', true],
    ]);
    await tabs({ action: 'select', page: '1' });
    expect((await oriel.done('browser_snapshot', { session })).page).toBe('p1');
    expect((await oriel.done('browser_snapshot', { session, page: 'p3' })).page).toBe('p3');
    for (const page of ['p2', 'second', '3', '0', 'p9', '']) {
      const outcome = await oriel.call('browser_snapshot', { session, page });
      expect(errorOf(outcome).code, page).toBe(page === '' ? 'bad_input' : 'not_found');
      if (page === '') continue;
      // A navigation opens a new page, alike for pages of others and pages that never were.
      const opened = await oriel.done('browser_navigate', { session, page, url });
      expect(['p1', 'p2', 'p3']).not.toContain(opened.page);
      await oriel.done('browser_tabs', { session, action: 'close', page: opened.page });
    }
    await oriel.done('browser_session', { action: 'close', session });
  });

  it('take no label that is taken, or that reads like an id', async () => {
    const session = await newSession();
    await oriel.done('browser_tabs', { session, action: 'new', label: 'main' });
    for (const label of ['main', 'p7', '1st', 'two words', 'x'.repeat(41)]) {
      await oriel.fails('bad_input', 'browser_tabs', { session, action: 'new', label });
    }
    await oriel.done('browser_session', { action: 'close', session });
  });

  it('that fail to open leave nothing behind', async () => {
    const session = await newSession();
    await oriel.done('browser_navigate', { session, url: oriel.fixtures.url('/blank.html') });
    await oriel.fails('upstream', 'browser_tabs', {
      session,
      action: 'new',
      url: oriel.fixtures.url('/hang-up'),
    });
    await expect
      .poll(async () => {
        const { output } = await oriel.done('browser_tabs', { session });
        return (output as { pages: { page: string }[] }).pages.map(({ page }) => page);
      })
      .toEqual(['p1']);
    await oriel.done('browser_session', { action: 'close', session });
  });
});

describe('a page that crashes', () => {
  it('says so at once, and comes back under its id by navigating', async () => {
    await oriel.open('/blank.html');
    const url = oriel.fixtures.url('/deep-5000.html?display=block');
    await oriel.call('browser_navigate', { url });
    await expect.poll(async () => errorOf(await oriel.call('browser_snapshot')).code).toBe('gone');
    const back = await oriel.open('/blank.html');
    expect(back.page).toBe('p1');
    expect(textOf(await oriel.done('browser_snapshot'))).toContain('Blank');
  });
});

describe('rules by origin', () => {
  it('cannot be passed by leaving out the scheme, nor by the address of a wait', async () => {
    await using strict = await startOriel({
      config: {
        policy: {
          rules: [{ origins: [`http://localhost:1`], decision: 'deny' }],
        },
      },
    });
    await strict.fails('denied', 'browser_navigate', { url: 'http://localhost:1/x' });
    await strict.fails('denied', 'browser_navigate', { url: 'localhost:1/x' });
    await strict.fails('denied', 'browser_tabs', { action: 'new', url: 'localhost:1' });
    const { code } = errorOf(await strict.call('browser_wait', { url: 'http://localhost:1/' }));
    expect(code).toBe('not_found');
  });
});
