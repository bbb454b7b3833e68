import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { startFixtureServer, type FixtureServer } from './fixture-server.ts';
import { after, reply } from './route-handlers.ts';
import { launchTestBrowser } from './test-browser.ts';

let server: FixtureServer;
beforeEach(async () => {
  server = await startFixtureServer();
});
afterEach(() => server[Symbol.asyncDispose]());

describe('the fixture server', () => {
  test('a route of the test comes before a page of that name', async () => {
    server.route('/blank.html', reply('mine'));
    expect(await (await fetch(server.url('/blank.html'))).text()).toBe('mine');
  });

  test('requests are counted by path and kept with their bodies', async () => {
    await fetch(server.url('/echo?a=1'));
    const answer = await fetch(server.url('/echo?a=2'), { method: 'POST', body: 'hello' });
    expect(await answer.json()).toMatchObject({ method: 'POST', path: '/echo?a=2', body: 'hello' });
    expect(server.count('/echo')).toBe(2);
    expect(server.count('/blank.html')).toBe(0);
    expect(server.requests.at(-1)?.body.toString()).toBe('hello');
  });

  test('only files of the pages folder are served', async () => {
    for (const path of ['/..%2f..%2f..%2fpackage.json', '/../package.json', '/none.html', '/']) {
      expect((await fetch(server.url(path))).status, path).toBe(404);
    }
  });

  test('redirects take the hops that were asked for', async () => {
    const answer = await fetch(server.url('/redirect?hops=3&to=/status%3Fcode%3D418'));
    expect(answer.status).toBe(418);
    expect(server.count('/redirect')).toBe(3);
  });

  test('a slow answer takes its time', async () => {
    const startedAt = performance.now();
    await fetch(server.url('/slow?ms=120'));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(118);
  });

  test('a client that leaves stops what waits for it', async () => {
    let isAnswered = false;
    server.route(
      '/late',
      after(100, (_request, response) => {
        isAnswered = true;
        response.end();
      }),
    );
    await expect(fetch(server.url('/late'), { signal: AbortSignal.timeout(30) })).rejects.toThrow();
    await fetch(server.url('/slow?ms=200'));
    expect(isAnswered).toBe(false);
  });

  test('disposal cuts responses that never end', async () => {
    const never = fetch(server.url('/never')).catch(() => 'cut');
    const stalled = await fetch(server.url('/stall'));
    const rest = stalled.text().catch(() => 'cut');
    await server[Symbol.asyncDispose]();
    expect(await never).toBe('cut');
    expect(await rest).toBe('cut');
    await expect(fetch(server.url('/blank.html'))).rejects.toThrow();
  });

  test('a broken download promises more than it sends', async () => {
    const answer = await fetch(server.url('/download/broken.bin'));
    expect(answer.headers.get('content-length')).toBe('100000');
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  test('a handler that throws answers 500', async () => {
    server.route('/bad', () => {
      throw new Error('a bug in the test');
    });
    const answer = await fetch(server.url('/bad'));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('a bug in the test');
  });
});

describe('the fixture pages', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchTestBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    page = await browser.newPage({
      baseURL: server.origin,
      viewport: { width: 1280, height: 900 },
    });
  });
  afterEach(() => page.context().close());

  const result = () => page.locator('#result').textContent();

  test('form-50 has fifty named fields and shows what it would send', async () => {
    await page.goto('/form-50.html');
    const names = await page
      .locator('#form [name]')
      .evaluateAll((fields) => fields.map((field) => (field as unknown as { name: string }).name));
    expect(new Set(names).size).toBe(50);
    await page.getByLabel('Required note').fill('here');
    await page.getByLabel('Accept the terms').check();
    await page.getByRole('button', { name: 'Submit' }).click();
    expect(JSON.parse((await result()) ?? '')).toMatchObject({
      'required-note': ['here'],
      terms: ['yes'],
      size: ['m'],
    });
  });

  test('table-1000 has a link and a button a row', async () => {
    await page.goto('/table-1000.html');
    expect(await page.locator('tbody a').count()).toBe(1000);
    await page.getByRole('button', { name: 'Order part 777' }).click();
    expect(await page.locator('#last').textContent()).toBe('Order part 777');
  });

  test('deep-5000 really is that deep', async () => {
    await page.goto('/deep-5000.html');
    const depth = await page.evaluate(
      '(() => { let n = document.querySelector("button"), d = 0; while ((n = n.parentElement)) d++; return d; })()',
    );
    expect(depth).toBe(5000 + 3);
    await page.locator('button').click();
    expect(await page.locator('#clicked').textContent()).toBe('reached');
  });

  test('deep-5000 with boxes crashes its renderer', async () => {
    const crashed = page.waitForEvent('crash');
    await page.goto('/deep-5000.html?display=block').catch(() => {});
    await crashed;
  });

  test('dialogs open by click, on load, by timer and on leaving', async () => {
    const seen: string[] = [];
    page.on('dialog', (dialog) => {
      seen.push(`${dialog.type()}: ${dialog.message()}`);
      void dialog.accept('Ada');
    });
    await page.goto('/dialogs.html?on=load&type=confirm');
    expect(await result()).toBe('confirm: true');
    await page.goto('/dialogs.html?on=timer&type=prompt&ms=50');
    await expect.poll(result).toBe('prompt: "Ada"');
    await page.getByRole('button', { name: 'Alert twice' }).click();
    await page.getByRole('button', { name: 'Guard against leaving' }).click();
    await page.getByRole('link', { name: 'Leave' }).click();
    await page.waitForURL('**/blank.html');
    expect(seen).toEqual([
      'confirm: Are you sure?',
      'prompt: Your name?',
      'alert: First',
      'alert: Second',
      'beforeunload: ',
    ]);
  });

  test('popups open by script, link and form, and can talk back', async () => {
    await page.goto('/popups.html');
    for (const [role, name, from] of [
      ['button', 'Open window', 'open'],
      ['link', 'New tab with opener', 'opener'],
      ['button', 'Submit to new tab', 'form'],
    ] as const) {
      const [popup] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole(role, { name, exact: true }).click(),
      ]);
      await popup.getByText(`from ${from}`).waitFor();
      if (from === 'open') {
        await popup.getByRole('button', { name: 'Tell the opener' }).click();
        await expect.poll(result).toBe('message: hello from open');
      }
      await popup.close();
    }
  });

  test('frames nest three deep, and another origin can be framed', async () => {
    await page.goto('/frames.html', { waitUntil: 'networkidle' });
    expect(page.frames().length).toBe(4);
    const deepest = page.frames().find((frame) => frame.url().includes('depth=3'));
    await deepest?.getByRole('button').click();
    expect(await deepest?.locator('#result').textContent()).toBe('pressed at depth 3: ');
    await page.goto(`/frames-cross.html?origin=${server.otherOrigin}`, {
      waitUntil: 'networkidle',
    });
    expect(page.frames()[1]?.url()).toContain(server.otherOrigin);
  });

  test('untrusted takes the marker that a test names', async () => {
    await page.goto(`/untrusted.html?marker=${encodeURIComponent('</end-of-page>')}`);
    expect(await page.locator('#marker').textContent()).toBe('</end-of-page>');
  });

  test.each(['load', 'timer', 'click'])('loops hangs its page by %s', async (on) => {
    await page.goto(`/loops.html?on=${on}&ms=10`, { waitUntil: 'commit' });
    if (on === 'click')
      void page
        .locator('#start')
        .click({ noWaitAfter: true })
        .catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const answer = page.evaluate('1').catch(() => 'hung');
    const outcome = await Promise.any([
      answer,
      new Promise((resolve) => setTimeout(resolve, 700, 'hung')),
    ]);
    expect(outcome).toBe('hung');
  });

  test('polling never lets the network rest', async () => {
    await page.goto('/polling.html?every=20');
    await expect.poll(() => server.count('/poll')).toBeGreaterThan(5);
  });

  test('covered hides the button from the pointer, then gives it another meaning', async () => {
    await page.goto('/covered.html?ms=300&rename=Delete');
    await page.mouse.click(60, 100);
    expect(await result()).toBe('cover;');
    await page.locator('#target').click();
    expect(await result()).toBe('cover;Delete;');
  });

  test('delayed enables, shows, stops and adds', async () => {
    await page.goto('/delayed.html?ms=1500');
    expect(await page.getByRole('button', { name: 'Enabled later' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Added later' }).count()).toBe(0);
    for (const name of ['Enabled later', 'Shown later', 'Stops moving later', 'Added later']) {
      await page.getByRole('button', { name }).click();
    }
    expect(await result()).toBe('Enabled later;Shown later;Stops moving later;Added later;');
  });

  test('controlled keeps what is typed, and loses what is only assigned', async () => {
    await page.goto('/controlled.html');
    const state = async () => JSON.parse((await page.locator('#state').textContent()) ?? '');
    await page.getByLabel('Upper case').fill('abc');
    await page.getByLabel('Digits only').pressSequentially('1a2');
    await page.getByLabel('Frozen').fill('thawed');
    await page.getByLabel('Agree').check();
    expect(await state()).toMatchObject({
      upper: 'ABC',
      digits: '12',
      frozen: 'frozen',
      agree: true,
    });
    expect(await page.getByLabel('Upper case').inputValue()).toBe('ABC');
    expect(await page.getByLabel('Frozen').inputValue()).toBe('frozen');
    await page.evaluate(
      'const n = document.getElementById("name"); n.value = "lost"; n.dispatchEvent(new Event("input"))',
    );
    expect(await state()).toMatchObject({ name: '' });
  });

  test('contenteditable has an editor that only keys can change', async () => {
    await page.goto('/contenteditable.html');
    const hosted = page.getByRole('textbox', { name: 'Editor with a model' });
    await hosted.click();
    await page.keyboard.type('typed');
    await page.keyboard.press('Backspace');
    expect(await hosted.textContent()).toBe('type');
    await page.evaluate('document.getElementById("hosted").textContent = "forced"');
    await expect.poll(() => hosted.textContent()).toBe('type');
    await page.getByRole('textbox', { name: 'Plain editor' }).fill('New');
    expect(await result()).toBe('plain: New');
  });

  test('drag takes HTML5 drags and pointer drags', async () => {
    await page.goto('/drag.html');
    await page.locator('#card').dragTo(page.locator('#bin'));
    expect(await result()).toBe('dropped card');
    await page.locator('#knob').dragTo(page.locator('#dock'));
    expect(await result()).toBe('docked');
  });

  test('dropdown chooses an option, and opens a menu without roles', async () => {
    await page.goto('/dropdown.html');
    await page.getByRole('combobox', { name: 'Fruit' }).click();
    await page.getByRole('option', { name: 'Banana' }).click();
    expect(await result()).toBe('chosen Banana');
    await page.getByText('Menu without roles').click();
    await page.getByText('Remove').click();
    expect(await result()).toBe('item Remove');
  });

  test('canvas tells what was hit', async () => {
    await page.goto('/canvas.html');
    await page.locator('canvas').click({ position: { x: 200, y: 60 } });
    expect(await result()).toBe('click 200,60 green');
  });

  test('shadow has open, nested, slotted, declared and closed roots', async () => {
    await page.goto('/shadow.html');
    for (const name of ['Open button', 'Nested button', 'Declared button']) {
      await page.getByRole('button', { name }).click();
      expect(await result()).toBe(name);
    }
    expect(await page.getByRole('button', { name: 'Slotted button' }).count()).toBe(1);
    expect(await page.getByText('Closed button').count()).toBe(0);
  });

  test('downloads come by attachment, redirect, data and blob, and one breaks off', async () => {
    await page.goto('/downloads.html');
    const failures: Record<string, string | null> = {};
    for (const name of [
      'Attachment',
      'Attachment after a redirect',
      'Data URL',
      'Blob URL',
      'Download that breaks off',
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ]);
      failures[download.suggestedFilename()] = await download.failure();
    }
    const broken = failures['broken.bin'];
    expect(broken).toEqual(expect.any(String));
    expect(failures).toEqual({
      'report.csv': null,
      'data.txt': null,
      'blob.txt': null,
      'broken.bin': broken,
    });
  });

  test('console says one of each kind, and as many lines as asked', async () => {
    const types = new Map<string, number>();
    page.on('console', (message) =>
      types.set(message.type(), (types.get(message.type()) ?? 0) + 1),
    );
    await page.goto('/console.html?count=300');
    await expect.poll(() => types.get('log')).toBe(302);
    expect([...types.keys()].toSorted()).toEqual(
      ['assert', 'debug', 'error', 'info', 'log', 'table', 'warning'].toSorted(),
    );
  });
});
