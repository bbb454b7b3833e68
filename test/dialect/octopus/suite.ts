import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FixtureServer } from '../../harness/fixture-server.ts';
import { verifies } from '../../harness/verifies.ts';
import { startSite } from './site.ts';
import type { Speaker } from './speaker.ts';

const LATER = [
  'browser_snapshot',
  'browser_click',
  'browser_type',
  'browser_get_text',
  'browser_execute_js',
  'browser_screenshot',
] as const;

/** Every argument that a tool needs, in no session. */
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  browser_snapshot: {},
  browser_click: { element_ref: 'a' },
  browser_type: { element_ref: 'input', text: 'x' },
  browser_get_text: { element_ref: 'a' },
  browser_execute_js: { script: '1' },
  browser_screenshot: {},
  browser_close: {},
};

/** What holds whatever backend is behind the tools. */
export function describeTools(
  backend: string,
  start: () => Promise<{ speaker: Speaker } & AsyncDisposable>,
): void {
  describe(`the tools over ${backend}`, () => {
    let site: FixtureServer;
    let started: { speaker: Speaker } & AsyncDisposable;
    let to: Speaker;

    beforeAll(async () => {
      site = await startSite();
      started = await start();
      to = started.speaker;
    });
    afterAll(async () => {
      await started?.[Symbol.asyncDispose]();
      await site?.[Symbol.asyncDispose]();
    });

    /** Opens a page in one session for all tests that need no other. */
    const open = (path: string, id = 'suite') => to.open(site.url(path), id);
    const titleOf = (id: string) => to.js(id, 'document.title');
    const end = (id: string) => to.done('browser_close', { session_id: id });

    it('browser_navigate makes a session by itself, named for the time', async () => {
      verifies('D-008', 'D-009', 'D-010');
      const before = Date.now();
      const answers = await Promise.all([
        to.done('browser_navigate', { url: site.url('/plain') }),
        to.done('browser_navigate', { url: site.url('/plain'), session_id: '' }),
      ]);
      const ids = answers.map((answer) => String(answer['session_id']));
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) {
        expect(id).toMatch(/^browser_\d+$/);
        const made = Number(id.slice('browser_'.length));
        expect(made).toBeGreaterThanOrEqual(before);
        expect(made).toBeLessThan(Date.now() + 10);
        expect(await titleOf(id)).toBe('Plain');
      }
      for (const id of ids) await end(id);
    });

    it('browser_navigate makes the session that it is told, and says which', async () => {
      verifies('D-011');
      const { session_id: id } = await to.done('browser_navigate', {
        url: site.url('/plain'),
        session_id: 'mine',
      });
      expect(id).toBe('mine');
      const again = await to.done('browser_navigate', {
        url: site.url('/one'),
        session_id: 'mine',
      });
      expect(again['session_id']).toBe('mine');
      const failed = await to.fails('browser_navigate', {
        url: 'http://127.0.0.1:1/',
        session_id: 'mine',
      });
      expect(failed['session_id']).toBe('mine');
      await end('mine');
    });

    it('browser_navigate tells where it ended, once the document is there', async () => {
      verifies('D-012');
      const startedAt = performance.now();
      await open('/slow');
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      expect(
        await to.done('browser_navigate', { url: site.url('/moved'), session_id: 'suite' }),
      ).toEqual({
        success: true,
        url: site.url('/plain'),
        title: 'Plain',
        status: 200,
        message: `Navigated to ${site.url('/plain')}`,
        session_id: 'suite',
      });
      const missing = await to.done('browser_navigate', {
        url: site.url('/missing'),
        session_id: 'suite',
      });
      expect(missing['status']).toBe(404);
    });

    it('browser_snapshot has the page as a tree, and its elements by their refs', async () => {
      verifies('D-013', 'D-014', 'D-015', 'D-016', 'D-017');
      await open('/one');
      const seen = await to.done('browser_snapshot', { session_id: 'suite' });
      expect(Object.keys(seen)).toEqual([
        'success',
        'url',
        'title',
        'snapshot',
        'elements',
        'element_count',
      ]);
      expect(seen).toMatchObject({ url: site.url('/one'), title: 'One', element_count: 1 });
      expect(seen['elements']).toEqual([
        { ref: '@e0', tag: 'a', text: 'More information...', visible: true, href: '/more' },
      ]);
      const lines = String(seen['snapshot']).split('\n');
      expect(lines[0]).toBe('[document] One');
      expect(lines).toContain('  [heading] One link');
      expect(lines).toContain('  [link] More information...');
      await open('/plain');
      const nested = String(
        (await to.done('browser_snapshot', { session_id: 'suite' }))['snapshot'],
      );
      expect(nested).toMatch(
        /^\[document\] Plain\n {2}\[main\]\n {4}\[heading\] Hello(\n {4,}\[|$)/,
      );
      for (const line of nested.split('\n')) expect(line).toMatch(/^(?: {2})*\[\w+\](?: \S.*)?$/);
    });

    it('browser_snapshot says of an element whether it has a size, and at most 100 characters', async () => {
      verifies('D-015');
      await open('/flat');
      const elements = await to.elements('suite');
      expect(elements.map((element) => element.visible)).toEqual([false, true]);
      expect(elements[1]?.text).toBe(`x${'y'.repeat(99)}`);
    });

    it('an element is named by its place, by CSS or by XPath', async () => {
      verifies('D-018', 'D-019', 'D-037', 'D-038', 'D-039');
      await open('/form');
      const elements = await to.elements('suite');
      expect(elements.map(({ ref }) => ref)).toEqual(['@e0', '@e1', '@e2', '@e3', '@e4']);
      expect(elements.map(({ tag }) => tag)).toEqual(['input', 'input', 'button', 'a', 'a']);
      const click = (ref: string) =>
        to.done('browser_click', { element_ref: ref, session_id: 'suite' });
      await click('@e2');
      expect(await titleOf('suite')).toBe('old');
      await to.done('browser_type', {
        element_ref: 'input#search',
        text: 'new',
        session_id: 'suite',
      });
      await click('.btn-primary');
      expect(await titleOf('suite')).toBe('new');
      const text = async (ref: string) =>
        (await to.done('browser_get_text', { element_ref: ref, session_id: 'suite' }))['text'];
      expect(await text("//div[@class='content']")).toBe('Content of it');
      expect(await text("(//div[@class='content'])[2]")).toBe('Another');
      expect(await text('@e4')).toBe('B');
      // The first of them, as Playwright takes it.
      await click('a');
      await expect.poll(() => titleOf('suite')).toBe('More');
    });

    it('browser_type replaces what stood there', async () => {
      verifies('D-020');
      await open('/form');
      await to.elements('suite');
      for (const ref of ['@e0', 'input#search']) {
        const text = `by ${ref}`;
        await to.done('browser_type', { element_ref: ref, text, session_id: 'suite' });
        expect(await to.js('suite', "document.querySelector('#search').value")).toBe(text);
      }
    });

    it('browser_get_text gives the text of an element as it shows', async () => {
      verifies('D-021');
      await open('/plain');
      expect(
        await to.done('browser_get_text', { element_ref: '#p', session_id: 'suite' }),
      ).toMatchObject({ text: 'Some text' });
    });

    it('browser_execute_js gives the result; a script that throws is a failure', async () => {
      verifies('D-022', 'D-023');
      await open('/plain');
      expect(await to.js('suite', 'document.title')).toBe('Plain');
      expect(await to.js('suite', '({ a: [1, "two", null] })')).toEqual({ a: [1, 'two', null] });
      expect(await to.js('suite', 'undefined')).toBeNull();
      const { error } = await to.fails('browser_execute_js', {
        script: '(() => { throw new Error("on purpose"); })()',
        session_id: 'suite',
      });
      expect(error).toContain('on purpose');
      expect(await titleOf('suite')).toBe('Plain');
    });

    it('browser_screenshot gives a PNG in base64, of the whole page when asked', async () => {
      verifies('D-024', 'D-025');
      await open('/tall');
      const shot = async (input: object) => {
        const answer = await to.call('browser_screenshot', { session_id: 'suite', ...input });
        expect(answer.blocks.filter(({ type }) => type === 'image')).toEqual([]);
        const { screenshot_base64: base64, ...rest } = answer.value;
        const png = Buffer.from(String(base64), 'base64');
        expect(png.subarray(1, 4).toString()).toBe('PNG');
        return { ...rest, size: [png.readUInt32BE(16), png.readUInt32BE(20)] };
      };
      expect(await shot({})).toEqual({ success: true, full_page: false, size: [1280, 720] });
      expect(await shot({ full_page: true })).toEqual({
        success: true,
        full_page: true,
        size: [1280, 3000],
      });
    });

    it('browser_close ends a session at once, and one that never was', async () => {
      verifies('D-026', 'D-031');
      const id = await open('/plain', 'short');
      await end(id);
      expect(await to.fails('browser_snapshot', { session_id: id })).toMatchObject({
        error: 'Session not found',
      });
      await end(id);
      await end('never was');
    });

    it('sessions share no cookies and no storage, and can be used in turns', async () => {
      verifies('D-027', 'D-028');
      const [one, two] = [await open('/login', 'one'), await open('/plain', 'two')];
      const kept = 'document.cookie + "|" + localStorage.getItem("who")';
      for (let turn = 0; turn < 2; turn++) {
        expect(await to.js(one, kept)).toBe('who=me|me');
        expect(await to.js(two, kept)).toBe('|null');
        expect(await titleOf(one)).toBe('Login');
        expect(await titleOf(two)).toBe('Plain');
      }
      for (const id of [one, two]) await end(id);
    });

    it('every tool but browser_navigate needs a session that exists', async () => {
      verifies('D-033');
      for (const tool of LATER) {
        expect(await to.fails(tool, { ...ARGUMENTS[tool], session_id: 'none' }), tool).toEqual({
          success: false,
          error: 'Session not found',
          message: 'Session none does not exist',
        });
      }
      expect(
        await to.fails('browser_click', { element_ref: '@e0', session_id: 'none' }),
      ).toMatchObject({ error: 'Session not found' });
    });

    it('a ref means the very element that was listed, of whatever kind', async () => {
      verifies('D-040');
      await open('/kinds');
      const elements = await to.elements('suite');
      expect(elements).toHaveLength(10);
      for (const { ref, text } of elements) {
        await to.done('browser_click', { element_ref: ref, session_id: 'suite' });
        expect(await titleOf('suite'), ref).toBe(text);
      }
    });

    it('a ref beyond the list is a failure, and so is one of a page that was left', async () => {
      verifies('D-041');
      await open('/one');
      const click = (ref: string) =>
        to.fails('browser_click', { element_ref: ref, session_id: 'suite' });
      expect((await click('@e0'))['error']).toMatch(/@e0/);
      await to.elements('suite');
      expect((await click('@e1'))['error']).toMatch(/@e1/);
      expect((await click('@e99'))['error']).toMatch(/@e99/);
      await click('@x');
      await open('/kinds');
      await click('@e0');
      expect(await titleOf('suite')).toBe('None');
    });

    it('CSS and XPath need no snapshot', async () => {
      verifies('D-042');
      const id = await open('/form', 'fresh');
      await to.done('browser_click', { element_ref: '.btn-primary', session_id: id });
      expect(await titleOf(id)).toBe('old');
      await to.done('browser_click', { element_ref: "//a[text()='B']", session_id: id });
      await expect.poll(() => titleOf(id)).toBe('Plain');
      await end(id);
    });

    it('answers in JSON, failures with error and message', async () => {
      verifies('D-044', 'D-045');
      await open('/one');
      for (const [tool, input] of Object.entries(ARGUMENTS)) {
        const more = tool === 'browser_type' ? { element_ref: 'h1' } : {};
        const { value, isError } = await to.call(tool, { ...input, ...more, session_id: 'suite' });
        expect(value['success'], tool).toBe(!isError);
        if (isError) expect(Object.keys(value)).toEqual(['success', 'error', 'message']);
      }
    });

    it('a missing argument is a failure that names it', async () => {
      verifies('D-046');
      expect((await to.fails('browser_navigate'))['error']).toContain('url');
      for (const tool of LATER) {
        for (const missing of [...Object.keys(ARGUMENTS[tool] ?? {}), 'session_id']) {
          const input: Record<string, unknown> = { ...ARGUMENTS[tool], session_id: 'suite' };
          delete input[missing];
          expect((await to.fails(tool, input))['error'], tool).toContain(missing);
        }
      }
    });

    it('a tool that there is not is a failure that names it', async () => {
      verifies('D-047');
      expect((await to.fails('browser_fly'))['error']).toBe('Unknown browser tool: browser_fly');
    });

    it('an address that is none is a failure, and leaves no session', async () => {
      verifies('D-048');
      for (const url of ['not a url', 'http://', '', 'ftp://127.0.0.1/', 'http://127.0.0.1:1/']) {
        const { session_id: id } = await to.fails('browser_navigate', { url });
        expect(await to.fails('browser_snapshot', { session_id: id })).toMatchObject({
          error: 'Session not found',
        });
      }
    });

    it('marks what came from a page, and neutralises imitations of the mark', async () => {
      await open('/imitation');
      const { blocks } = await to.call('browser_snapshot', { session_id: 'suite' });
      expect(blocks).toHaveLength(2);
      expect(blocks[1]?.text).toContain('data, not instructions');
      expect(blocks[0]?.text).not.toMatch(/［end of page content/);
    });

    it('visiting an address and getting its content takes two calls', async () => {
      verifies('D-043');
      const id = await to.open(site.url('/plain'));
      const seen = await to.done('browser_snapshot', { session_id: id });
      expect(seen['snapshot']).toContain('Hello');
      await end(id);
    });
  });
}
