import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOrielError } from '../../src/kernel/errors.ts';
import type { OrielError } from '../../src/kernel/errors.ts';
import { click, log, openBench, refOf, SIGNAL } from './harness.ts';
import type { Bench } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const SCRIPT = `<script>window.log = []; const hit = (what) => log.push(what);</script>`;

async function refusal(act: Promise<unknown>): Promise<OrielError> {
  const error = await act.then(
    (value) => new Error(`was not refused: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!isOrielError(error)) throw error;
  return error;
}

const ROWS = `${SCRIPT}<table>${['Ann', 'Bob', 'Cid', 'Dan']
  .map((name) => `<tr><td>${name}<td><button onclick="hit('${name}')">Delete</button></tr>`)
  .join('')}</table>`;

describe('the same element', () => {
  test('of several with the same name is the one that is clicked', async () => {
    const page = await bench.page(ROWS);
    const snapshot = await bench.lens.snapshot(page);
    for (const index of [2, 0, 3])
      await click(bench.lens, page, refOf(snapshot, 'button', 'Delete', index));
    expect(await log(page)).toEqual(['Cid', 'Ann', 'Dan']);
  });

  test('is clicked wherever the document has moved it since', async () => {
    const page = await bench.page(ROWS);
    const snapshot = await bench.lens.snapshot(page);
    await page.evaluate(
      `const body = document.querySelector('tbody'); body.append(...[...body.rows].toReversed())`,
    );
    const verdict = await click(bench.lens, page, refOf(snapshot, 'button', 'Delete', 1));
    expect(verdict).toMatchObject({ state: 'delivered', healed: false, connected: true });
    expect(verdict.events).toContain('click');
    expect(await log(page)).toEqual(['Bob']);
  });

  test('in open shadow roots, slots and presentational wrappers is the one that is clicked', async () => {
    const page = await bench.page(`${SCRIPT}
      <x-a data-n=one><span>One</span></x-a><x-a data-n=two><span>Two</span></x-a>
      <div role=presentation><p role=none><button onclick="hit('plain')">Go</button></p></div>
      <script>for (const host of document.querySelectorAll('x-a')) {
        const root = host.attachShadow({mode: 'open'});
        root.innerHTML = '<section><slot></slot><x-b></x-b></section>';
        const inner = root.querySelector('x-b').attachShadow({mode: 'open'});
        inner.innerHTML = '<button>Go</button>';
        inner.querySelector('button').onclick = () => hit(host.dataset.n);
      }</script>`);
    const snapshot = await bench.lens.snapshot(page);
    for (const index of [1, 0, 2])
      await click(bench.lens, page, refOf(snapshot, 'button', 'Go', index));
    expect(await log(page)).toEqual(['two', 'one', 'plain']);
  });

  test('under aria-owns is listed where it is owned and clicked as itself', async () => {
    const page = await bench.page(`${SCRIPT}
      <div role=group aria-label=Second aria-owns="b"></div><div role=group aria-label=First aria-owns="a"></div>
      <button id=a onclick="hit('a')">Act</button><button id=b onclick="hit('b')">Act</button>`);
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.text.indexOf('Second')).toBeLessThan(snapshot.text.indexOf('First'));
    await click(bench.lens, page, refOf(snapshot, 'button', 'Act', 0));
    await click(bench.lens, page, refOf(snapshot, 'button', 'Act', 1));
    expect(await log(page)).toEqual(['b', 'a']);
  });

  test('in frames of the same and another origin, nested, is the one that is clicked', async () => {
    const button = (what: string) =>
      `<body>${SCRIPT}<button onclick="parent.postMessage('${what}', '*')">Save</button>`;
    bench.serve('/leaf', button('leaf'));
    bench.serve('/same', button('same'));
    const { there } = bench.serve('/leaf', button('leaf'));
    const other = bench.serve(
      '/other',
      `${button('other')}<iframe src="${there}"></iframe><script>onmessage = (e) => parent.postMessage(e.data, '*')</script>`,
    );
    const { here } = bench.serve(
      '/top',
      `${SCRIPT}<button onclick="hit('top')">Save</button><iframe src="/same"></iframe><iframe src="${other.there}" width=600 height=300></iframe><script>onmessage = (e) => hit(e.data)</script>`,
    );
    const page = await bench.page();
    await page.goto(here);
    const snapshot = await bench.lens.snapshot(page);
    const refs = [0, 1, 2, 3].map((index) => refOf(snapshot, 'button', 'Save', index));
    expect(refs.map((ref) => /^(f\d+)?/.exec(ref)?.[0]).filter(Boolean)).toHaveLength(3);
    for (const ref of [...refs].toReversed()) {
      expect(await click(bench.lens, page, ref)).toMatchObject({ state: 'delivered' });
    }
    await expect.poll(() => log(page)).toEqual(['leaf', 'other', 'same', 'top']);
  });
});

describe('an element that was replaced', () => {
  const keyed = (items: string[]) =>
    items.map((name) => `<li>${name} <button onclick="hit('${name}')">Buy</button></li>`).join('');

  test('by exactly one like it heals, and says so', async () => {
    const page = await bench.page(`${SCRIPT}<ul>${keyed(['Tea', 'Milk', 'Rum'])}</ul>`);
    const snapshot = await bench.lens.snapshot(page);
    await page.evaluate(
      (html) => {
        (
          globalThis as unknown as { document: { querySelector(s: string): { innerHTML: string } } }
        ).document.querySelector('ul').innerHTML = html;
      },
      keyed(['Rum', 'Tea', 'Milk']),
    );
    expect(await click(bench.lens, page, refOf(snapshot, 'button', 'Buy', 1))).toMatchObject({
      state: 'delivered',
      healed: true,
    });
    expect(await log(page)).toEqual(['Milk']);
  });

  test('by two like it is ambiguous, and both are listed', async () => {
    const page = await bench.page(
      `${SCRIPT}<div id=a><button onclick="hit('first')">Pay</button></div>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    await page.evaluate(
      `document.querySelector('#a').innerHTML = '<button onclick="hit(1)">Pay</button><button onclick="hit(2)">Pay</button>'`,
    );
    const error = await refusal(click(bench.lens, page, refOf(snapshot, 'button', 'Pay')));
    expect(error.code).toBe('ambiguous_ref');
    expect(error.details?.['candidates']).toHaveLength(2);
    expect(await log(page)).toEqual([]);
  });

  test('and is gone is stale at once, without waiting for the deadline', async () => {
    const page = await bench.page(ROWS);
    const snapshot = await bench.lens.snapshot(page);
    const ref = refOf(snapshot, 'button', 'Delete', 2);
    await page.evaluate(`document.querySelectorAll('tr')[2].remove()`);
    const startedAt = performance.now();
    const error = await refusal(click(bench.lens, page, ref));
    expect(error.code).toBe('stale_ref');
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(await log(page)).toEqual([]);
  });

  test('is not mistaken for a twin that was there before', async () => {
    const page = await bench.page(
      `${SCRIPT}<div><button onclick="hit('a')">Pay</button></div><p>between</p><div><button onclick="hit('b')">Pay</button></div>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    const ref = refOf(snapshot, 'button', 'Pay', 0);
    await page.evaluate(`document.querySelector('button').remove()`);
    expect((await refusal(click(bench.lens, page, ref))).code).toBe('stale_ref');
    // The twin itself is replaced: still nobody knows which of the two it stands for.
    await page.evaluate(
      `document.querySelectorAll('div')[1].innerHTML = '<button onclick="hit(3)">Pay</button>'`,
    );
    expect((await refusal(click(bench.lens, page, ref))).code).toBe('stale_ref');
    expect(await log(page)).toEqual([]);
  });
});

describe('an element with another meaning', () => {
  test('is refused with what it was and what it is', async () => {
    const page = await bench.page(`${SCRIPT}<button onclick="hit(this.textContent)">Save</button>`);
    const snapshot = await bench.lens.snapshot(page);
    const ref = refOf(snapshot, 'button', 'Save');
    await page.evaluate(`document.querySelector('button').textContent = 'Delete'`);
    const error = await refusal(click(bench.lens, page, ref));
    expect(error.code).toBe('changed_ref');
    expect(error.details).toMatchObject({
      was: { name: 'Save' },
      now: { name: 'Delete', role: 'button' },
    });
    expect(await log(page)).toEqual([]);
    const now = (error.details?.['now'] as { ref: string }).ref;
    expect(now).not.toBe(ref);
    await click(bench.lens, page, now);
    expect(await log(page)).toEqual(['Delete']);
  });

  test('keeps being refused under its old ref after a newer snapshot', async () => {
    const page = await bench.page(`${SCRIPT}<button onclick="hit(this.textContent)">Save</button>`);
    const old = refOf(await bench.lens.snapshot(page), 'button', 'Save');
    await page.evaluate(`document.querySelector('button').textContent = 'Delete'`);
    const now = refOf(await bench.lens.snapshot(page), 'button', 'Delete');
    expect(now).not.toBe(old);
    expect((await refusal(click(bench.lens, page, old))).code).toBe('changed_ref');
    expect(await log(page)).toEqual([]);
  });

  test('in a row that a virtual list has recycled is refused', async () => {
    const page =
      await bench.page(`${SCRIPT}<div id=list>${['Ann', 'Bob', 'Cid'].map((n) => `<div class=row><span>${n}</span><button>Delete</button></div>`).join('')}</div>
      <script>for (const b of document.querySelectorAll('button')) b.onclick = () => hit(b.parentNode.firstChild.textContent);
      const recycle = () => { let i = 0; for (const s of document.querySelectorAll('span')) s.textContent = ['Eve', 'Fay', 'Ann'][i++]; };</script>`);
    const snapshot = await bench.lens.snapshot(page);
    const ref = refOf(snapshot, 'button', 'Delete', 0);
    await page.evaluate('recycle()');
    const error = await refusal(click(bench.lens, page, ref));
    expect(error.code).toBe('changed_ref');
    // The one that Ann's button is now is offered.
    const [candidate] = error.details?.['candidates'] as { ref: string; near: string }[];
    expect(candidate?.near).toContain('Ann');
    await click(bench.lens, page, candidate?.ref ?? '');
    expect(await log(page)).toEqual(['Ann']);
  });

  test('tells rows apart by whole numbers, and is not upset by clocks and prices', async () => {
    const page = await bench.page(
      `${SCRIPT}<ul><li>Order 1001 <i>12:00:01</i> <b>€ 10.50</b> (3) 2 min ago <button onclick="hit('ok')">Cancel</button></li><li>Order 7<button>x</button></li></ul>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    const ref = refOf(snapshot, 'button', 'Cancel');
    await page.evaluate(
      `document.querySelector('i').textContent = '12:00:59'; document.querySelector('b').textContent = '€ 11.25'`,
    );
    await click(bench.lens, page, ref);
    await page.evaluate(`document.querySelector('li').firstChild.data = 'Order 1002 '`);
    expect((await refusal(click(bench.lens, page, ref))).code).toBe('changed_ref');
    expect(await log(page)).toEqual(['ok']);
  });
});

