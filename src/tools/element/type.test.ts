import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../../../test/harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel({ config: { timeouts: { actionMs: 3_000 } } });
});
afterAll(() => oriel[Symbol.asyncDispose]());

const valueOf = async (input: object) =>
  ((await oriel.done('browser_type', input)).output as { value: string | null }).value;

describe('browser_type', () => {
  it('replaces what stands in the field, and answers with what then does', async () => {
    await oriel.open('/form-50.html');
    expect(await valueOf({ target: 'label=First name', text: 'Ada' })).toBe('Ada');
    expect(await valueOf({ target: 'label=First name', text: 'Grace' })).toBe('Grace');
    expect(await valueOf({ target: 'label=First name', text: '' })).toBe('');
  });

  it.each(['css=#story', 'css=#rich'])(
    'adds at the very end of %s with clear: false',
    async (target) => {
      await oriel.open(target === 'css=#rich' ? '/contenteditable.html' : '/controlled.html');
      if (target === 'css=#story') await valueOf({ target, text: 'one\ntwo\nthree' });
      await oriel.raw().evaluate('document.activeElement.blur()');
      const value = await valueOf({ target, text: '!', clear: false });
      expect(value?.trimEnd()).toMatch(/(three|Second line)!$/);
    },
  );

  it('answers with the value that the page made of it', async () => {
    await oriel.open('/controlled.html');
    expect(await valueOf({ target: 'css=#upper', text: 'abc' })).toBe('ABC');
    expect(await valueOf({ target: 'css=#digits', text: '1a2', slowly: true })).toBe('12');
  });

  it('presses Enter with submit', async () => {
    await oriel.open('/popups.html');
    oriel.fixtures.route('/ask', (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<form action="/blank.html"><input name="q" aria-label="Query"></form>');
    });
    await oriel.open('/ask');
    const { effect } = await oriel.done('browser_type', {
      target: 'label=Query',
      text: 'x',
      submit: true,
    });
    expect(effect?.navigation?.to).toContain('/blank.html?q=x');
  });

  it('never shows a password: not in the answer, a snapshot, or the record', async () => {
    await oriel.open('/form-50.html');
    const secret = 'correct-horse-battery';
    const outcomes = [
      await oriel.done('browser_type', { target: 'css=#password', text: secret }),
      await oriel.done('browser_type', { target: 'css=#password', text: secret, snapshot: true }),
      await oriel.done('browser_fill', { fields: [{ target: 'css=#pin', value: secret }] }),
      await oriel.done('browser_snapshot', { budget: 100_000 }),
      await oriel.done('browser_read', { format: 'text' }),
      await oriel.done('browser_read', { format: 'markdown' }),
      await oriel.call('browser_fill', {
        fields: [
          { target: 'css=#password', value: secret },
          { target: 'css=#none', value: secret },
        ],
      }),
    ];
    expect(await oriel.raw().locator('#pin').inputValue()).toBe(secret);
    for (const outcome of outcomes) expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(textOf(outcomes[0]!)).toContain('not shown');
    expect(JSON.stringify(await oriel.audit())).not.toContain(secret);
  });

  it('refuses what takes no text, and says why', async () => {
    await oriel.open('/form-50.html');
    const heading = await oriel.fails('bad_input', 'browser_type', { target: 'css=h1', text: 'x' });
    expect(heading.error.hint).toBeTruthy();
    await oriel.open('/controlled.html');
    await oriel.raw().evaluate('document.getElementById("name").readOnly = true');
    const fixed = await oriel.fails('not_actionable', 'browser_type', {
      target: 'css=#name',
      text: 'x',
      timeoutMs: 700,
    });
    expect(fixed.text).toMatch(/editable|read-?only/);
  });

  it('takes a million characters and not one more', { timeout: 90_000 }, async () => {
    await oriel.open('/controlled.html');
    const text = 'x'.repeat(1_000_000);
    expect((await valueOf({ target: 'css=#story', text, timeoutMs: 60_000 }))?.length).toBe(
      1_000_000,
    );
    const { error } = await oriel.fails('bad_input', 'browser_type', {
      target: 'css=#story',
      text: `${text}x`,
    });
    expect(error.message).toContain('`text`');
    expect(error.message.length).toBeLessThan(300);
  });
});
