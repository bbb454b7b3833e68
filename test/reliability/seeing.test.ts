// Seeing, through the whole core. test/lens/snapshot.test.ts proves the rest: time that grows no
// faster than the page (V02), dialogs first and empty pages explained (V03), hidden text (V04),
// clickable elements without a role (V08), closed shadow roots and canvases (V09).
import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
});
afterAll(() => oriel[Symbol.asyncDispose]());

let pages = 0;
async function show(html: string): Promise<void> {
  const path = `/seeing-${++pages}`;
  oriel.fixtures.route(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await oriel.open(path);
}
const limits = () => oriel.core.deps.config.answer;

describe('V01: no answer is over its budget', () => {
  it('not of a page of 20,000 nodes, whose rest is counted and can be had', async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => `<p><a href=#${i}>Item ${i}</a></p>`);
    await show(`<h1>Many</h1>${items.join('')}`);
    const snapshot = await oriel.done('browser_snapshot', {});
    const { snapshot: text } = snapshot.output as { snapshot: string };
    expect(text.length).toBeLessThanOrEqual(limits().snapshotChars);
    const handle = /expand=(r[\d.]+)/.exec(text)?.[1];
    expect(text).toMatch(/… (?:\d+ more|below)/);
    const more = await oriel.done('browser_snapshot', { expand: handle });
    expect(textOf(more)).toMatch(/link "Item \d+"/);
    for (const [tool, input] of [
      ['browser_snapshot', { full: true }],
      ['browser_read', {}],
    ] as const) {
      const answer = textOf(await oriel.done(tool, input));
      expect(answer.length, tool).toBeLessThanOrEqual(limits().maxChars);
    }
  });

  it('not of a result of 3 MB, which is whole in a file', async () => {
    await oriel.open('/blank.html');
    const outcome = await oriel.done('browser_evaluate', { function: '() => "x".repeat(3e6)' });
    const text = textOf(outcome);
    expect(text.length).toBeLessThanOrEqual(limits().maxChars);
    expect(text).toContain('of 3000002 bytes');
    const { file } = outcome.output as { file: { path: string } };
    expect(text).toContain(file.path);
    expect(statSync(file.path).size).toBe(3_000_002);
  });

  it('not of 10,000 console lines, which are counted', async () => {
    await oriel.open('/blank.html');
    const outcome = await oriel.done('browser_evaluate', {
      function:
        '() => { for (let i = 0; i < 10000; i++) console.error("line " + i, "y".repeat(400)) }',
    });
    expect(textOf(outcome).length).toBeLessThan(3_000);
    await expect
      .poll(
        async () =>
          (await oriel.done('browser_console', { limit: 1 })).output as {
            total: number;
            dropped: number;
          },
        { timeout: 10_000 },
      )
      .toSatisfy(
        ({ total, dropped }: { total: number; dropped: number }) => total + dropped >= 10_000,
      );
    const all = await oriel.done('browser_console', { limit: 200 });
    expect(textOf(all).length).toBeLessThanOrEqual(limits().maxChars);
    const cut = /\[cut: \d+ characters in all, whole in ([^\]]+)\]/.exec(textOf(all))?.[1];
    expect(readFileSync(cut ?? '', 'utf8')).toContain('line 9999');
  });

  it.each([
    ['/table-1000.html', 4_000],
    ['/deep-5000.html', 3_000],
    ['/form-50.html', 3_000],
  ])('and what %s costs by default is at most %i characters', async (path, most) => {
    await oriel.open(path);
    const { output } = await oriel.done('browser_snapshot', {});
    const { snapshot } = output as { snapshot: string };
    expect(snapshot.length).toBeGreaterThan(20);
    expect(snapshot.length).toBeLessThanOrEqual(most);
  });
});

