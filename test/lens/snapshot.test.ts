import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { refsIn } from '../../src/lens/render.ts';
import { click, find, log, openBench, refOf, SIGNAL } from './harness.ts';
import type { Bench } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const row = (index: number) =>
  `<tr><td>${index}<td><a href="/users/${index}">User ${index}</a><td>user${index}@example.com<td><button>Delete</button></tr>`;
const TABLE = `<h1>Users</h1><nav aria-label=Main><a href=/>Home</a></nav><table>${Array.from({ length: 1_000 }, (_, i) => row(i)).join('')}</table><footer><h2>Contact</h2><a href=/imprint>Imprint</a></footer>`;
const FORM = `<h1>Sign up</h1><form aria-label=Account>${Array.from({ length: 50 }, (_, i) => `<p><label for=f${i}>Field number ${i}</label> ${i % 7 === 0 ? `<select id=f${i}><option>red<option>green<option>blue</select>` : i % 5 === 0 ? `<input type=checkbox id=f${i}>` : `<input id=f${i} name=f${i}${i % 3 ? '' : ' required'}>`}</p>`).join('')}<button>Send</button></form>`;
const DEEP = `${'<div>'.repeat(5_000)}<button>Bottom</button>${'</div>'.repeat(5_000)}`;

describe('the budget', () => {
  test('holds for a table of 1,000 rows, which says how many rows are left and opens them', async () => {
    const page = await bench.page(TABLE);
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.text.length).toBeLessThanOrEqual(4_000);
    expect(snapshot.text).toContain('- link "User 0" [ref=');
    const fold = /… (\d+) more rows \(expand=(r\d+)\.(\d+)\)/.exec(snapshot.text);
    expect(Number(fold?.[1]) + Number(fold?.[3])).toBe(1_000);
    expect(snapshot.text).toContain('heading "Contact"');
    expect(snapshot.truncated).toBe(true);
    const opened = await bench.lens.snapshot(page, { expand: `${fold?.[2]}.990` });
    expect(find(opened, 'link').map((node) => node.name)).toEqual(
      Array.from({ length: 10 }, (_, i) => `User ${990 + i}`),
    );
    // An earlier ref lives on after a partial snapshot.
    expect(refOf(await bench.lens.snapshot(page), 'link', 'User 0')).toBe(
      refOf(snapshot, 'link', 'User 0'),
    );
  });

  test('holds for a form of 50 fields, all of which are there when the viewport holds them', async () => {
    const page = await bench.page(FORM);
    await page.setViewportSize({ width: 1_000, height: 2_400 });
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.text.length).toBeLessThanOrEqual(3_000);
    expect(
      find(snapshot, 'textbox').length +
        find(snapshot, 'checkbox').length +
        find(snapshot, 'combobox').length,
    ).toBe(50);
  });

  test('holds for 2,000 nested elements and for 300 nested lists', async () => {
    const page = await bench.page();
    await page.setContent('<main></main>');
    // The parser flattens what is nested deeper than 512, so the tree is built by script (at 5,000 the renderer itself crashes).
    for (const tags of [['div'], ['ul', 'li']]) {
      await page.evaluate(`{
        let at = document.querySelector('main'); at.textContent = '';
        for (let i = 0; i < ${tags.length === 1 ? 2000 : 600}; i++) { const e = document.createElement(${JSON.stringify(tags)}[i % ${tags.length}]); at.append(e); at = e; }
        at.innerHTML = '<button>Bottom</button>';
      }`);
      const snapshot = await bench.lens.snapshot(page);
      expect(snapshot.text.length).toBeLessThanOrEqual(3_000);
      expect(parse(snapshot.text)).toBeTruthy();
      if (tags.length === 1) expect(snapshot.text).toContain('button "Bottom"');
      else expect(snapshot.text).toMatch(/deeper content \(expand=/);
      const found = await bench.lens.snapshot(page, { query: 'bottom' });
      expect(find(found, 'button', 'Bottom')).toHaveLength(1);
    }
    await page.setContent(DEEP);
    expect((await bench.lens.snapshot(page)).text.length).toBeLessThanOrEqual(3_000);
  });

  test('holds at every size, as valid YAML that names what is missing', async () => {
    const page = await bench.page(`${FORM}${TABLE}`);
    for (const budget of [200, 300, 700, 1_500, 3_000, 6_000, 20_000]) {
      const { text, truncated, leftOut } = await bench.lens.snapshot(page, { budget });
      expect(text.length).toBeLessThanOrEqual(budget);
      expect(Array.isArray(parse(text))).toBe(true);
      expect(truncated).toBe(true);
      expect(leftOut.length).toBeGreaterThan(0);
      expect(text).toMatch(/expand=|budget=/);
    }
  });

  test('holds for 20,000 nodes in a fraction of the time a walk over all would take', async () => {
    const page = await bench.page(
      Array.from(
        { length: 40 },
        (_, i) =>
          `<section><h2>Part ${i}</h2>${Array.from({ length: 100 }, (_, j) => `<div><p>Text ${j} <b>bold</b></p><a href=#>link</a><span>more</span></div>`).join('')}</section>`,
      ).join(''),
    );
    // Processor time of the renderer, so that a busy machine does not count.
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const used = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0) * 1_000;
    };
    await bench.lens.snapshot(page);
    const times: number[] = [];
    for (let i = 0; i < 7; i++) {
      const before = await used();
      const { text } = await bench.lens.snapshot(page);
      times.push(Math.round((await used()) - before));
      expect(text.length).toBeLessThanOrEqual(6_000);
    }
    console.log(`20,000 elements, processor time of the renderer: ${times.join(', ')} ms`);
    expect(times.toSorted((x, y) => x - y)[3]).toBeLessThanOrEqual(60);
  });

  test('is not needed for all of a page: full gives everything', async () => {
    const page = await bench.page(TABLE);
    const snapshot = await bench.lens.snapshot(page, { full: true });
    expect(find(snapshot, 'link')).toHaveLength(1_002);
    expect(find(snapshot, 'button', 'Delete')).toHaveLength(1_000);
    expect(snapshot.truncated).toBe(false);
    expect(new Set(refsIn(snapshot.text)).size).toBe(snapshot.stats.refs);
    expect(parse(snapshot.text)).toBeTruthy();
  });
});

