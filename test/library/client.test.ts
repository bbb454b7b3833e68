import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { createOriel, FailedCall, isOrielError, type Oriel } from '../../src/app/library.ts';
import { listProcesses } from '../../src/engine/process-table.ts';
import { methodName } from '../../src/surface/library/methods.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { LOOPBACK, openOriel } from './fixture.ts';

let server: FixtureServer;
let oriel: Oriel;

beforeAll(async () => {
  server = await startFixtureServer();
  server.route('/shelf', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Shelf</title>
      <button onclick="document.title = 'Clicked'; this.after(' done')">Take</button>
      <label>Name <input></label><a href="/blank.html">Blank</a>
      <button onclick="confirm('Sure?')">Ask</button>`);
  });
  oriel = await openOriel();
});

afterAll(async () => {
  await oriel?.close();
  await server?.[Symbol.asyncDispose]();
});

describe('the library', () => {
  it('has a method for every tool, and no tool hides what a client has of its own', () => {
    const own = ['call', 'tools', 'instructions', 'close', 'newSession', 'handle', 'then'];
    for (const tool of TOOLS) {
      const name = methodName(tool.name);
      expect(own).not.toContain(name);
      expect(oriel[name as keyof Oriel], name).toBeTypeOf('function');
    }
  });

  it('answers with the output of the tool as data, typed', async () => {
    const opened = await oriel.navigate({ url: server.url('/shelf') });
    expect(opened).toMatchObject({
      title: 'Shelf',
      status: 200,
      page: 'p1',
      url: server.url('/shelf'),
      effect: { navigation: { to: server.url('/shelf'), status: 200 } },
    });
    expectTypeOf(opened.status).toEqualTypeOf<number | null>();
    expectTypeOf(oriel.hover).parameter(0).toHaveProperty('target').toEqualTypeOf<string>();
    expectTypeOf(oriel.snapshot).toBeCallableWith();
    // @ts-expect-error -- hovering needs a target
    await expect(oriel.hover({})).rejects.toThrow('`target` is missing');
  });

  it('acts, and tells what that did', async () => {
    await oriel.navigate({ url: server.url('/shelf') });
    const { clicked } = await oriel
      .click({ target: 'role=link[name="Blank"]' })
      .then(
        (result) => (expect(result.effect?.navigation?.to).toBe(server.url('/blank.html')), result),
      );
    expect(clicked).toContain('Blank');
    const asked = await oriel
      .navigate({ history: 'back' })
      .then(() => oriel.click({ target: 'text=Ask' }));
    expect(asked.effect?.dialogs).toEqual([
      { type: 'confirm', message: 'Sure?', state: 'accepted' },
    ]);
  });

  it('throws the error of the outcome, with the outcome', async () => {
    await oriel.navigate({ url: server.url('/shelf') });
    const failure = await oriel.click({ target: 'e999' }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(FailedCall);
    expect(isOrielError(failure, 'stale_ref')).toBe(true);
    const { hint, outcome } = failure as FailedCall;
    expect(hint).toContain('snapshot');
    expect(outcome).toMatchObject({ status: 'failed', tool: 'browser_click', page: 'p1' });
  });

  it('gives outcomes to those who ask for them, by name or by peers’ names', async () => {
    const done = await oriel.call('browser_goto', { url: server.url('/shelf') });
    expect(done).toMatchObject({ status: 'done', tool: 'browser_navigate' });
    expect(done.content[0]).toMatchObject({ type: 'text' });
    const failed = await oriel.call('browser_clik', { target: 'e1' });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'not_found', hint: 'Did you mean browser_click?' },
    });
  });

  it('stops at the caller’s signal', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    const startedAt = performance.now();
    const waiting = oriel.wait({ text: 'never there' }, { signal: stop.signal });
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it('keeps the cookies and pages of sessions apart, and ends them', async () => {
    await oriel.navigate({ url: server.url('/set-cookie?who=first') });
    let handle: string;
    {
      await using second = await oriel.newSession({ name: 'second' });
      handle = second.handle;
      const read = async (client: Pick<Oriel, 'evaluate'>) =>
        (await client.evaluate({ function: 'document.cookie' })).value;
      const opened = await second.navigate({ url: server.url('/blank.html') });
      expect(opened).toMatchObject({ page: 'p1', session: handle });
      expect(await read(second as unknown as Oriel)).toBe('');
      expect(await read(oriel)).toBe('who=first');
      expect((await oriel.session({ action: 'list' })).sessions).toHaveLength(2);
      const shown = second.tools.find((tool) => tool.name === 'browser_click');
      expect(Object.keys(shown?.inputSchema['properties'] as object)).not.toContain('session');
    }
    expect((await oriel.session({ action: 'list' })).sessions).toHaveLength(1);
    await expect(oriel.snapshot({ session: handle })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('puts questions to the one who made it, and obeys the answer', async () => {
    const asked: string[] = [];
    let answer = true;
    await using careful = await openOriel(
      { policy: { rules: [{ tools: ['browser_evaluate'], decision: 'ask' }] } },
      {
        onQuestion: ({ tool, question }) => {
          asked.push(`${tool}: ${question}`);
          return answer;
        },
      },
    );
    await careful.navigate({ url: server.url('/shelf') });
    expect((await careful.evaluate({ function: 'document.title' })).value).toBe('Shelf');
    answer = false;
    await expect(careful.evaluate({ function: '1' })).rejects.toMatchObject({
      code: 'denied',
      message: 'A person declined browser_evaluate.',
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('browser_evaluate: Allow browser_evaluate');
  });

  it('asks by the origin of the page as well', async () => {
    const asked: string[] = [];
    await using careful = await openOriel(
      { policy: { rules: [{ origins: [server.origin], effects: ['script'], decision: 'ask' }] } },
      { onQuestion: ({ question }) => (asked.push(question), true) },
    );
    await careful.navigate({ url: `${server.otherOrigin}/shelf` });
    await careful.evaluate({ function: '1' });
    expect(asked).toEqual([]);
    await careful.navigate({ url: server.url('/shelf') });
    await careful.evaluate({ function: '1' });
    expect(asked).toEqual([expect.stringContaining(` on ${server.origin}?`)]);
  });

  it('refuses such calls where nobody can be asked', async () => {
    await using careful = await openOriel({ policy: { rules: [{ decision: 'ask' }] } });
    await expect(careful.snapshot()).rejects.toMatchObject({ code: 'denied' });
  });

  it('names the setting that does not fit', async () => {
    await expect(openOriel({ mode: 'fast' as 'full' })).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('mode') as string,
    });
    await expect(openOriel({ packs: ['pointers'] })).rejects.toMatchObject({
      hint: 'Did you mean pointer?',
    });
  });

  it('ends its browser when it is closed, and starts no other', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'oriel-test-library-'));
    try {
      const short = await createOriel({ network: LOOPBACK, dataDir });
      const session = await short.newSession();
      const steps: string[] = [];
      await short.navigate(
        { url: server.url('/blank.html') },
        { onProgress: (m) => steps.push(m) },
      );
      const marks = readdirSync(path.join(dataDir, 'run/browsers')).map((name) =>
        name.replace('.json', ''),
      );
      const running = async () =>
        (await listProcesses()).filter(({ command }) =>
          marks.some((mark) => command.includes(mark)),
        );
      expect((await running()).length).toBeGreaterThan(0);
      await short.close();
      await short.close();
      expect(await running()).toEqual([]);
      await expect(short.navigate({ url: server.url('/blank.html') })).rejects.toMatchObject({
        code: 'gone',
      });
      await expect(session.tabs({ action: 'new' })).rejects.toMatchObject({ code: 'gone' });
      await session.close();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
