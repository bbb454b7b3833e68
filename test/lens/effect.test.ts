import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delta } from '../../src/lens/delta.ts';
import { click, openBench, refOf } from './harness.ts';
import type { Bench } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
  bench.serve('/data', '{"ok":true}', { delayMs: 300 });
  bench.serve('/poll', '{}');
  bench.serve('/next', '<h1>Next page</h1>');
  bench.serve('/slow-next', '<h1>Slow page</h1>', { delayMs: 500 });
});
afterAll(() => bench[Symbol.asyncDispose]());

async function open(html: string): Promise<Page> {
  const page = await bench.page();
  await page.goto(bench.serve('/effect', html).here);
  return page;
}

/** Clicks the first button, settles, and tells what changed. */
async function act(page: Page, budgetMs = 2_000) {
  const before = await bench.lens.snapshot(page);
  await click(bench.lens, page, refOf(before, 'button'));
  const settled = await bench.lens.settle(page, budgetMs);
  const after = await bench.lens.snapshotAfter(page, before);
  return { settled, text: delta(before, after), after };
}

describe('settling', () => {
  test('is over within two frames when the action started nothing', async () => {
    const page = await open('<button>Nothing</button>');
    await act(page);
    const { settled, text } = await act(page);
    expect(settled.reason).toBe('idle');
    expect(settled.ms).toBeLessThan(150);
    expect(text).toBe('');
  });

  test('waits for a request and for what the page makes of it', async () => {
    const page = await open(
      `<button onclick="fetch('/data').then(() => setTimeout(() => out.textContent = 'Loaded', 30))">Load</button><p id=out>Empty</p>`,
    );
    const { settled, text } = await act(page);
    expect(settled.reason).toBe('quiet');
    expect(settled.ms).toBeGreaterThan(250);
    expect(settled.ms).toBeLessThan(1_500);
    expect(text).toContain('paragraph: "Loaded"');
  });

  test('waits for a chain of changes to end', async () => {
    const page = await open(
      `<button onclick="let i = 0; const step = () => { const p = document.createElement('p'); p.textContent = 'Step ' + ++i; document.body.append(p); if (i < 5) setTimeout(step, 40) }; step()">Go</button>`,
    );
    const { settled, text } = await act(page);
    expect(settled.reason).toBe('quiet');
    expect(text).toContain('Step 5');
  });

  test('says that the page has navigated, also when the new page is slow', async () => {
    for (const [target, title] of [
      ['/next', 'Next page'],
      ['/slow-next', 'Slow page'],
    ]) {
      const page = await open(`<button onclick="location = '${target}'">Go</button>`);
      const { settled, after } = await act(page, 5_000);
      expect(settled.reason).toBe('navigated');
      expect(after.text).toContain(title);
    }
  });

  test('is not held up by a clock, an animation and a poll that were there before', async () => {
    const page = await open(`<button>Nothing</button><p id=clock>0</p><div id=anim>x</div>
      <script>setInterval(() => clock.textContent = String(performance.now()), 50); let x = 0; const move = () => { anim.style.left = ++x + 'px'; requestAnimationFrame(move) }; move();
      setInterval(() => fetch('/poll'), 100); const long = () => fetch('/data').then(long); long();</script>`);
    await bench.lens.snapshot(page);
    await page.waitForTimeout(1_500);
    const { settled } = await act(page, 4_000);
    expect(['idle', 'quiet']).toContain(settled.reason);
    expect(settled.ms).toBeLessThan(1_000);
  });

  test('ends at its budget when the action starts something endless', async () => {
    const page = await open(
      `<button onclick="setInterval(() => document.body.append(document.createElement('i')), 20)">Go</button>`,
    );
    const before = await bench.lens.snapshot(page);
    await click(bench.lens, page, refOf(before, 'button'));
    const { reason, ms } = await bench.lens.settle(page, 400);
    expect(['budget', 'quiet']).toContain(reason);
    expect(ms).toBeLessThan(900);
  });

  test('stops at once when the caller gives up', async () => {
    const page = await open(`<button onclick="fetch('/data')">Go</button>`);
    const before = await bench.lens.snapshot(page);
    await click(bench.lens, page, refOf(before, 'button'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(bench.lens.settle(page, 5_000, controller.signal)).rejects.toThrow('enough');
  });
});

describe('the delta', () => {
  test('tells what came, what went and what changed', async () => {
    const page =
      await open(`<button onclick="gone.remove(); field.value = 'typed'; box.checked = true; menu.style.display = ''; document.body.insertAdjacentHTML('beforeend', '<a href=#>Fresh</a>')">Go</button>
      <a href=# id=gone>Old link</a><input id=field aria-label=Field><label><input type=checkbox id=box> Box</label><ul id=menu style="display:none"><li>Menu item</li></ul>`);
    const { text } = await act(page);
    const lines = text.split('\n');
    expect(lines.some((line) => /^\+ link "Fresh" \[ref=e\d+\]$/.test(line))).toBe(true);
    expect(lines.some((line) => line.startsWith('- link "Old link"'))).toBe(true);
    expect(
      lines.some((line) =>
        /^~ textbox "Field" \[ref=(e\d+)\] → textbox "Field": "typed" \[ref=\1\]$/.test(line),
      ),
    ).toBe(true);
    expect(
      lines.some((line) => /^~ checkbox "Box" .* → checkbox "Box" \[checked\]/.test(line)),
    ).toBe(true);
    expect(text).toContain('+ listitem: "Menu item"');
  });

  test('does not take scrolling for a change', async () => {
    const page = await open(
      `${Array.from({ length: 80 }, (_, i) => `<p>Line ${i} <a href=#>link ${i}</a></p>`).join('')}<button onclick="document.title = 'done'">Far below</button>`,
    );
    const before = await bench.lens.snapshot(page);
    const found = await bench.lens.snapshot(page, { query: 'far below' });
    await click(bench.lens, page, refOf(found, 'button'));
    await bench.lens.settle(page, 1_000);
    const text = delta(before, await bench.lens.snapshotAfter(page, before));
    expect(text).toContain('~ title "" → "done"');
    expect(text).not.toMatch(/link \d+/);
  });

  test('stays within its limit and counts what does not fit', async () => {
    const page = await open(
      `<button onclick="document.body.insertAdjacentHTML('beforeend', Array.from({length: 100}, (_, i) => '<h2>Heading number ' + i + '</h2>').join(''))">Go</button>`,
    );
    await page.setViewportSize({ width: 1_000, height: 8_000 });
    const before = await bench.lens.snapshot(page);
    await click(bench.lens, page, refOf(before, 'button'));
    await bench.lens.settle(page, 1_000);
    const after = await bench.lens.snapshotAfter(page, before);
    for (const max of [2_000, 300, 50]) {
      const text = delta(before, after, max);
      expect(text.length).toBeLessThanOrEqual(max);
      expect(text).toMatch(/… \d+ more changes$/);
    }
  });
});
