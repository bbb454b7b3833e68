// Acting, through the whole core. What test/lens/identity.test.ts proves of refs (duplicates,
// reordering, re-rendering, virtual lists, navigation racing a scan, meaning that changes while
// an action waits, shadow roots, slots and frames) is not repeated here; batches are in
// src/tools/page/batch.test.ts, numbers of every kind in src/tool/input.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';
import { verifies } from '../harness/verifies.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
});
afterAll(() => oriel[Symbol.asyncDispose]());

let pages = 0;
async function show(html: string): Promise<void> {
  const path = `/acting-${++pages}`;
  oriel.fixtures.route(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await oriel.open(path);
}

/** The ref of the first line of a snapshot that has these words. */
async function refOf(words: string): Promise<string> {
  const text = textOf(await oriel.done('browser_snapshot', {}));
  const line = text.split('\n').find((one) => one.includes(words) && one.includes('[ref='));
  const ref = /\[ref=(\w+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`No ${words} in ${text}`);
  return ref;
}

const ROWS = `<ul id=list>${['Ada', 'Bob', 'Eve'].map((name) => `<li>${name} <button onclick="result.textContent += 'deleted ${name};'">Delete</button></li>`).join('')}</ul><p id=result></p>`;

describe('A01: the right element or a refusal that tells', () => {
  it('lists what a selector could mean, and each listed ref is that one', async () => {
    await show(ROWS);
    const { text } = await oriel.fails('ambiguous_ref', 'browser_click', {
      target: 'text=Delete',
    });
    const refs = [...text.matchAll(/- button "Delete" near "(\w+)[^"]*" \[ref=(e\d+)\]/g)];
    expect(refs.map(([, name]) => name)).toEqual(['Ada', 'Bob', 'Eve']);
    await oriel.done('browser_click', { target: refs[1]?.[2] });
    expect(await oriel.result()).toBe('deleted Bob;');
  });

  it('tells what a ref was and what it is now', async () => {
    await show(
      '<button onclick="result.textContent += this.textContent">Save</button><p id=result></p>',
    );
    const ref = await refOf('button "Save"');
    await oriel.raw().evaluate('document.querySelector("button").textContent = "Delete all"');
    const { text } = await oriel.fails('changed_ref', 'browser_click', { target: ref });
    expect(text).toContain('was: button "Save"');
    expect(text).toMatch(/is now: button "Delete all" \[ref=e\d+\]/);
    expect(await oriel.result()).toBe('');
  });

  it('lists the twins of an element that was replaced by two', async () => {
    await show('<div id=at><button>Pay</button></div><p id=result></p>');
    const ref = await refOf('button "Pay"');
    await oriel.raw().evaluate('at.innerHTML = "<button>Pay</button><button>Pay</button>"');
    const { text } = await oriel.fails('ambiguous_ref', 'browser_click', { target: ref });
    expect(text.match(/- button "Pay"[^\n]*\[ref=e\d+\]/g)).toHaveLength(2);
  });
});

describe('A02: a covered element', () => {
  it.each([
    ['a cover', '<div id=cover>Please wait</div>', /covered by .*Please wait/],
    [
      'a dialog with a way out',
      '<div id=cover role=dialog aria-label=Cookies><button onclick="cover.remove()">Accept</button></div>',
      /covered by dialog "Cookies" \[ref=e\d+\]\nit holds button "Accept" \[ref=(e\d+)\]/,
    ],
  ])('by %s is refused at once, naming it', async (_name, cover, told) => {
    await show(
      `<style>#cover{position:fixed;inset:0;background:#fffe}</style><button id=target onclick="result.textContent = 'clicked'">Save</button><p id=result></p>${cover}`,
    );
    const failed = await oriel.fails('not_actionable', 'browser_click', { target: '#target' });
    expect(failed.text).toMatch(told);
    expect(failed.tookMs).toBeLessThan(5_000);
    expect(await oriel.result()).toBe('');
    const way = told.exec(failed.text)?.[1];
    if (way === undefined) return;
    await oriel.done('browser_click', { target: way });
    await oriel.done('browser_click', { target: '#target' });
    expect(await oriel.result()).toBe('clicked');
  });
});

describe('A04: what is not ready yet', () => {
  it.each([
    ['disabled', '#enable', 'Enabled later;'],
    ['not shown', '#show', 'Shown later;'],
    ['moving', '#still', 'Stops moving later;'],
  ])('and %s is waited for', async (_how, target, clicked) => {
    await oriel.open('/delayed.html?ms=900');
    await oriel.done('browser_click', { target });
    expect(await oriel.result()).toBe(clicked);
  });

  it('and not there at all is for browser_wait: acting on it is refused at once', async () => {
    await oriel.open('/blank.html');
    const button = '<button onclick="result.textContent = 1">Added later</button><p id=result></p>';
    await oriel
      .raw()
      .evaluate(`setTimeout(() => { document.body.innerHTML = ${JSON.stringify(button)} }, 1500)`);
    const { error, tookMs } = await oriel.fails('not_found', 'browser_click', {
      target: 'text=Added later',
    });
    expect(tookMs).toBeLessThan(1_000);
    expect(error.hint).toContain('browser_wait');
    await oriel.done('browser_wait', { selector: 'text=Added later' });
    await oriel.done('browser_click', { target: 'text=Added later' });
    expect(await oriel.result()).toBe('1');
  });

  it('and out of view is scrolled to', async () => {
    await show(
      '<div style="height:9000px"></div><button onclick="result.textContent = scrollY > 1000">Far</button><p id=result></p>',
    );
    await oriel.done('browser_click', { target: 'text=Far' });
    expect(await oriel.result()).toBe('true');
  });
});

describe('A05: what stands in a field afterwards', () => {
  it.each([
    ['/controlled.html', '#name', 'Ada', 'Ada'],
    ['/controlled.html', '#upper', 'loud', 'LOUD'],
    ['/controlled.html', '#digits', '12a', ''],
    ['/controlled.html', '#frozen', 'warm', 'frozen'],
    ['/controlled.html', '#story', 'one\ntwo', 'one\ntwo'],
    ['/contenteditable.html', '#plain', 'New text', 'New text'],
    ['/contenteditable.html', '#rich', 'New text', 'New text'],
    ['/contenteditable.html', '#text-only', 'Words', 'Words'],
    ['/contenteditable.html', '#hosted', 'Modelled', 'Modelled'],
    ['/form-50.html', '#age', '42', '42'],
    ['/form-50.html', '#birthday', '2026-12-31', '2026-12-31'],
    ['/form-50.html', '#alarm', '13:45', '13:45'],
    ['/form-50.html', '#appointment', '2026-12-31T13:45', '2026-12-31T13:45'],
    ['/form-50.html', '#expiry', '2026-12', '2026-12'],
    ['/form-50.html', '#holiday', '2026-W53', '2026-W53'],
    ['/form-50.html', '#colour', '#1a2b3c', '#1a2b3c'],
    ['/form-50.html', '#volume', '7', '7'],
    ['/form-50.html', '#balance', '-45', '-45'],
    ['/form-50.html', '#initials', 'ABCD', 'ABC'],
  ])('%s %s: %j leaves %j', async (path, target, text, stands) => {
    if (!oriel.core.deps.sessions.all[0]?.current?.url.endsWith(path)) await oriel.open(path);
    const outcome = await oriel.done('browser_type', { target, text });
    expect(outcome.output).toMatchObject({ value: stands });
    expect(textOf(outcome)).toContain(`now holds ${JSON.stringify(stands)}`);
  });

  it('reaches the state of a page that controls its fields', async () => {
    await oriel.open('/controlled.html');
    await oriel.done('browser_type', { target: '#name', text: 'Ada' });
    await oriel.done('browser_type', { target: '#name', text: ' L', clear: false });
    const state = JSON.parse((await oriel.result('#state')) ?? '') as { name: string };
    expect(state.name).toBe('Ada L');
  });

  it('shows what a mask has made of it, key by key', async () => {
    await show(
      `<input id=phone oninput="const d = this.value.replace(/\\D/g, ''); this.value = d.length > 3 ? '(' + d.slice(0, 3) + ') ' + d.slice(3) : d">`,
    );
    const input = { target: '#phone', text: '5551234', slowly: true };
    const { output } = await oriel.done('browser_type', input);
    expect(output).toMatchObject({ value: '(555) 1234' });
  });
});

describe('A06: what is no plain control', () => {
  it('chooses from a list that exists only when it is open', async () => {
    await oriel.open('/dropdown.html');
    const opened = await oriel.done('browser_click', { target: '#fruit' });
    const ref = /option "Banana".*?\[ref=(e\d+)\]/.exec(textOf(opened))?.[1];
    expect(ref).toBeDefined();
    await oriel.done('browser_click', { target: ref });
    expect(await oriel.result()).toBe('chosen Banana');
  });

  it.each([
    ['HTML5 events', '#card', '#bin', 'dropped card'],
    ['pointer events', '#knob', '#dock', 'docked'],
  ])('drags by %s, and tells what that changed', async (_how, from, to, result) => {
    await oriel.open('/drag.html');
    const outcome = await oriel.done('browser_drag', { from, to });
    expect(await oriel.result()).toBe(result);
    expect(outcome.effect?.delta).toContain(result);
  });

  it.each([
    ['the viewport', { x: 80, y: 160 }, 'click 40,60 red'],
    ['a picture of half the size', { x: 120, y: 80, space: 0.5 }, 'click 200,60 green'],
    ['a picture of twice the size', { x: 760, y: 320, space: 2 }, 'click 340,60 blue'],
  ])('clicks a canvas at coordinates of %s', async (_of, { x, y, ...rest }, result) => {
    await oriel.open('/canvas.html');
    const view = oriel.raw().viewportSize() ?? { width: 0, height: 0 };
    const scale = 'space' in rest ? rest.space : undefined;
    const space = scale && { width: view.width * scale, height: view.height * scale };
    const outcome = await oriel.done('browser_click', { x, y, ...(space ? { space } : {}) });
    expect(await oriel.result()).toBe(result);
    expect(outcome.effect?.delta).toContain(result);
  });

  it('refuses a click that names no place, two, or one outside', async () => {
    await oriel.open('/canvas.html');
    for (const input of [
      {},
      { x: 5 },
      { y: 5 },
      { target: '#canvas', x: 5, y: 5 },
      { target: '#canvas', space: { width: 10, height: 10 } },
      { x: 5_000, y: 5 },
      { x: 11, y: 5, space: { width: 10, height: 10 } },
    ]) {
      await oriel.fails('bad_input', 'browser_click', input);
    }
    expect(await oriel.result()).toBe('');
  });
});

describe('every verb tells what it changed', () => {
  const PAGE = `<style>body{margin:0;height:4000px}#over{height:50px}#bar{position:fixed;bottom:0}</style>
    <div id=over role=button tabindex=0 aria-label=Over onmouseenter="say('entered')">Over</div>
    <p id=bar role=status>nothing</p><script>
    const say = (text) => { bar.textContent = text };
    onkeydown = (event) => say('key ' + event.key);
    onscroll = () => setTimeout(() => say('scrolled'), 30);
    oncontextmenu = (event) => { event.preventDefault(); say('menu') };
    ondblclick = () => say('double');
    </script>`;

  it.each([
    ['browser_press', { key: 'F2' }, 'key F2'],
    ['browser_press', { key: 'F4', target: '#over' }, 'key F4'],
    ['browser_scroll', { direction: 'down' }, 'scrolled'],
    ['browser_hover', { target: '#over' }, 'entered'],
    ['browser_mouse', { action: 'move', x: 30, y: 20 }, 'entered'],
    ['browser_mouse', { action: 'rightclick', x: 30, y: 200 }, 'menu'],
    ['browser_mouse', { action: 'dblclick', x: 30, y: 200 }, 'double'],
    ['browser_mouse', { action: 'wheel', x: 30, y: 200, deltaY: 300 }, 'scrolled'],
    ['browser_click', { x: 30, y: 200, count: 2 }, 'double'],
    ['browser_evaluate', { function: '() => say("evaluated")' }, 'evaluated'],
    [
      'browser_evaluate',
      {
        function:
          '() => { setTimeout(() => say("later"), 40); return fetch("/poll").then(() => 1) }',
      },
      'later',
    ],
  ])('%s %j', async (tool, input, text) => {
    await show(PAGE);
    await oriel.raw().mouse.move(600, 500);
    await oriel.done('browser_snapshot', {});
    const outcome = await oriel.done(tool, input);
    expect(await oriel.result('#bar')).toBe(text);
    expect(outcome.effect?.delta).toContain(text);
  });

  it('and a navigation says once where it went, and from where it was sent on', async () => {
    const plain = await oriel.open('/blank.html');
    expect(textOf(plain)).not.toContain('→');
    expect(textOf(plain).split(oriel.fixtures.url('/blank.html'))).toHaveLength(2);
    const sent = await oriel.open('/redirect?to=/form-50.html');
    expect(textOf(sent)).toMatch(/redirected: \S+\/redirect\?to=\S+ → \S+\/form-50\.html/);
    expect(textOf(sent)).not.toContain('navigated:');
  });
});

describe('A08: success means that the event arrived', () => {
  it.each([
    ['takes no pointer', '<button id=target style="pointer-events:none">Save</button>'],
    [
      'is of no size',
      '<button id=target style="all:unset;display:block;width:0;height:0"></button>',
    ],
  ])('an element that %s is never reported as clicked', async (_how, html) => {
    await show(
      `${html}<p id=result></p><script>target.onclick = () => result.textContent = 'clicked'</script>`,
    );
    const outcome = await oriel.call('browser_click', { target: '#target', timeoutMs: 1_500 });
    expect(outcome.status, textOf(outcome)).toBe('failed');
    expect(await oriel.result()).toBe('');
  });
});

describe('A10: limits and numbers', () => {
  it.each(['0x10', '1e3', '1000ms', 800.5, '800.5', -1, 100_001, null, ''])(
    'refuses %j for a whole number, naming the field',
    async (pixels) => {
      const failed = await oriel.fails('bad_input', 'browser_scroll', {
        direction: 'down',
        pixels,
      });
      expect(failed.error.message).toContain('`pixels`');
    },
  );

  it('takes a number as text', async () => {
    await show('<div style="height:9000px"></div>');
    const { output } = await oriel.done('browser_scroll', { direction: 'down', pixels: '25' });
    expect(output).toMatchObject({ y: 25 });
  });

  it('takes a click delay of at most 5 s', async () => {
    verifies('C-097');
    await show('<button>Save</button>');
    const failed = await oriel.fails('bad_input', 'browser_click', {
      target: 'text=Save',
      delayMs: 5_001,
    });
    expect(failed.error.message).toContain('`delayMs`');
    const { tookMs } = await oriel.done('browser_click', { target: 'text=Save', delayMs: 5_000 });
    expect(tookMs).toBeGreaterThanOrEqual(5_000);
  });

  it('gives an interaction 8 s, and at most 60', async () => {
    verifies('C-099');
    expect(oriel.core.deps.config.timeouts.actionMs).toBe(8_000);
    await show('<button disabled>Save</button>');
    const late = await oriel.call('browser_click', { target: 'text=Save' });
    expect(late.status).toBe('failed');
    expect(late.tookMs).toBeGreaterThanOrEqual(8_000);
    for (const tool of ['browser_click', 'browser_hover']) {
      const input = { target: 'text=Save', timeoutMs: 60_001 };
      const { error } = await oriel.fails('bad_input', tool, input);
      expect(error.message).toContain('60000');
    }
  });

  it('gives a wait 20 s, and at most 120', async () => {
    verifies('C-100');
    expect(oriel.core.deps.config.timeouts.waitMs).toBe(20_000);
    const never = { text: 'never to be seen' };
    const late = await oriel.fails('timeout', 'browser_wait', never);
    expect(late.tookMs).toBeGreaterThanOrEqual(20_000);
    const { error } = await oriel.fails('bad_input', 'browser_wait', {
      ...never,
      timeoutMs: 120_001,
    });
    expect(error.message).toContain('120000');
  }, 60_000);
});