describe('what is shown', () => {
  test('follows the scroll position, with what is above and below in outline', async () => {
    const page = await bench.page(
      Array.from(
        { length: 30 },
        (_, i) =>
          `<section><h2>Chapter ${i}</h2><p style="height:300px">Text of ${i}</p><button>Like ${i}</button></section>`,
      ).join(''),
    );
    await page.evaluate('scrollTo(0, 4500)');
    const snapshot = await bench.lens.snapshot(page);
    const inView = find(snapshot, 'button').map((node) => node.name);
    expect(inView).toContain('Like 13');
    expect(inView).not.toContain('Like 0');
    expect(snapshot.rest.map((part) => part.where).toSorted()).toEqual(['above', 'below']);
    expect(snapshot.text).toContain('heading "Chapter 0"');
    expect(snapshot.text).toContain('heading "Chapter 29"');
    const below = snapshot.rest.find((part) => part.where === 'below');
    expect((await bench.lens.snapshot(page, { expand: below?.handle ?? '' })).text).toContain(
      'button "Like 29"',
    );
    // A heading stands for its section.
    const heading = refOf({ ...snapshot, tree: below?.outline ?? [] }, 'heading', 'Chapter 29');
    expect((await bench.lens.snapshot(page, { target: heading })).text).toContain('Text of 29');
  });

  test('begins with the modal dialog, and leaves the page behind it for later', async () => {
    const page = await bench.page(
      `<h1>Shop</h1><a href=#>Buy</a><dialog><h2>Cookies</h2><button>Accept</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.modal).toBe(true);
    expect(snapshot.text.startsWith('- dialog')).toBe(true);
    expect(snapshot.text).toMatch(/behind the dialog .*expand=/);
    expect(find(snapshot, 'link')).toEqual([]);
  });

  test('begins with an open popover or dialog wherever it hangs in the tree', async () => {
    const page = await bench.page(
      `<h1>Shop</h1><p>text</p><div role=dialog aria-label=Consent style="position:fixed;bottom:0"><button>Agree</button></div>`,
    );
    expect((await bench.lens.snapshot(page)).text.startsWith('- dialog "Consent"')).toBe(true);
  });

  test('explains itself when it is empty', async () => {
    const page = await bench.page();
    expect((await bench.lens.snapshot(page)).empty).toMatch(/blank/);
    await page.setContent('<div hidden>secret</div>');
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.empty).toMatch(/hidden/);
    expect(snapshot.text).toMatch(/^- … /);
    expect((await bench.lens.snapshot(page, { query: 'nothing' })).empty).toMatch(/matches/);
  });

  test('names states, values with their trailing spaces, and never a password', async () => {
    const page =
      await bench.page(`<label>A <input value="two  spaces  "></label><label>P <input type=password value=hunter2></label>
      <label><input type=checkbox checked> On</label><label><input type=radio> Off</label><button aria-pressed=true aria-expanded=false aria-haspopup=menu>M</button>
      <button disabled>D</button><fieldset disabled><input aria-label=in-fieldset></fieldset><input aria-label=R readonly required aria-invalid=true value=x><h3>H</h3><a href=# aria-current=page>C</a>
      <select aria-label=S><option>one<option selected>two</select><input type=range aria-label=V value=30><textarea aria-label=T>line1\nline2</textarea><div contenteditable aria-label=E>edit me</div>`);
    await page.focus('textarea');
    const { text } = await bench.lens.snapshot(page);
    expect(text).toContain('- textbox "A" [ref=e1]: "two  spaces  "');
    expect(text).not.toContain('hunter2');
    expect(text).toMatch(/textbox "P" \[password=filled\]/);
    expect(text).toMatch(/checkbox "On" \[checked\]/);
    expect(text).toMatch(/radio "Off" \[ref/);
    expect(text).toMatch(/button "M" \[pressed\] \[expanded=false\] \[haspopup=menu\]/);
    expect(text).toMatch(/button "D" \[disabled\]/);
    expect(text).toMatch(/textbox "in-fieldset" \[disabled\]/);
    expect(text).toMatch(/textbox "R" \[readonly\] \[required\] \[invalid\] \[ref=e\d+\]: x/);
    expect(text).toMatch(/heading "H" \[level=3\]/);
    expect(text).toMatch(/link "C" \[current=page\]/);
    expect(text).toMatch(
      /combobox "S" \[ref=e\d+\]:\n\s+- \/options: "one \| two"\n\s+- text: two/,
    );
    expect(text).toMatch(/slider "V" \[ref=e\d+\]: "30"/);
    expect(text).toMatch(/textbox "T" \[active\] \[ref=e\d+\]: "line1\\nline2"/);
    expect(text).toMatch(/textbox "E" \[ref=e\d+\]: edit me/);
  });

  test('marks what is new since the last snapshot of the same document', async () => {
    const page = await bench.page('<main><button>Old</button></main>');
    expect((await bench.lens.snapshot(page)).text).not.toContain('[new]');
    await page.evaluate(
      `document.querySelector('main').insertAdjacentHTML('beforeend', '<button>Fresh</button>')`,
    );
    const { text } = await bench.lens.snapshot(page);
    expect(text).toMatch(/button "Fresh" .*\[new\]/);
    expect(text).not.toMatch(/button "Old" .*\[new\]/);
    expect((await bench.lens.snapshot(page)).text).not.toContain('[new]');
  });

  test('marks a covered control, and tells what covers it and how to take it away', async () => {
    const page = await bench.page(
      `<button>Buy</button><div id=banner style="position:fixed;inset:0;background:white" aria-label="Cookie notice" role=dialog>We use cookies <a href=#>Policy</a> <button>Accept all</button></div>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.text).toMatch(/button "Buy" \[ref=e\d+\] \[covered\]/);
    const cover = await bench.lens.cover(page, refOf(snapshot, 'button', 'Buy'));
    expect(cover).toMatchObject({ covered: true, by: { role: 'dialog', name: 'Cookie notice' } });
    expect(cover.ways[0]).toMatchObject({
      name: 'Accept all',
      ref: refOf(snapshot, 'button', 'Accept all'),
    });
  });
});

describe('text that no person can see', () => {
  const HIDDEN: Record<string, string> = {
    'not displayed': '<p style="display:none">TRAP</p>',
    invisible: '<p style="visibility:hidden">TRAP</p>',
    transparent: '<p style="opacity:0">TRAP</p>',
    'transparent through an ancestor': '<div style="opacity:0"><p><b>TRAP</b></p></div>',
    'of no size': '<p style="font-size:0">TRAP</p>',
    'in a box of no size': '<div style="width:0;height:0;overflow:hidden"><p>TRAP</p></div>',
    'in the colour of the ground':
      '<div style="background:#123456"><p style="color:#123456">TRAP</p></div>',
    'white on the white page': '<p style="color:white">TRAP</p>',
    'without colour': '<p style="color:transparent">TRAP</p>',
    'left of the page': '<p style="position:absolute;left:-9999px">TRAP</p>',
    'indented away': '<p style="text-indent:-9999px">TRAP</p>',
    clipped: '<p style="position:absolute;clip-path:inset(50%)">TRAP</p>',
    'hidden from assistive technology': '<p aria-hidden=true>TRAP</p>',
    'in a closed part': '<details><summary>Sum</summary>TRAP</details>',
    'in an inert part': '<div inert>TRAP</div>',
  };
  for (const [how, html] of Object.entries(HIDDEN)) {
    test(`because it is ${how} is left out and counted`, async () => {
      const page = await bench.page(`<p>Seen</p>${html}`);
      for (const options of [{}, { full: true }, { query: '/./' }]) {
        const snapshot = await bench.lens.snapshot(page, options);
        expect(snapshot.text).toContain('Seen');
        expect(snapshot.text).not.toContain('TRAP');
        expect(snapshot.stats.hidden).toBeGreaterThan(0);
      }
    });
  }

  test('is not confused with text that merely looks unusual', async () => {
    const page = await bench.page(
      `<div style="background:#000"><p style="color:#fff">white on black</p></div><p style="color:#777">grey</p><div style="opacity:.3">faint</div><div style="background:url(data:,) red"><p style="color:red">on a picture</p></div><div style="visibility:hidden"><b style="visibility:visible">shown again</b></div>`,
    );
    const { text } = await bench.lens.snapshot(page);
    for (const seen of ['white on black', 'grey', 'faint', 'on a picture', 'shown again'])
      expect(text).toContain(seen);
  });
});

describe('elements without a role', () => {
  test('that a person would click are found, once each', async () => {
    const page =
      await bench.page(`<style>.p { cursor: pointer }</style><script>window.log = []; const hit = (what) => log.push(what)</script>
      <div class=p onclick="hit('card')"><h3>Card title</h3><p>Body <span>text</span></p></div>
      <p>Read <span class=p id=w1>first</span> and <span class=p id=w2>second</span> words.</p>
      <div><span id=minus>-</span><span id=qty>3</span><span id=plus>+</span></div>
      <div class=p id=bar><span>Reply</span><span>Forward</span></div>
      <div id=track style="width:200px;height:8px;background:#ccc"><div id=handle class="slider-handle" style="width:12px;height:12px;background:#333"></div></div>
      <div tabindex=0>Focusable</div><a class=p>No href</a>
      <script>for (const id of ['w1', 'w2', 'minus', 'plus']) document.getElementById(id).addEventListener('click', () => hit(id));
      document.getElementById('handle').addEventListener('pointerdown', () => hit('handle'));
      document.getElementById('bar').parentNode.addEventListener('click', (e) => { if (e.target.closest('#bar')) hit(e.target.textContent) });</script>`);
    const snapshot = await bench.lens.snapshot(page);
    const clickable = find(snapshot, 'generic').filter((node) => node.flags.includes('clickable'));
    const names = clickable.map((node) => node.name);
    expect(names.filter((name) => name?.startsWith('Card title'))).toHaveLength(1);
    for (const name of ['first', 'second', '-', '+', 'Reply', 'Forward', 'Focusable', 'No href']) {
      expect(names.filter((one) => one === name)).toHaveLength(1);
    }
    expect(names).not.toContain('3');
    expect(names.some((name) => /slider handle/.test(name ?? ''))).toBe(true);
    expect(clickable).toHaveLength(10);
    for (const name of ['second', '+', 'Forward', '-', 'Reply'])
      await click(bench.lens, page, clickable.find((node) => node.name === name)?.ref ?? '');
    expect(await log(page)).toEqual(['w2', 'plus', 'Forward', 'minus', 'Reply']);
  });

  test('are found by their listeners in shadow roots and frames, whose nodes stay what they are', async () => {
    bench.serve(
      '/inner',
      `<b id=b>inner</b><script>b.addEventListener('click', () => {})</script>`,
    );
    const { here } = bench.serve(
      '/listeners',
      `<div><i id=i>outer</i><iframe src="/inner"></iframe></div><x-s></x-s><script>i.addEventListener('click', () => {});
      const r = document.querySelector('x-s').attachShadow({mode: 'open'}); r.innerHTML = '<u>shadow</u>'; r.querySelector('u').addEventListener('click', () => {})</script>`,
    );
    const page = await bench.page();
    await page.goto(here);
    await bench.lens.snapshot(page);
    const snapshot = await bench.lens.snapshot(page);
    expect(
      find(snapshot, 'generic')
        .map((node) => node.name)
        .toSorted(),
    ).toEqual(['inner', 'outer', 'shadow']);
    const frame = page.frames()[1];
    expect(await frame?.evaluate('document.querySelector("b").firstChild instanceof Text')).toBe(
      true,
    );
    const session = await page.context().newCDPSession(page);
    const worlds: string[] = [];
    session.on('Runtime.executionContextCreated', ({ context }) => worlds.push(context.uniqueId));
    await session.send('Runtime.enable');
    expect(worlds).toHaveLength(4);
    for (const uniqueContextId of worlds) {
      const { result } = await session.send('Runtime.evaluate', {
        uniqueContextId,
        returnByValue: true,
        expression: 'document.body.firstElementChild instanceof Element',
      });
      expect(result.value).toBe(true);
    }
  });

  test('are not made of the parts of a real control, nor of delegation on the body', async () => {
    const page = await bench.page(
      `<button style="cursor:pointer"><span>Inner</span></button><a href=# style="cursor:pointer"><div><b>Link</b></div></a><div>plain <i>text</i></div><script>document.body.addEventListener('click', () => {}); document.addEventListener('click', () => {})</script>`,
    );
    expect(find(await bench.lens.snapshot(page), 'generic')).toEqual([]);
  });

  test('and icons without a name are named by the best that is known, and marked', async () => {
    const page = await bench.page(
      `<button><i class="fa fa-trash"></i></button><button><svg width=9 height=9><use href="#icon-search"></use></svg></button><button><img src="/img/arrow-left.png"></button><button class="btn btn-close"></button><button><svg width=9 height=9><title>Settings</title></svg></button>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    const buttons = find(snapshot, 'button');
    expect(buttons.map((node) => node.name)).toEqual([
      'trash',
      'icon search',
      'arrow left',
      'close',
      'Settings',
    ]);
    expect(buttons.map((node) => node.flags.includes('guessed'))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(snapshot.text).toMatch(/button "trash" \[ref=e\d+\].* \[name=guessed\]/);
  });
});

describe('what we cannot look into', () => {
  test('is named as what it is, with its box', async () => {
    const page =
      await bench.page(`<x-secret style="display:block;width:200px;height:40px"></x-secret><div id=host style="width:100px;height:20px"></div><canvas aria-label=Chart width=120 height=60></canvas><video width=90 height=60 controls></video><embed width=50 height=50><x-plain style="display:block;width:10px;height:10px"></x-plain>
      <script>document.querySelector('x-secret').attachShadow({mode:'closed'}).innerHTML = '<button>Hidden button</button>'; host.attachShadow({mode: 'closed'}).innerHTML = 'text'</script>`);
    const snapshot = await bench.lens.snapshot(page);
    expect(find(snapshot, 'closed-shadow-root').map((node) => node.tag)).toEqual([
      'x-secret',
      'div',
    ]);
    expect(snapshot.text).toMatch(/closed-shadow-root.* \[ref=e\d+\].* \[box=8,8,200,40\]/);
    expect(snapshot.text).toMatch(/canvas "Chart" \[ref=e\d+\].*\[box=/);
    expect(find(snapshot, 'video')).toHaveLength(1);
    expect(find(snapshot, 'plugin')).toHaveLength(1);
  });

  test('is marked when a frame does not answer, and the rest is not held up', async () => {
    bench.serve(
      '/busy',
      '<body>busy<script>onload = () => setTimeout(() => { for (;;); }, 50)</script>',
    );
    const slow = bench.serve('/slow', '<p>late</p>', { delayMs: 60_000 });
    const { here } = bench.serve(
      '/outer',
      `<h1>Outer</h1><iframe src="${slow.there.replace('/slow', '/busy')}" width=300 height=100></iframe><iframe src="${slow.here}" width=300 height=90></iframe>`,
    );
    const page = await bench.page();
    await page.goto(here, { waitUntil: 'commit' });
    await page.waitForTimeout(800);
    const startedAt = performance.now();
    const snapshot = await bench.lens.snapshot(page, { frameTimeoutMs: 700 });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(snapshot.text).toContain('heading "Outer"');
    expect(snapshot.text).toContain('did not answer');
    expect(snapshot.stats.framesSilent).toBe(1);
  });
});

describe('searching', () => {
  test('finds words and patterns anywhere, with the row around them and refs to act on', async () => {
    const page = await bench.page(TABLE);
    const snapshot = await bench.lens.snapshot(page, { query: 'user777@example' });
    expect(snapshot.stats.matches).toBe(1);
    expect(find(snapshot, 'button', 'Delete')).toHaveLength(1);
    expect(find(snapshot, 'link')[0]?.name).toBe('User 777');
    const pattern = await bench.lens.snapshot(page, { query: '/^User 99[0-4]$/' });
    expect(find(pattern, 'link').map((node) => node.name)).toEqual([
      'User 990',
      'User 991',
      'User 992',
      'User 993',
      'User 994',
    ]);
    await expect(bench.lens.snapshot(page, { query: '/(/' })).rejects.toMatchObject({
      code: 'bad_input',
    });
  });

  test('can be narrowed to controls, to a subtree and to a depth', async () => {
    const page = await bench.page(
      `<h1>T</h1><main aria-label=M><p>words</p><ul><li><a href=/a>A</a><button>B</button></li></ul></main><nav aria-label=N><a href=/n>N1</a></nav>`,
    );
    const snapshot = await bench.lens.snapshot(page);
    const controls = await bench.lens.snapshot(page, { interactive: true });
    expect(find(controls, 'paragraph')).toEqual([]);
    expect([...controls.tree].map((node) => node.name)).toEqual(['A', 'B', 'N1']);
    const part = await bench.lens.snapshot(page, { target: refOf(snapshot, 'main', 'M') });
    expect(part.text).toContain('link "A"');
    expect(part.text).not.toContain('N1');
    const flat = await bench.lens.snapshot(page, { depth: 1 });
    expect(flat.text).toMatch(/… deeper content \(target=e\d+\)/);
    expect(flat.text).not.toContain('link "A"');
    const boxed = await bench.lens.snapshot(page, { boxes: true });
    expect(boxed.text).toMatch(/button "B" \[ref=e\d+\] \[box=\d+,\d+,\d+,\d+\]/);
    const aria = await bench.lens.snapshot(page, { format: 'aria' });
    expect(aria.text).toContain('- heading "T" [level=1]');
    await expect(bench.lens.snapshot(page, { target: 'e999' })).rejects.toMatchObject({
      code: 'stale_ref',
    });
    await expect(bench.lens.snapshot(page, { expand: 'r999' })).rejects.toMatchObject({
      code: 'stale_ref',
    });
  });
});

describe('a page that lies', () => {
  test('by patching its own world changes nothing', async () => {
    const html = `<main><h1>Title</h1><button onclick="document.title += '!'">Go</button><a href="/x">Link</a></main>`;
    const plain = await bench.page(html);
    const expected = (await bench.lens.snapshot(plain)).text;
    const { here } = bench.serve(
      '/liar',
      `<script>
      for (const proto of [Element.prototype, Document.prototype, Node.prototype, HTMLElement.prototype, EventTarget.prototype, Array.prototype, String.prototype]) {
        for (const key of ['querySelectorAll', 'querySelector', 'getAttribute', 'getBoundingClientRect', 'checkVisibility', 'matches', 'closest', 'contains', 'childNodes', 'map', 'filter', 'push', 'trim', 'replace', 'elementFromPoint', 'createElement', 'getAttributeNames', 'compareDocumentPosition']) {
          if (key in proto && key !== 'push') try { Object.defineProperty(proto, key, { configurable: true, get() { return () => { throw new Error('lie') } } }) } catch {}
        }
      }
      window.getComputedStyle = () => { throw new Error('lie') }; JSON.stringify = () => '{}'; JSON.parse = () => ({});
      delete window.MutationObserver; delete window.WeakRef; window.Map = window.Set = window.WeakMap = undefined; window.Promise = undefined; performance.now = () => NaN; window.addEventListener = () => {};
    </script>${html}`,
    );
    const page = await bench.page();
    await page.goto(here);
    const snapshot = await bench.lens.snapshot(page);
    expect(snapshot.text).toBe(expected);
    expect(await click(bench.lens, page, refOf(snapshot, 'button', 'Go'))).toMatchObject({
      state: 'delivered',
    });
    expect((await bench.lens.snapshot(page)).title).toBe('!');
  });

  test('cannot see the lens, nor is anything written into it', async () => {
    const page = await bench.page(
      '<button>Go</button><script>window.seen = 0; new MutationObserver((r) => seen += r.length).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})</script>',
    );
    const before = await page.evaluate('document.documentElement.outerHTML');
    const snapshot = await bench.lens.snapshot(page);
    await click(bench.lens, page, refOf(snapshot, 'button', 'Go'));
    await page.locator('button').evaluate((button) => button.nodeName);
    expect(await page.evaluate('[seen, typeof orielLens]')).toEqual([0, 'undefined']);
    expect(await page.evaluate('document.documentElement.outerHTML')).toBe(before);
  });

  test('with names that imitate refs, or hold control characters, is read as text', async () => {
    const page = await bench.page('<button id=a></button><button>Real</button>');
    await page.evaluate(
      `a.textContent = 'x" [ref=e9]\\n- button "Fake" [ref=e1]\\u202e\\ud800\\u0007'`,
    );
    const { text } = await bench.lens.snapshot(page);
    expect(refsIn(text)).toHaveLength(2);
    expect(parse(text)).toHaveLength(2);
    expect(text).not.toMatch(/[\u0007\u202e]/);
  });
});

describe('targets', () => {
  test('are refs in every spelling, and selectors of every kind', async () => {
    const page = await bench.page(
      `<script>window.log = []</script><label>Mail <input id=mail></label><button data-testid=go onclick="log.push('go')">Go</button><button onclick="log.push('stop')">Stop</button>`,
    );
    const ref = refOf(await bench.lens.snapshot(page), 'button', 'Go');
    for (const target of [
      ref,
      `@${ref}`,
      `ref=${ref}`,
      'css=button >> nth=0',
      'text=Go',
      'role=button[name="Go"]',
      'xpath=//button[1]',
      '//button[1]',
      'testid=go',
      '[data-testid=go]',
    ]) {
      expect((await click(bench.lens, page, target)).state).toBe('delivered');
    }
    expect(await log(page)).toEqual(Array.from({ length: 10 }, () => 'go'));
    const field = await bench.lens.locate(page, 'label=Mail');
    await field.locator.fill('a@b ');
    expect(await field.verdict(SIGNAL)).toMatchObject({ state: 'delivered', value: 'a@b ' });
  });

  test('that match several elements are ambiguous, and list them', async () => {
    const page = await bench.page(
      `<p>One <button>Go</button></p><p>Two <button>Go</button></p><button hidden>Go</button>`,
    );
    const error: unknown = await bench.lens
      .locate(page, 'text=Go')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ambiguous_ref', details: { count: 2 } });
    const { candidates } = (error as { details: { candidates: { ref: string }[] } }).details;
    expect((await click(bench.lens, page, candidates[1]?.ref ?? '')).state).toBe('delivered');
  });

  test.each([
    [
      'changing',
      `let n = 0; const t = setInterval(() => { tick.textContent += 'x'; if (++n === 5) { clearInterval(t); bring() } }, 60)`,
    ],
    ['waiting for an answer', `fetch('/slow-answer').then(bring)`],
  ])('are given a moment while the page is %s', async (_how, script) => {
    const { here } = bench.serve(
      '/at-work',
      `<p id=tick></p><script>window.log = []; const bring = () => document.body.insertAdjacentHTML('beforeend', '<button id=late onclick="log.push(1)">Late</button>'); ${script}</script>`,
    );
    bench.serve('/slow-answer', '1', { delayMs: 500 });
    const page = await bench.page();
    bench.lens.watch(page);
    await page.goto(here);
    expect((await click(bench.lens, page, '#late')).state).toBe('delivered');
    expect(await log(page)).toEqual([1]);
  });

  test('that come late and are several are listed, none is taken', async () => {
    const { here } = bench.serve(
      '/twins',
      `<script>window.log = []; fetch('/slow-twins').then(() => { document.body.innerHTML = '<p>A <button onclick="log.push(1)">Late</button></p><p>B <button onclick="log.push(2)">Late</button></p>' })</script>`,
    );
    bench.serve('/slow-twins', '1', { delayMs: 300 });
    const page = await bench.page();
    bench.lens.watch(page);
    await page.goto(here);
    const refused = click(bench.lens, page, 'text=Late');
    await expect(refused).rejects.toMatchObject({
      code: 'ambiguous_ref',
      details: { count: 2 },
      pageText: expect.stringMatching(/button "Late" near "A Late" \[ref=e\d+\]\n.*near "B Late"/),
    });
    expect(await log(page)).toEqual([]);
  });

  test.each([
    ['text=Sav changes', /^most like it:\n- button "Save changes"/],
    ['role=button[name="Change save"]', /^most like it:\n- button "Save changes"/],
    ['#searchBox', /^most like it:\n- searchbox "Find goods"/],
    ['[data-testid=checkout-btn]', /^most like it:\n- link "Pay"/],
    ['label=Full name', /^most like it:\n- textbox "Your name"/],
    ['text=Subscribe now', /^most like it:\n- button "Subscribe" \[ref=f1e\d+\]/],
    ['text=Zebra crossing', undefined],
    ['css=.x7', undefined],
  ])(
    'that match nothing are refused at once, with what is most like them: %s',
    async (target, told) => {
      const page = await bench.page(`
      <button>Save changes</button><button>Cancel</button>
      <input type=search id=search-box aria-label="Find goods">
      <a href=/pay data-testid=checkout-button>Pay</a><label>Your name <input></label>
      <iframe srcdoc="<button>Subscribe</button>" width=300 height=100></iframe>
      <button style="display:none">Zebra</button>`);
      await page.frameLocator('iframe').locator('button').waitFor();
      // It was made a moment ago, and a page that has just changed is given time.
      await page.waitForTimeout(300);
      const startedAt = performance.now();
      const error = await bench.lens.locate(page, target).catch((thrown: unknown) => thrown);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expect(error).toMatchObject({
        code: 'not_found',
        hint: expect.stringContaining('browser_wait') as string,
      });
      const { pageText, details } = error as {
        pageText?: string;
        details: { candidates: { ref: string }[] };
      };
      if (told === undefined) {
        expect(pageText).toBeUndefined();
        return;
      }
      expect(pageText).toMatch(told);
      const [first] = details.candidates;
      await bench.lens.locate(page, first?.ref ?? '');
    },
  );

  test('that are nonsense are refused', async () => {
    const page = await bench.page('<p>Here</p>');
    for (const target of ['', 'role=', '>>', 'lens=e1', 'internal:control=enter-frame', '[[']) {
      await expect(bench.lens.locate(page, target)).rejects.toMatchObject({ code: 'bad_input' });
    }
  });
});
