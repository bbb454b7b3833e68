import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../../../test/harness/oriel.ts';
import { verifies } from '../../../test/harness/verifies.ts';

let oriel: TestOriel;
const count = { tool: 'browser_click', input: { target: '#count' } };
const counted = () => oriel.result('#n');
const nested = (depth: number): object =>
  depth === 0 ? count : { tool: 'browser_batch', input: { steps: [nested(depth - 1)] } };

describe('a batch', () => {
  beforeAll(async () => {
    oriel = await startOriel();
    oriel.fixtures.route('/desk.html', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<title>Desk</title>
      <h1>Desk</h1><label>Name <input id=name></label>
      <button id=count onclick="n.textContent = Number(n.textContent) + 1">Count</button><p id=n>0</p>
      <button id=leave onclick="location = '/blank.html'">Leave</button>
      <button id=hash onclick="location.hash = 'part'">Part</button>
      <button id=alias onclick="history.pushState(0, '', '/other')">Alias</button>
      <button id=later onclick="setTimeout(() => n.textContent = 'later', 400)">Later</button>
      <button id=close onclick="window.close()">Close</button>
      <button id=ask onclick="n.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button>`);
    });
  });
  afterAll(() => oriel[Symbol.asyncDispose]());
  beforeEach(() => oriel.open('/desk.html'));

  it('runs its steps in order and answers with a line for each and one effect', async () => {
    const outcome = await oriel.done('browser_batch', {
      steps: [
        { tool: 'browser_type', input: { target: '#name', text: 'Ada' }, expect: { value: 'Ada' } },
        count,
        { ...count, expect: { text: '2' } },
      ],
    });
    expect(await counted()).toBe('2');
    const text = textOf(outcome);
    expect(text).toContain('3 steps done:\n1. browser_type: Typed.\n2. browser_click: Clicked.');
    expect(text.match(/changed:/g)).toHaveLength(1);
    expect(text.length).toBeLessThan(900);
    const { steps } = outcome.output as { steps: { tool: string; output: unknown }[] };
    expect(steps[0]?.output).toMatchObject({ value: 'Ada' });
  });

  it('opens a page itself, goes on there, and shows where it ended', async () => {
    const outcome = await oriel.done(
      'browser_batch',
      {
        steps: [
          { tool: 'browser_navigate', input: { url: oriel.fixtures.url('/desk.html') } },
          count,
          { tool: 'browser_read' },
        ],
      },
      { caller: { connection: 'fresh' } },
    );
    const text = textOf(outcome);
    expect(text).toMatch(/1\. browser_navigate: p1 is open \(200\)\.\n2\. browser_click/);
    expect(text.match(/heading "Desk"/g)).toHaveLength(1);
    await oriel.done('browser_session', { action: 'close' }, { caller: { connection: 'fresh' } });
  });

  it('stops at the first error, says which steps ran, and tells what they did', async () => {
    const failed = await oriel.fails('bad_input', 'browser_batch', {
      steps: [count, { tool: 'browser_select', input: { target: '#name', values: ['x'] } }, count],
    });
    expect(failed.error.message).toMatch(/^Step 2 of 3 \(browser_select\) failed: /);
    expect(failed.error.message).toContain('Done: step 1. Not run: step 3.');
    expect(failed.error.details).toMatchObject({ step: 2, done: 1, total: 3 });
    expect(failed.text).toContain('paragraph: "1"');
    expect(await counted()).toBe('1');
  });

  it('goes on after an error when asked to, and reports each', async () => {
    const outcome = await oriel.done('browser_batch', {
      stopOnError: false,
      steps: [count, { tool: 'browser_select', input: { target: '#name', values: ['x'] } }, count],
    });
    expect(textOf(outcome)).toMatch(/2 of 3 steps done, 1 failed:[\s\S]*2\. browser_select: bad_/);
    expect(await counted()).toBe('2');
  });

  it.each([
    ['text', { text: 'nowhere' }, /expected .*nowhere/],
    ['url', { url: '/elsewhere' }, /elsewhere.*found: .*desk\.html/],
    ['element', { element: '#missing' }, /missing.*0 matches/],
    ['value', { element: '#name', value: 'Eve' }, /Eve/],
  ])('stops when the expected %s does not come about', async (_kind, wanted, shown) => {
    const failed = await oriel.fails('not_actionable', 'browser_batch', {
      steps: [{ ...count, expect: wanted }, count],
    });
    expect(failed.text).toMatch(shown);
    expect(await counted()).toBe('1');
  });

  it('waits for what is expected', async () => {
    await oriel.done('browser_batch', {
      steps: [
        { tool: 'browser_click', input: { target: '#later' }, expect: { text: 'later' } },
        { tool: 'browser_click', input: { target: '#hash' } },
      ],
    });
  });

  it.each([
    ['navigates', '#leave', 'stale_ref'],
    ['closes', '#close', 'gone'],
  ] as const)('stops when the page %s unexpectedly', async (_what, target, code) => {
    // Only what a script has opened may a script close.
    const { effect } = await oriel.done('browser_evaluate', {
      function: '() => void window.open("/desk.html")',
    });
    const page = effect?.opened?.[0]?.page;
    const failed = await oriel.fails(code, 'browser_batch', {
      page,
      steps: [{ tool: 'browser_click', input: { target } }, count, count],
    });
    // A page that closes itself may do so before Playwright has seen the click through.
    const begin =
      code === 'gone' ? /^(Stopped after s|S)tep 1 of 3 / : /^Stopped after step 1 of 3 /;
    expect(failed.error.message).toMatch(begin);
    expect(failed.error.message).toContain('Not run: steps 2 to 3.');
    expect(failed.effect).toMatchObject(
      code === 'gone' ? { closed: [page] } : { navigation: { status: 200 } },
    );
  });

  it('goes on when the page was expected to leave, or is the same document still', async () => {
    await oriel.done('browser_batch', {
      steps: [
        { tool: 'browser_click', input: { target: '#hash' } },
        { tool: 'browser_click', input: { target: '#alias' } },
        { tool: 'browser_click', input: { target: '#leave' }, expect: { url: 'blank.html' } },
        { tool: 'browser_wait', input: { text: 'Blank' } },
      ],
    });
  });

  it('takes 100 steps in all and not one more', async () => {
    verifies('C-095');
    const hover = { tool: 'browser_wait', input: { text: 'Desk' } };
    const half = { tool: 'browser_batch', input: { steps: Array(50).fill(hover) } };
    await oriel.done('browser_batch', { steps: Array(100).fill(hover) });
    for (const steps of [
      Array(101).fill(hover),
      [half, half],
      [hover, half, ...Array(49).fill(hover)],
    ]) {
      const failed = await oriel.fails('bad_input', 'browser_batch', { steps });
      expect(failed.text).toMatch(/100|steps/);
    }
  });

  it('is nested five deep and not six', async () => {
    verifies('C-096');
    await oriel.done('browser_batch', { steps: [nested(5)] });
    expect(await counted()).toBe('1');
    const failed = await oriel.fails('bad_input', 'browser_batch', { steps: [nested(6)] });
    expect(failed.error.message).toContain('nested more than 5 deep');
    expect(await counted()).toBe('1');
  });

  it('does nothing at all when a step cannot be read, or is not about its page', async () => {
    for (const step of [
      { tool: 'browser_click', input: { target: '#count', nonsense: 1 } },
      { tool: 'browser_clikc', input: {} },
      { tool: 'browser_tabs', input: { action: 'list' } },
      { tool: 'browser_click', input: { target: '#count', page: 'p999' } },
      { tool: 'browser_click', input: { target: '#count', session: 's_other' } },
      { tool: 'browser_click', input: { target: '#count', timeoutMs: 60_001 } },
    ]) {
      const outcome = await oriel.call('browser_batch', { steps: [count, step] });
      expect(outcome.status, JSON.stringify(step)).toBe('failed');
      expect(textOf(outcome)).toContain('Step 2');
    }
    expect(await counted()).toBe('0');
  });

  it('ends with a step that does not end, and the next call finds the page', async () => {
    const failed = await oriel.fails('timeout', 'browser_batch', {
      steps: [count, { tool: 'browser_wait', input: { text: 'never', timeoutMs: 300 } }, count],
    });
    expect(failed.error.message).toContain('Done: step 1. Not run: step 3.');
    expect(failed.tookMs).toBeLessThan(5_000);
    await oriel.done('browser_click', { target: '#count' });
    expect(await counted()).toBe('2');
  });
});

