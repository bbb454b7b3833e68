import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/model/outcome.ts';
import { reply } from '../harness/route-handlers.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

/** What a stuck page's neighbours may take (L01). */
const NEIGHBOUR_MS = 2_000;
/** The answer is due 250 ms after the limit; the rest is for a busy machine. */
const SLACK_MS = 1_000;
const LIMIT_MS = 1_500;

const elsewhere = { caller: { connection: 'elsewhere' } };

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
  const { fixtures } = oriel;
  fixtures.route(
    '/worker-loop',
    reply(`<h1>Worker</h1><script>
      new Worker(URL.createObjectURL(new Blob(['for (;;);'])));
    </script>`),
  );
  fixtures.route(
    '/popup-loop',
    reply(`<h1>Opener</h1><button id="start" onclick="for (;;);">Loop</button><script>
      const popup = () => window.open('/blank.html');
    </script>`),
  );
  await oriel.done('browser_navigate', { url: fixtures.url('/blank.html') }, elsewhere);
});
afterAll(() => oriel[Symbol.asyncDispose]());

async function timed(call: Promise<Outcome>): Promise<{ outcome: Outcome; ms: number }> {
  const startedAt = performance.now();
  const outcome = await call;
  return { outcome, ms: performance.now() - startedAt };
}

/** Runs a call that must end by its own limit, and asks all its neighbours meanwhile. */
async function getsStuck(tool: string, input: object): Promise<void> {
  const stuck = timed(oriel.call(tool, { ...input, timeoutMs: LIMIT_MS }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const neighbours = await Promise.all([
    timed(oriel.call('browser_snapshot', {}, elsewhere)),
    timed(oriel.call('browser_tabs', {})),
    timed(oriel.call('browser_session', {})),
    timed(oriel.call('browser_tabs', { action: 'new', label: 'fresh' })),
  ]);
  const { outcome, ms } = await stuck;
  expect(outcome.status === 'failed' && outcome.error.code, textOf(outcome)).toBe('timeout');
  expect(ms).toBeLessThan(LIMIT_MS + SLACK_MS);
  for (const { outcome: answer, ms: took } of neighbours) {
    expect(answer.status, textOf(answer)).toBe('done');
    expect(took).toBeLessThan(NEIGHBOUR_MS);
  }
  await oriel.done('browser_tabs', { action: 'close', page: 'fresh' });
}

/** The page is there under its old id, and takes the next call. */
async function worksAgain(page: string): Promise<void> {
  const again = await oriel.call('browser_navigate', {
    page,
    url: oriel.fixtures.url('/blank.html'),
  });
  expect(again.status, textOf(again)).toBe('done');
  expect(again.page).toBe(page);
}

describe('an endless loop (L01, L02)', () => {
  it('on load', async () => {
    await oriel.open('/blank.html');
    await getsStuck('browser_navigate', { url: oriel.fixtures.url('/loops.html?on=load') });
    await worksAgain('p1');
  });

  it('in a click handler', async () => {
    await oriel.open('/loops.html');
    await getsStuck('browser_click', { page: 'p1', target: '#start' });
    await worksAgain('p1');
  });

  it('in a timer', async () => {
    await oriel.done('browser_navigate', {
      page: 'p1',
      url: oriel.fixtures.url('/loops.html?on=timer&ms=600'),
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await getsStuck('browser_evaluate', { page: 'p1', expression: 'document.title' });
    await worksAgain('p1');
  });

  it('in a script of the agent, and in one that comes back by itself', async () => {
    await getsStuck('browser_evaluate', { page: 'p1', expression: '() => { for (;;); }' });
    await worksAgain('p1');
    await getsStuck('browser_evaluate', {
      page: 'p1',
      expression: '() => { setInterval(() => { for (;;); }, 0); for (;;); }',
    });
    await worksAgain('p1');
  });

  it('in a frame of the same site', async () => {
    await oriel.done('browser_evaluate', {
      page: 'p1',
      expression: `() => {
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.src = '/loops.html?on=timer&ms=1000';
      }`,
    });
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    await getsStuck('browser_evaluate', { page: 'p1', expression: 'document.title' });
    await worksAgain('p1');
  });

  it('in a worker holds nothing', async () => {
    await oriel.done('browser_navigate', { page: 'p1', url: oriel.fixtures.url('/worker-loop') });
    const { ms } = await timed(oriel.done('browser_snapshot', { page: 'p1' }));
    expect(ms).toBeLessThan(NEIGHBOUR_MS);
    await worksAgain('p1');
  });

  it('marks the popup that shares the renderer', async () => {
    await oriel.done('browser_navigate', { page: 'p1', url: oriel.fixtures.url('/popup-loop') });
    const opened = await oriel.done('browser_evaluate', {
      page: 'p1',
      expression: 'popup() !== null',
    });
    const popup = opened.effect?.opened?.[0]?.page;
    const stuck = oriel.call('browser_click', { page: 'p1', target: '#start', timeoutMs: 2_500 });
    await new Promise((resolve) => setTimeout(resolve, 600));
    const tabs = await oriel.done('browser_tabs');
    const states = Object.fromEntries(
      (tabs.output as { pages: { page: string; state: string }[] }).pages.map((page) => [
        page.page,
        page.state,
      ]),
    );
    expect(states).toMatchObject({ p1: 'unresponsive', [popup!]: 'unresponsive' });
    expect((await stuck).status).toBe('failed');
    await worksAgain('p1');
    await oriel.done('browser_tabs', { action: 'close', page: popup });
  });
});

describe('a page that dies', () => {
  it('L05: spoils neither lists nor other pages, and can be opened again under its id', async () => {
    await oriel.open('/blank.html');
    await oriel.done('browser_tabs', { action: 'new', label: 'victim' });
    await oriel.done('browser_navigate', {
      page: 'victim',
      url: oriel.fixtures.url('/form-50.html'),
    });
    const page = oriel.core.deps.sessions.ownOf(OWN)!.find('victim')!;
    void (await page.cdp)!.send('Page.crash').catch(() => {});
    await expect.poll(() => page.isCrashed).toBe(true);
    const { ms, outcome } = await timed(oriel.call('browser_tabs'));
    expect(textOf(outcome)).toContain('crashed');
    expect(ms).toBeLessThan(NEIGHBOUR_MS);
    await oriel.done('browser_snapshot', { page: 'p1' });
    const told = await oriel.fails('gone', 'browser_snapshot', { page: 'victim' });
    expect(told.text).toContain('has crashed');
    const again = await oriel.done('browser_navigate', {
      page: 'victim',
      url: oriel.fixtures.url('/blank.html'),
    });
    expect(again.page).toBe(page.id);
    await oriel.done('browser_tabs', { action: 'close', page: 'victim' });
  });

  it('during a call ends that call with `gone`', async () => {
    await oriel.done('browser_tabs', { action: 'new', label: 'victim' });
    await oriel.done('browser_navigate', {
      page: 'victim',
      url: oriel.fixtures.url('/form-50.html'),
    });
    const page = oriel.core.deps.sessions.ownOf(OWN)!.find('victim')!;
    const wait = timed(
      oriel.call('browser_wait', { page: 'victim', text: 'never there', timeoutMs: 10_000 }),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    void (await page.cdp)!.send('Page.crash').catch(() => {});
    const { outcome, ms } = await wait;
    expect(outcome.status === 'failed' && outcome.error.code, textOf(outcome)).toBe('gone');
    expect(ms).toBeLessThan(5_000);
    await oriel.done('browser_tabs', { action: 'close', page: 'victim' });
  });
});

describe('what never ends (L04, L10)', () => {
  it('a stream or a sub-resource does not hold a navigation beyond its state', async () => {
    oriel.fixtures.route(
      '/half',
      reply('<h1>Half</h1><img src="/never"><script async src="/never"></script>'),
    );
    const { ms } = await timed(
      oriel.done('browser_navigate', { page: 'p1', url: oriel.fixtures.url('/half') }),
    );
    expect(ms).toBeLessThan(4_000);
  });

  it('a ref that is known to be gone is refused at once', async () => {
    await oriel.open('/form-50.html');
    const { text } = { text: textOf(await oriel.done('browser_snapshot')) };
    const ref = /ref=(e\d+)/.exec(text)![1]!;
    await oriel.done('browser_evaluate', {
      expression: '() => { document.body.innerHTML = "<p>Gone</p>"; }',
    });
    const { outcome, ms } = await timed(oriel.call('browser_click', { target: ref }));
    expect(outcome.status === 'failed' && outcome.error.code, textOf(outcome)).toBe('stale_ref');
    expect(ms).toBeLessThan(NEIGHBOUR_MS);
  });
});

const OWN = { principal: 'local', connection: 'test' };