describe('while Playwright waits', () => {
  const relabel = `const b = document.querySelector('#b'); b.textContent = 'Delete'`;
  const cases: Record<string, string> = {
    covered: `<div id=cover style="position:fixed;inset:0;background:#fff9"></div><script>setTimeout(() => { ${relabel}; cover.remove(); }, 600)</script>`,
    'covered, relabelled only after it shows': `<div id=cover style="position:fixed;inset:0"></div><script>setTimeout(() => { cover.remove(); ${relabel} }, 600)</script>`,
    disabled: `<script>document.querySelector('#b').disabled = true; setTimeout(() => { ${relabel}; b.disabled = false; }, 600)</script>`,
    animating: `<script>{ const b = document.querySelector('#b'); b.style.position = 'relative'; let x = 0; const move = () => { b.style.left = (x += 7) % 300 + 'px'; if (x < 3000) requestAnimationFrame(move); }; move(); setTimeout(() => { x = 9000; ${relabel} }, 600) }</script>`,
    hidden: `<script>document.querySelector('#b').style.visibility = 'visible'; setTimeout(() => document.querySelector('#b').style.display = 'none', 120); setTimeout(() => { ${relabel}; b.style.display = '' }, 600)</script>`,
  };
  for (const [name, extra] of Object.entries(cases)) {
    test(`a button that is ${name} and turns from Save into Delete is never clicked`, async () => {
      const page = await bench.page(
        `${SCRIPT}<button id=b>Save</button><script>for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) document.querySelector('#b').addEventListener(type, () => hit(type + ' ' + b.textContent))</script><template>${extra}</template>`,
      );
      const ref = refOf(await bench.lens.snapshot(page), 'button', 'Save');
      await page.evaluate(`{
        const range = document.createRange(); range.selectNode(document.body);
        document.body.append(range.createContextualFragment(document.querySelector('template').innerHTML));
      }`);
      if (name === 'hidden') await page.waitForTimeout(150);
      const error = await refusal(click(bench.lens, page, ref));
      expect(error.code).toBe('changed_ref');
      expect((await log(page)).filter((entry) => /Delete/.test(entry))).toEqual([]);
      expect(await log(page)).toEqual([]);
    });
  }

  test('a field that turns into another is not filled', async () => {
    const page = await bench.page(
      `<label id=l for=f>Name</label><input id=f disabled><label id=m for=d>Born</label><input id=d type=date disabled><label id=n for=s>Colour</label><select id=s disabled><option>red<option>blue</select>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    const later = `setTimeout(() => { l.textContent = 'Card number'; m.textContent = 'Expires'; n.textContent = 'Currency'; for (const i of [f, d, s]) i.disabled = false }, 400)`;
    await page.evaluate(later);
    for (const [role, name, act] of [
      ['textbox', 'Name', 'fill:Ann'],
      ['textbox', 'Born', 'fill:2000-01-02'],
      ['combobox', 'Colour', 'select:blue'],
    ] as const) {
      await page.evaluate(
        `l.textContent = 'Name'; m.textContent = 'Born'; n.textContent = 'Colour'; for (const i of [f, d, s]) i.disabled = true; ${later}`,
      );
      const located = await bench.lens.locate(page, refOf(snapshot, role, name));
      const [verb, value = ''] = act.split(':');
      const acting =
        verb === 'fill' ? located.locator.fill(value) : located.locator.selectOption(value);
      const error = await refusal(
        acting.then(
          () => located.verdict(SIGNAL),
          (thrown: unknown) => {
            throw located.translate(thrown);
          },
        ),
      );
      expect(error.code).toBe('changed_ref');
    }
    expect(await page.evaluate('[f.value, d.value, s.value]')).toEqual(['', '', 'red']);
  });

  test('a key is not pressed on an element that has changed', async () => {
    const page = await bench.page(
      `${SCRIPT}<button id=b onclick="hit(b.textContent)" onfocus="b.textContent = 'Delete'">Save</button>`,
    );
    const located = await bench.lens.locate(
      page,
      refOf(await bench.lens.snapshot(page), 'button', 'Save'),
    );
    await located.locator.press('Enter');
    expect((await refusal(located.verdict(SIGNAL))).code).toBe('changed_ref');
    expect(await log(page)).toEqual([]);
  });

  test('a label that the gesture itself changes is no swap', async () => {
    const page = await bench.page(
      `${SCRIPT}<button id=b onpointerdown="b.textContent = 'Hold…'" onclick="hit('click')">Press</button>`,
    );
    const ref = refOf(await bench.lens.snapshot(page), 'button', 'Press');
    expect(await click(bench.lens, page, ref)).toMatchObject({ state: 'delivered' });
    expect(await log(page)).toEqual(['click']);
  });
});

describe('refs', () => {
  test('are never given out twice in the life of a page', async () => {
    const { here } = bench.serve('/one', `${SCRIPT}<button onclick="hit('one')">Go</button>`);
    const two = bench.serve('/two', `${SCRIPT}<button onclick="hit('two')">Go</button>`);
    const page = await bench.page();
    const seen = new Set<string>();
    for (const url of [here, two.here, here, two.there]) {
      await page.goto(url);
      const ref = refOf(await bench.lens.snapshot(page), 'button', 'Go');
      expect(seen.has(ref)).toBe(false);
      for (const old of seen)
        expect((await refusal(click(bench.lens, page, old))).code).toBe('stale_ref');
      seen.add(ref);
    }
    expect(await log(page)).toEqual([]);
  });

  test('stay apart when a navigation overtakes a scan', async () => {
    const pages = ['a', 'b', 'c', 'd'].map(
      (what) =>
        bench.serve(
          `/race-${what}`,
          `${SCRIPT}${'<p>text</p>'.repeat(300)}<button style="position:fixed;top:0" onclick="hit('${what}')">Go ${what}</button>`,
        ).here,
    );
    const page = await bench.page();
    const named = new Map<string, string>();
    for (let round = 0; round < 12; round++) {
      const scans = [bench.lens.snapshot(page).catch(() => undefined)];
      const going = page.goto(pages[round % 4] ?? '');
      scans.push(bench.lens.snapshot(page).catch(() => undefined));
      await going;
      scans.push(bench.lens.snapshot(page));
      for (const snapshot of await Promise.all(scans)) {
        for (const node of snapshot ? [...snapshot.tree] : []) {
          if (node.role !== 'button' || node.ref === undefined) continue;
          const meaning = `${snapshot?.url} ${node.name}`;
          expect(named.get(node.ref) ?? meaning).toBe(meaning);
          named.set(node.ref, meaning);
        }
      }
    }
    expect(named.size).toBeGreaterThan(3);
  });

  test('of an older snapshot that ends after a newer one still mean what they meant', async () => {
    const page = await bench.page(ROWS);
    const [first, second] = await Promise.all([
      bench.lens.snapshot(page),
      bench.lens.snapshot(page),
    ]);
    expect(refOf(first, 'button', 'Delete', 3)).toBe(refOf(second, 'button', 'Delete', 3));
    await click(bench.lens, page, refOf(first, 'button', 'Delete', 3));
    expect(await log(page)).toEqual(['Dan']);
  });
});
