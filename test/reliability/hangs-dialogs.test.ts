import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
});
afterAll(() => oriel[Symbol.asyncDispose]());

const url = (path: string) => oriel.fixtures.url(path);
async function policy(value: 'accept' | 'dismiss' | 'manual'): Promise<void> {
  await oriel.done('browser_tabs', { action: 'new' });
  await oriel.done('browser_dialog', { policy: value });
}

describe('a dialog never hangs a call (L03)', { timeout: 90_000 }, () => {
  for (const type of ['alert', 'confirm', 'prompt']) {
    it(`under accept: ${type}, opened by a click, by load, by a timer and by evaluate`, async () => {
      await policy('accept');
      await oriel.open('/dialogs.html');
      const clicked = await oriel.done('browser_click', { target: `[data-type=${type}]` });
      expect(clicked.effect?.dialogs).toMatchObject([{ type, state: 'accepted' }]);
      const loaded = await oriel.done('browser_navigate', {
        url: url(`/dialogs.html?on=load&type=${type}`),
      });
      expect(loaded.effect?.dialogs).toMatchObject([{ type, state: 'accepted' }]);
      await oriel.done('browser_navigate', {
        url: url(`/dialogs.html?on=timer&type=${type}&ms=50`),
      });
      await expect.poll(() => oriel.result()).toContain(type);
      const evaluated = await oriel.done('browser_evaluate', {
        expression: `() => String(${type}('hi'))`,
      });
      expect(evaluated.effect?.dialogs).toMatchObject([{ type, message: 'hi', state: 'accepted' }]);
      await oriel.done('browser_tabs', { action: 'close' });
    });

    it(`under dismiss: ${type}`, async () => {
      await policy('dismiss');
      await oriel.open('/dialogs.html');
      const clicked = await oriel.done('browser_click', { target: `[data-type=${type}]` });
      expect(clicked.effect?.dialogs).toMatchObject([{ type, state: 'dismissed' }]);
      await oriel.done('browser_tabs', { action: 'close' });
    });

    it(`under manual: ${type}; the page is seen as it was, and goes on when answered`, async () => {
      await policy('manual');
      await oriel.open('/dialogs.html');
      const click = await oriel.fails('dialog_open', 'browser_click', {
        target: `[data-type=${type}]`,
      });
      expect(click.text).toContain('browser_dialog');
      const startedAt = performance.now();
      const seen = await oriel.done('browser_snapshot');
      expect(performance.now() - startedAt).toBeLessThan(500);
      expect(textOf(seen)).toContain(`waits for an answer to its ${type} dialog`);
      expect(textOf(seen)).toContain('button "Confirm"');
      expect(seen.output).toMatchObject({ dialog: { type } });
      await oriel.fails('dialog_open', 'browser_click', { target: '#late' });
      await oriel.done('browser_dialog', { action: 'accept' });
      await expect.poll(() => oriel.result()).toContain(type);
      expect((await oriel.done('browser_snapshot')).output).toMatchObject({ dialog: null });
      await oriel.done('browser_tabs', { action: 'close' });
    });
  }

  it('under manual: opened by evaluate, by load and by a timer', async () => {
    await policy('manual');
    await oriel.fails('dialog_open', 'browser_navigate', {
      url: url('/dialogs.html?on=load&type=confirm'),
    });
    // It was never looked at: the answer says so, and touches nothing.
    expect(textOf(await oriel.done('browser_snapshot'))).toContain('Are you sure?');
    await oriel.done('browser_dialog', { action: 'dismiss' });
    await oriel.fails('dialog_open', 'browser_evaluate', {
      expression: `() => confirm('evaluated')`,
    });
    await oriel.done('browser_dialog', { action: 'accept' });
    await oriel.done('browser_navigate', { url: url('/dialogs.html?on=timer&type=alert&ms=1000') });
    await expect
      .poll(async () => textOf(await oriel.done('browser_dialog')), { timeout: 5_000 })
      .toContain('A dialog is open');
    await oriel.done('browser_dialog', { action: 'accept' });
    await oriel.done('browser_tabs', { action: 'close' });
  });

  it('the policy is that of one session, and an armed answer overrides it once', async () => {
    await policy('dismiss');
    await oriel.open('/dialogs.html');
    await oriel.done('browser_dialog', { action: 'accept' });
    const armed = await oriel.done('browser_click', { target: '[data-type=confirm]' });
    expect(armed.effect?.dialogs).toMatchObject([{ state: 'accepted' }]);
    const after = await oriel.done('browser_click', { target: '[data-type=confirm]' });
    expect(after.effect?.dialogs).toMatchObject([{ state: 'dismissed' }]);
    const other = { caller: { connection: 'other' } };
    await oriel.done('browser_navigate', { url: url('/dialogs.html') }, other);
    const theirs = await oriel.done('browser_click', { target: '[data-type=confirm]' }, other);
    expect(theirs.effect?.dialogs).toMatchObject([{ state: 'accepted' }]);
    await oriel.done('browser_tabs', { action: 'close' });
  });
});

describe('a page that guards against leaving (L03)', () => {
  const guard = async () => {
    await oriel.open('/dialogs.html');
    await oriel.done('browser_click', { target: '#guard' });
  };

  it('under accept is left, and the answer tells of it', async () => {
    await policy('accept');
    await guard();
    const left = await oriel.done('browser_navigate', { url: url('/blank.html') });
    expect(left.effect?.dialogs).toMatchObject([{ type: 'beforeunload', state: 'accepted' }]);
    await oriel.done('browser_tabs', { action: 'close' });
  });

  it('under dismiss stays, and the call says why', async () => {
    await policy('dismiss');
    await guard();
    const stayed = await oriel.call('browser_navigate', {
      url: url('/blank.html'),
      timeoutMs: 5_000,
    });
    expect(stayed.status).toBe('failed');
    expect(stayed.effect?.dialogs).toMatchObject([{ type: 'beforeunload', state: 'dismissed' }]);
    expect(oriel.raw().url()).toContain('dialogs.html');
    await oriel.done('browser_tabs', { action: 'close' });
  });

  it('under manual waits for the answer, and is closed all the same', async () => {
    await policy('manual');
    await guard();
    await oriel.fails('dialog_open', 'browser_navigate', { url: url('/blank.html') });
    await oriel.done('browser_dialog', { action: 'accept' });
    await expect.poll(() => oriel.raw().url()).toContain('blank.html');
    await guard();
    await oriel.fails('dialog_open', 'browser_navigate', { url: url('/blank.html') });
    const startedAt = performance.now();
    await oriel.done('browser_tabs', { action: 'close' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