describe('what may be done in a batch', () => {
  it('is what its steps may do', async () => {
    await using strict = await startOriel({
      config: {
        script: false,
        policy: {
          rules: [
            { tools: ['browser_hover'], decision: 'deny' },
            { tools: ['browser_type'], decision: 'ask' },
          ],
        },
      },
    });
    await strict.open('/form-50.html');
    const evaluate = { tool: 'browser_evaluate', input: { function: 'document.title = "x"' } };
    const deep = { tool: 'browser_batch', input: { steps: [evaluate] } };
    const hover = { tool: 'browser_hover', input: { target: 'h1' } };
    for (const step of [evaluate, deep, hover]) {
      await strict.fails('denied', 'browser_batch', { steps: [step] });
    }
    const typing = {
      steps: [{ tool: 'browser_type', input: { target: '#city', text: 'Oslo' } }],
    };
    await strict.fails('denied', 'browser_batch', typing);
    const asked = await strict.call('browser_batch', typing, { caller: { canAsk: true } });
    expect(asked).toMatchObject({ status: 'needs_input' });
    if (asked.status !== 'needs_input') return;
    expect(asked.question).toContain(strict.fixtures.origin);
    await strict.done('browser_batch', typing, {
      caller: { canAsk: true },
      answer: { state: asked.state, approved: true },
    });
    expect(await strict.raw().locator('#city').inputValue()).toBe('Oslo');
  });

  it('is only reading on a server that only reads', async () => {
    await using strict = await startOriel({ config: { mode: 'readonly' } });
    for (const { tool, input } of [count]) {
      await strict.fails('denied', 'browser_batch', { steps: [{ tool, input }] });
    }
  });
});

describe('a dialog in a batch', () => {
  it('ends it, and nothing more runs once it is answered', async () => {
    await using manual = await startOriel({ config: { dialogs: { policy: 'manual' } } });
    await manual.open('/blank.html');
    await manual.raw().setContent(
      `<button id=ask onclick="n.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
       <button id=more onclick="n.textContent += '!'">More</button><p id=n></p>`,
    );
    const failed = await manual.fails('dialog_open', 'browser_batch', {
      steps: [
        { tool: 'browser_click', input: { target: '#ask' } },
        { tool: 'browser_click', input: { target: '#more' } },
      ],
    });
    expect(failed.text).toContain('Sure?');
    await manual.done('browser_dialog', { action: 'accept' });
    await manual.done('browser_wait', { text: 'yes' });
    expect(await manual.result('#n')).toBe('yes');
  });
});