describe('filling many fields', () => {
  const asked = [
    ['#first-name', 'Ada'],
    ['#last-name', 'Lovelace'],
    ['#company', 'Analytical Engines'],
    ['#street', '12 St James Square'],
    ['#city', 'London'],
    ['#postcode', 'SW1Y 4JH'],
    ['#required-note', 'Ring twice'],
    ['#email', 'ada@example.com'],
    ['#website', 'https://example.com/'],
    ['#phone', '5551234'],
    ['#topic', 'engines'],
    ['#password', 'difference'],
    ['#age', 36],
    ['#birthday', '1815-12-10'],
    ['#alarm', '07:30'],
    ['#colour', '#1a2b3c'],
    ['#notes', 'None'],
    ['[name=newsletter]', true],
    ['[name=remember]', false],
    ['[name=size][value=l]', true],
  ] as const;

  it('costs at most 400 characters for 20 of them, and reports each in the data', async () => {
    await oriel.open('/form-50.html');
    const outcome = await oriel.done('browser_fill', {
      fields: asked.map(([target, value]) => ({ target, value })),
    });
    const text = textOf(outcome);
    expect(text).toContain('Set 20 fields as asked.');
    expect(text.length, text).toBeLessThanOrEqual(400);
    const { fields } = outcome.output as { fields: { field: string; value: string | null }[] };
    expect(fields).toHaveLength(20);
    expect(fields[0]).toMatchObject({ value: 'Ada' });
    expect(fields[11]).toMatchObject({ value: null });
    expect(fields[18]).toMatchObject({ value: 'unchecked' });
  });

  it('spells out what did not stay as it was asked', async () => {
    await oriel.open('/controlled.html');
    const outcome = await oriel.done('browser_fill', {
      fields: [
        { target: '#name', value: 'Ada' },
        { target: '#upper', value: 'loud' },
        { target: '#frozen', value: 'warm' },
      ],
    });
    const text = textOf(outcome);
    expect(text).toContain('Set 3 fields; 2 did not take what was asked as it was:');
    expect(text).toMatch(/textbox "Upper case" .*holds "LOUD"/);
    expect(text).toMatch(/textbox "Frozen" .*holds "frozen"/);
    expect(text).not.toContain('textbox "Name"');
    expect(text).toContain('"upper');
  });
});

describe('V05: a password never shows', () => {
  it.each([
    ['browser_type', { target: '#password', text: 'hunter2-secret' }],
    ['browser_type', { target: '#password', text: 'hunter2-secret', slowly: true }],
    ['browser_fill', { fields: [{ target: '#password', value: 'hunter2-secret' }] }],
    [
      'browser_batch',
      { steps: [{ tool: 'browser_type', input: { target: '#password', text: 'hunter2-secret' } }] },
    ],
  ])('of %s %j, in its answer, a snapshot or the record', async (tool, input) => {
    await oriel.open('/form-50.html');
    const outcome = await oriel.done(tool, input);
    const snapshot = await oriel.done('browser_snapshot', { full: true });
    expect(await oriel.raw().locator('#password').inputValue()).toBe('hunter2-secret');
    expect(JSON.stringify([outcome, snapshot])).not.toContain('hunter2');
    expect(JSON.stringify(await oriel.audit())).not.toContain('hunter2');
  });
});

describe('V06: an inline picture', () => {
  it('is never over 2,000 pixels a side, and the stored file is the original', async () => {
    await show('<div style="height:4500px;background:linear-gradient(red,blue)">Tall</div>');
    const outcome = await oriel.done('browser_screenshot', { fullPage: true });
    const { file, height } = outcome.output as { file: { path: string }; height: number };
    expect(height).toBeGreaterThan(4_500);
    expect(readFileSync(file.path).readUInt32BE(20)).toBe(height);
    for (const part of outcome.content) {
      if (part.type !== 'image') continue;
      expect(Buffer.from(part.base64, 'base64').readUInt32BE(20)).toBeLessThanOrEqual(2_000);
    }
  });
});

describe('V07: text that could break a reader', () => {
  it.each([
    ['lone surrogates', '\\ud800 and \\udc00'],
    ['NUL and controls', 'a\\u0000b\\u001b[31mc\\u0007'],
    ['marks of direction', 'a\\u202eb\\u2066c\\u200f'],
  ])('is harmless: %s', async (_what, text) => {
    await show(
      `<button id=b></button><p id=p></p><script>const t = '${text}'; document.title = t; b.textContent = 'x' + t; p.textContent = 'y' + t; console.error(t)</script>`,
    );
    for (const [tool, input] of [
      ['browser_snapshot', {}],
      ['browser_read', {}],
      ['browser_evaluate', { function: '() => document.title' }],
      ['browser_click', { target: '#b' }],
      ['browser_console', {}],
    ] as const) {
      const shown = textOf(await oriel.done(tool, input));
      expect(shown.isWellFormed(), tool).toBe(true);
      // eslint-disable-next-line no-control-regex -- these are the characters that must not be there
      expect(shown, tool).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u200f\u202e\u2066]/);
    }
  });
});
