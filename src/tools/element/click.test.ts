import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../../../test/harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel({ config: { timeouts: { actionMs: 3_000 } } });
});
afterAll(() => oriel[Symbol.asyncDispose]());

const EVENTS = `<button id="b">Press me</button><p id="result"></p><script>
  const seen = [];
  for (const type of ['mousedown', 'click', 'dblclick', 'contextmenu', 'auxclick'])
    b.addEventListener(type, (event) => {
      event.preventDefault();
      seen.push(type + event.button + (event.shiftKey ? 'S' : '') + (event.ctrlKey ? 'C' : ''));
      result.textContent = seen.join(' ');
    });
</script>`;

async function openEvents(): Promise<void> {
  oriel.fixtures.route('/events', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(EVENTS);
  });
  await oriel.open('/events');
}

describe('browser_click', () => {
  it.each<[string, object, string]>([
    ['once with the left button', {}, 'mousedown0 click0'],
    ['twice', { count: 2 }, 'mousedown0 click0 mousedown0 click0 dblclick0'],
    ['with the right button', { button: 'right' }, 'mousedown2 auxclick2 contextmenu2'],
    ['with the middle button', { button: 'middle' }, 'mousedown1 auxclick1'],
    ['with keys held', { modifiers: ['Shift', 'Control'] }, 'mousedown0SC click0SC'],
  ])('clicks %s', async (_what, more, events) => {
    await openEvents();
    await oriel.done('browser_click', { target: 'css=#b', ...more });
    const seen = (await oriel.result())?.split(' ').toSorted();
    expect(seen).toEqual(events.split(' ').toSorted());
  });

  it('holds the button for the delay', async () => {
    await openEvents();
    const startedAt = performance.now();
    await oriel.done('browser_click', { target: 'css=#b', delayMs: 400 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ['count', 0],
    ['count', 4],
    ['delayMs', -1],
    ['delayMs', 5_001],
    ['button', 'fourth'],
    ['modifiers', 'Hyper'],
    ['timeoutMs', 0],
    ['target', ''],
    ['target', 'x'.repeat(2_001)],
  ])('refuses %s %j by name', async (name, value) => {
    const { error } = await oriel.fails('bad_input', 'browser_click', {
      target: 'css=#b',
      [name]: value,
    });
    expect(error.message).toContain(`\`${name}\``);
  });

  it.each(['css=[[[', 'xpath=//[', 'nonsense=1', '>> >>', 'css=a:has('])(
    'calls %j no selector',
    async (target) => {
      await openEvents();
      const { error } = await oriel.fails('bad_input', 'browser_click', { target });
      expect(error.hint).toMatch(/CSS|css=/);
    },
  );

  it.each([
    ['css=#none', 'not_found'],
    ['e4711', 'stale_ref'],
  ] as const)('says that %s is not there, of a ref at once', async (target, code) => {
    await openEvents();
    const startedAt = performance.now();
    const { text } = await oriel.fails(code, 'browser_click', { target });
    expect(text).toMatch(/snapshot/);
    if (code === 'stale_ref') expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('names the candidates where several match', async () => {
    await oriel.open('/popups.html');
    const { text } = await oriel.fails('ambiguous_ref', 'browser_click', { target: 'css=button' });
    expect(text).toMatch(/\[page content[^]*button "Open named window" \[ref=e\d+\][^]*\[end of/);
  });

  it('says what covers the target, or what state it is in', async () => {
    await oriel.open('/covered.html');
    const covered = await oriel.fails('not_actionable', 'browser_click', { target: 'css=#target' });
    expect(covered.text).toContain('Please wait');
    expect(await oriel.result()).toBe('');
    await oriel.open('/delayed.html?ms=60000');
    const disabled = await oriel.fails('not_actionable', 'browser_click', {
      target: 'css=#enable',
      timeoutMs: 800,
    });
    expect(disabled.text).toMatch(/not enabled|disabled/);
  });

  it('waits until the target is ready', async () => {
    await oriel.open('/delayed.html?ms=700');
    await oriel.done('browser_click', { target: 'css=#enable' });
    expect(await oriel.result()).toBe('Enabled later;');
  });

  it('answers with the document that came, and with the new snapshot where asked', async () => {
    await oriel.open('/dialogs.html');
    const left = await oriel.done('browser_click', { target: 'text=Leave' });
    expect(left.effect?.navigation).toMatchObject({ status: 200 });
    expect(left.effect?.snapshot).toContain('heading "Blank"');
    await openEvents();
    const asked = await oriel.done('browser_click', { target: 'css=#b', snapshot: true });
    expect(textOf(asked)).toContain('button "Press me"');
  });

  it.each([
    ['text="New tab"', 1],
    ['text="New tab with opener"', 1],
    ['text="Open window" >> nth=0', 1],
    ['text="Open two windows"', 2],
    ['text="Submit to new tab"', 1],
  ])('announces what %s opens, with its address', async (target, count) => {
    await oriel.open('/popups.html');
    const { effect } = await oriel.done('browser_click', { target });
    expect(effect?.opened).toHaveLength(count);
    for (const { page, url } of effect?.opened ?? []) {
      expect(url).toContain('/popup.html?from=');
      await oriel.done('browser_tabs', { action: 'close', page });
    }
  });

  it.each([
    ['text="Attachment"', /^report(-\d+)?\.csv$/, 21],
    ['text="Attachment after a redirect"', /^report(-\d+)?\.csv$/, 21],
    ['text="Data URL"', /^data\.txt$/, 15],
    ['text="Blob URL"', /^blob\.txt$/, 11],
  ])('announces the download of %s, with its path and size', async (target, name, bytes) => {
    await oriel.open('/downloads.html');
    const { effect } = await oriel.done('browser_click', { target });
    const [download] = effect?.downloads ?? [];
    expect(download).toMatchObject({
      name: expect.stringMatching(name) as string,
      bytes,
      state: 'done',
    });
    expect(download?.path?.startsWith(oriel.outputDir)).toBe(true);
  });

  it('announces a download that fails', async () => {
    await oriel.open('/downloads.html');
    const { effect } = await oriel.done('browser_click', {
      target: 'text="Download that breaks off"',
    });
    expect(effect?.downloads?.[0]).toMatchObject({ name: 'broken.bin', state: 'failed' });
  });

  it('needs an open page', async () => {
    const made = await oriel.done('browser_session', { action: 'new' });
    const { sessions } = made.output as { sessions: { session: string }[] };
    const session = sessions[0]?.session;
    const { error } = await oriel.fails('not_found', 'browser_click', { target: 'e1', session });
    expect(error.hint).toContain('browser_navigate');
  });
});
