// A page that hangs while its picture is taken, and a frame of another site that hangs (L06, L01).
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectTree, listProcesses } from '../../src/engine/process-table.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { reply } from '../harness/route-handlers.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

const LIMIT_MS = 1_500;
/** How far past its limit an answer may come, whatever the browser does. */
const LATE_MS = 250;
const NEIGHBOUR_MS = 2_000;

const elsewhere = { caller: { connection: 'elsewhere' } };
const OWN = { principal: 'local', connection: 'test' };

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
  const { fixtures } = oriel;
  fixtures.route(
    '/stubborn',
    reply(`<h1>Stubborn</h1><script>
      const loop = () => { setInterval(() => { for (;;); }, 0); for (;;); };
      setTimeout(loop, new URL(location).searchParams.get('ms'));
    </script>`),
  );
  addLoopingFrame(oriel);
  await oriel.done('browser_navigate', { url: fixtures.url('/form-50.html') }, elsewhere);
});
afterAll(() => oriel[Symbol.asyncDispose]());

async function timed(call: Promise<Outcome>): Promise<{ outcome: Outcome; ms: number }> {
  const startedAt = performance.now();
  const outcome = await call;
  return { outcome, ms: performance.now() - startedAt };
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const ownPage = () => oriel.core.deps.sessions.ownOf(OWN)!.find('p1')!;

/** Takes a picture of a page that hangs: it ends at its limit, and others get theirs meanwhile. */
async function pictureHangs(input: object): Promise<void> {
  const hung = timed(oriel.call('browser_screenshot', { ...input, timeoutMs: LIMIT_MS }));
  await pause(200);
  for (let count = 0; count < 2; count += 1) {
    const { outcome, ms } = await timed(oriel.call('browser_screenshot', {}, elsewhere));
    expect(outcome.status, textOf(outcome)).toBe('done');
    expect(ms).toBeLessThan(NEIGHBOUR_MS);
  }
  const { outcome, ms } = await hung;
  expect(outcome.status === 'failed' && outcome.error.code, textOf(outcome)).toBe('timeout');
  expect(ms).toBeLessThan(LIMIT_MS + LATE_MS);
}

describe('a picture of a page that hangs (L06)', () => {
  afterEach(async () => {
    // Back under its own id, in the same browser; the other session still has its page.
    const again = await oriel.done('browser_navigate', {
      page: 'p1',
      url: oriel.fixtures.url('/form-50.html'),
    });
    expect(again.page).toBe('p1');
    await oriel.done('browser_screenshot', { page: 'p1' });
    const theirs = await oriel.done('browser_snapshot', {}, elsewhere);
    expect(textOf(theirs)).toContain('/form-50.html');
    expect(oriel.core.deps.engine.running?.generation).toBe(1);
  });

  it.each([
    ['the viewport', {}],
    ['the whole page', { fullPage: true }],
    ['an element', { target: 'h1' }],
  ])('of %s, in a loop that can be ended: the page stays', async (_what, input) => {
    await oriel.open('/loops.html?on=timer&ms=2000');
    const { raw } = ownPage();
    await pause(2_100);
    await pictureHangs(input);
    await expect.poll(() => ownPage().mutex.isHeld, { timeout: 5_000 }).toBe(false);
    expect(ownPage().raw).toBe(raw);
  });

  it('in a loop that comes back: that page alone is replaced', async () => {
    await oriel.open('/stubborn?ms=2500');
    const { raw } = ownPage();
    await pause(2_600);
    await pictureHangs({});
    await expect.poll(() => ownPage().mutex.isHeld, { timeout: 10_000 }).toBe(false);
    expect(ownPage().raw).not.toBe(raw);
    const told = await oriel.fails('gone', 'browser_snapshot', { page: 'p1' });
    expect(told.text).toContain('p1 stopped answering');
  });

  it('whose renderer is stopped: that page alone is replaced', async () => {
    await oriel.open('/blank.html');
    const before = await renderers();
    await oriel.done('browser_navigate', {
      page: 'p1',
      // Another site gets another renderer, which none of the others share.
      url: `${oriel.fixtures.otherOrigin}/form-50.html`,
    });
    const fresh = (await renderers()).filter((pid) => !before.includes(pid));
    expect(fresh.length).toBeGreaterThan(0);
    const { raw } = ownPage();
    for (const pid of fresh) process.kill(pid, 'SIGSTOP');
    try {
      await pictureHangs({});
      await expect.poll(() => ownPage().raw === raw, { timeout: 10_000 }).toBe(false);
    } finally {
      for (const pid of fresh) {
        try {
          process.kill(pid, 'SIGCONT');
        } catch {
          // Closing the page has ended it.
        }
      }
    }
  });
});

it('a page whose look gave up before its call had to is brought back as well', async () => {
  await oriel.done('browser_navigate', {
    page: 'p1',
    url: oriel.fixtures.url('/stubborn?ms=2500'),
  });
  await pause(2_600);
  const { outcome, ms } = await timed(
    oriel.call('browser_snapshot', { page: 'p1', timeoutMs: 30_000 }),
  );
  expect(outcome.status === 'failed' && outcome.error.code, textOf(outcome)).toBe('timeout');
  expect(ms).toBeLessThan(25_000);
  const again = await timed(
    oriel.call('browser_navigate', { page: 'p1', url: oriel.fixtures.url('/blank.html') }),
  );
  expect(again.outcome.status, textOf(again.outcome)).toBe('done');
  expect(again.ms).toBeLessThan(10_000);
});

describe('a frame of another site that hangs (L01)', { timeout: 90_000 }, () => {
  const url = (of: TestOriel, ms: number) => of.fixtures.url(`/looping-frame?ms=${ms}`);

  it('in the renderer of its page: calls end at their limit, and the page comes back', async () => {
    await oriel.done('browser_navigate', { page: 'p1', url: url(oriel, 1_000) });
    await pause(1_300);
    const hung = timed(oriel.call('browser_snapshot', { page: 'p1', timeoutMs: LIMIT_MS }));
    const { outcome: theirs, ms: took } = await timed(
      oriel.call('browser_snapshot', {}, elsewhere),
    );
    expect(theirs.status, textOf(theirs)).toBe('done');
    expect(took).toBeLessThan(NEIGHBOUR_MS);
    const { outcome, ms } = await hung;
    expect(outcome.status === 'failed' && outcome.error.code, textOf(outcome)).toBe('timeout');
    expect(ms).toBeLessThan(LIMIT_MS + LATE_MS);
    const again = await oriel.done('browser_navigate', {
      page: 'p1',
      url: oriel.fixtures.url('/blank.html'),
    });
    expect(again.page).toBe('p1');
  });

  it('in a renderer of its own: the page around it is seen and acted on', async () => {
    await using isolated = await startOriel({
      config: { browser: { args: ['--site-per-process'] } },
    });
    addLoopingFrame(isolated);
    await isolated.done('browser_navigate', { url: url(isolated, 1_000) });
    await pause(1_300);
    const steps: readonly (readonly [string, object, RegExp])[] = [
      ['browser_snapshot', {}, /Around it[^]*did not answer/],
      ['browser_click', { target: 'role=button[name="Press"]' }, /./],
      ['browser_evaluate', { expression: 'document.body.innerText' }, /pressed/],
      ['browser_screenshot', {}, /./],
      ['browser_tabs', {}, /p1/],
    ];
    for (const [tool, input, says] of steps) {
      const { outcome, ms } = await timed(isolated.call(tool, input));
      expect(outcome.status, `${tool}: ${textOf(outcome)}`).toBe('done');
      expect(textOf(outcome)).toMatch(says);
      expect(ms, tool).toBeLessThan(5_000);
    }
    await isolated.done('browser_navigate', { url: isolated.fixtures.url('/blank.html') });
  });
});

/** `/looping-frame?ms=1000`: a frame of another site, which loops after a while. */
function addLoopingFrame({ fixtures }: TestOriel): void {
  fixtures.route('/looping-frame', ({ url }, response) => {
    const src = `${fixtures.otherOrigin}/loops.html?on=timer&ms=${url.searchParams.get('ms')}`;
    response.writeHead(200, { 'content-type': 'text/html' })
      .end(`<h1>Around it</h1><button onclick="this.after('pressed')">Press</button>
        <iframe src="${src}"></iframe>`);
  });
}

async function renderers(): Promise<number[]> {
  const pid = oriel.core.deps.engine.running?.facts.pid;
  const rows = await listProcesses();
  const tree = collectTree(
    rows,
    rows.filter((row) => row.pid === pid),
  );
  return tree.filter(({ command }) => command.includes('--type=renderer')).map((row) => row.pid);
}
