// What must not hold a call up. That settling ignores what went on before an action, and ends at
// its budget, is proven in test/lens/effect.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
});
afterAll(() => oriel[Symbol.asyncDispose]());

/** Well below every deadline, and above what a busy machine takes. */
const SOON_MS = 6_000;

describe('L03: a dialog hangs nothing, and the answer tells of it', () => {
  it.each([
    ['alert', 'An alert'],
    ['confirm', 'Are you sure?'],
    ['prompt', 'Your name?'],
  ])('opened by a click: %s', async (type, message) => {
    await oriel.open('/dialogs.html');
    const outcome = await oriel.done('browser_click', { target: `[data-type=${type}]` });
    expect(outcome.tookMs).toBeLessThan(SOON_MS);
    expect(outcome.effect?.dialogs).toMatchObject([{ type, message }]);
    expect(textOf(outcome)).toContain(`dialog: ${type}`);
  });

  it('opened by a script', async () => {
    await oriel.open('/dialogs.html');
    const outcome = await oriel.done('browser_evaluate', { function: '() => alert("Hello")' });
    expect(outcome.effect?.dialogs).toMatchObject([{ type: 'alert', message: 'Hello' }]);
  });

  it('opened by loading', async () => {
    const outcome = await oriel.open('/dialogs.html?on=load&type=confirm');
    expect(outcome.tookMs).toBeLessThan(SOON_MS);
    expect(outcome.effect?.dialogs).toMatchObject([{ type: 'confirm' }]);
  });

  it('opened by a timer, before and between calls', async () => {
    await oriel.open('/dialogs.html?on=timer&type=prompt&ms=50');
    await oriel.done('browser_wait', { text: 'prompt:' });
    await oriel.done('browser_click', { target: '#late' });
    const { tookMs } = await oriel.done('browser_wait', { text: 'alert:' });
    expect(tookMs).toBeLessThan(SOON_MS);
  });

  it('opened by leaving', async () => {
    await oriel.open('/dialogs.html');
    await oriel.done('browser_click', { target: '#guard' });
    const outcome = await oriel.call('browser_click', { target: 'text=Leave' });
    expect(outcome.tookMs).toBeLessThan(SOON_MS);
    expect(textOf(outcome)).toContain('dialog: beforeunload');
    const next = await oriel.call('browser_snapshot', {});
    expect(next.status).toBe('done');
  });
});

describe('L04: what never ends', () => {
  it.each([
    ['a picture', '<img src=/never>'],
    ['a frame', '<iframe src=/never></iframe>'],
    ['half a frame', '<iframe src=/stall></iframe>'],
    ['a stream', '<script>fetch("/stall")</script>'],
    ['an event source', '<script>new EventSource("/never")</script>'],
  ])('%s does not hold navigation', async (_what, html) => {
    oriel.fixtures.route('/holder', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Here</h1>${html}`);
    });
    const outcome = await oriel.done('browser_navigate', { url: oriel.fixtures.url('/holder') });
    expect(textOf(outcome)).toContain('heading "Here"');
    expect(outcome.tookMs).toBeLessThan(SOON_MS);
  });

  it('a frameset does not hold navigation', async () => {
    oriel.fixtures.route('/frameset', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<frameset cols="50%,50%"><frame src=/never><frame src=/blank.html></frameset>');
    });
    const url = oriel.fixtures.url('/frameset');
    const { tookMs } = await oriel.done('browser_navigate', { url });
    expect(tookMs).toBeLessThan(SOON_MS);
  });

  it('endless polling does not hold the settling of an action', async () => {
    await oriel.open('/polling.html?every=50');
    await oriel.raw().waitForTimeout(1_500);
    await oriel.done('browser_snapshot', {});
    const { effect } = await oriel.done('browser_click', { target: '#act' });
    expect(effect?.settled?.reason).not.toBe('budget');
    expect(effect?.settled?.ms).toBeLessThan(oriel.core.deps.config.timeouts.settleMs);
    expect(await oriel.result('#clicks')).toBe('1');
  });
});

describe('L10: a ref that is gone costs no wait', () => {
  it.each([
    ['browser_click', {}],
    ['browser_hover', {}],
    ['browser_type', { text: 'x' }],
    ['browser_select', { values: ['x'] }],
    ['browser_press', { key: 'Enter' }],
  ])('in %s', async (tool, input) => {
    await oriel.open('/blank.html');
    await oriel.raw().setContent('<button>Going</button>');
    const text = textOf(await oriel.done('browser_snapshot', {}));
    const ref = /\[ref=(e\d+)\]/.exec(text)?.[1];
    await oriel.raw().setContent('<p>Gone</p>');
    const failed = await oriel.fails('stale_ref', tool, { target: ref, ...input });
    expect(failed.tookMs).toBeLessThan(2_500);
  });
});
