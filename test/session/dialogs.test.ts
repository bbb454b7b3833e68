import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

/** What opens a dialog: a click, a script, the load of a page, a timer. */
const WAYS: Readonly<Record<string, readonly [tool: string, input: object]>> = {
  click: ['browser_click', { target: 'text="Confirm"' }],
  script: ['browser_evaluate', { function: '() => confirm("Are you sure?")' }],
  load: ['browser_navigate', { url: '/dialogs.html?on=load&type=confirm' }],
};

describe.each(['accept', 'dismiss'] as const)('with policy %s', (policy) => {
  let oriel: TestOriel;
  beforeAll(async () => {
    oriel = await startOriel({ config: { dialogs: { policy } } });
  });
  afterAll(() => oriel[Symbol.asyncDispose]());
  const state = policy === 'accept' ? 'accepted' : 'dismissed';

  it.each(Object.keys(WAYS))('a dialog by %s is answered and told of', async (way) => {
    const [tool, input] = WAYS[way]!;
    await oriel.open('/dialogs.html');
    const url = (input as { url?: string }).url;
    const outcome = await oriel.done(tool, url ? { url: oriel.fixtures.url(url) } : input);
    expect(outcome.effect?.dialogs).toEqual([{ type: 'confirm', message: 'Are you sure?', state }]);
    expect(textOf(outcome)).toContain(`dialog: confirm "Are you sure?" (${state})`);
  });

  it('one after the other are both told of', async () => {
    await oriel.open('/dialogs.html');
    const { effect } = await oriel.done('browser_click', { target: 'text="Alert twice"' });
    expect(effect?.dialogs?.map(({ message }) => message)).toEqual(['First', 'Second']);
    expect(await oriel.result()).toBe('twice');
  });

  it('the next answer can be given beforehand, for once', async () => {
    await oriel.open('/dialogs.html');
    await oriel.done('browser_dialog', { action: 'accept', text: 'Ada' });
    await oriel.done('browser_click', { target: 'text="Prompt"' });
    expect(await oriel.result()).toBe('prompt: "Ada"');
    await oriel.done('browser_click', { target: 'text="Prompt"' });
    expect(await oriel.result()).toBe(policy === 'accept' ? 'prompt: ""' : 'prompt: null');
  });
});

describe('with policy manual', () => {
  let oriel: TestOriel;
  beforeAll(async () => {
    oriel = await startOriel({
      config: { dialogs: { policy: 'manual' }, timeouts: { actionMs: 5_000 } },
    });
  });
  afterAll(() => oriel[Symbol.asyncDispose]());

  it.each(Object.keys(WAYS))('a dialog by %s ends the call with dialog_open', async (way) => {
    const [tool, input] = WAYS[way]!;
    await oriel.open('/dialogs.html');
    const url = (input as { url?: string }).url;
    const { text } = await oriel.fails(
      'dialog_open',
      tool,
      url ? { url: oriel.fixtures.url(url) } : input,
    );
    expect(text).toContain('browser_dialog');
    expect(text).toContain('Are you sure?');
    await oriel.done('browser_dialog', { action: 'dismiss' });
    expect((await oriel.done('browser_snapshot')).status).toBe('done');
  });

  it('acts are refused until it is answered; lists, status and what was last seen are not', async () => {
    await oriel.open('/dialogs.html');
    await oriel.fails('dialog_open', 'browser_click', { target: 'text="Confirm"' });
    for (const [tool, input] of [
      ['browser_click', { target: 'text="Alert"' }],
      ['browser_screenshot', {}],
      ['browser_navigate', { url: oriel.fixtures.url('/blank.html') }],
    ] as const) {
      const startedAt = performance.now();
      await oriel.fails('dialog_open', tool, input);
      expect(performance.now() - startedAt, tool).toBeLessThan(1_500);
    }
    const seen = await oriel.done('browser_snapshot');
    expect(textOf(seen)).toContain('waits for an answer to its confirm dialog');
    const { output } = await oriel.done('browser_tabs');
    expect((output as { pages: { state: string }[] }).pages[0]?.state).toBe('dialog_open');
    expect(textOf(await oriel.done('browser_dialog'))).toContain('Are you sure?');
    await oriel.done('browser_dialog', { action: 'accept' });
    await oriel.done('browser_wait', { text: 'confirm: true' });
    await oriel.done('browser_click', { target: 'text=Leave' });
    expect(oriel.raw().url()).toContain('/blank.html');
  });

  it('a dialog of a timer, between two calls, stops the next one and not for long', async () => {
    await oriel.open('/dialogs.html');
    const later = `() => void setTimeout(() => document.querySelector('[data-type=prompt]').click(), 2000)`;
    await oriel.done('browser_evaluate', { function: later });
    await expect
      .poll(async () => textOf(await oriel.call('browser_dialog')), { timeout: 8_000 })
      .toContain('Your name?');
    const startedAt = performance.now();
    await oriel.fails('dialog_open', 'browser_click', { target: 'text="Alert"' });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    await oriel.done('browser_dialog', { action: 'accept', text: 'Grace' });
    await oriel.done('browser_wait', { text: 'prompt: "Grace"' });
  });

  it('the second of two dialogs is a question of its own', async () => {
    await oriel.open('/dialogs.html');
    await oriel.fails('dialog_open', 'browser_click', { target: 'text="Alert twice"' });
    await oriel.done('browser_dialog', { action: 'accept' });
    const second = await oriel.done('browser_snapshot');
    expect(textOf(second)).toContain('Second');
    await oriel.fails('dialog_open', 'browser_click', { target: 'text="Alert"' });
    await oriel.done('browser_dialog', { action: 'accept' });
    await oriel.done('browser_wait', { text: 'twice' });
  });

  it('a page that asks before it is left stays, or goes, as answered', async () => {
    await oriel.open('/dialogs.html');
    await oriel.done('browser_click', { target: 'text="Guard against leaving"' });
    const url = oriel.fixtures.url('/blank.html');
    await oriel.fails('dialog_open', 'browser_navigate', { url });
    await oriel.done('browser_dialog', { action: 'accept' });
    await oriel.done('browser_wait', { url: '**/blank.html' });
  });
});
