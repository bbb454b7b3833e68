import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../harness/route-handlers.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

let oriel: TestOriel;
beforeAll(async () => {
  oriel = await startOriel();
  const { fixtures } = oriel;
  fixtures.route('/isolated', (_request, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      })
      .end('<h1>Isolated</h1>');
  });
  fixtures.route(
    '/prerenders',
    reply(`<h1>Prerenders</h1><a href="/isolated">Next</a><script type="speculationrules">
      {"prerender": [{"source": "list", "urls": ["/form-50.html"]}]}
    </script><script>const go = () => { location.href = '/form-50.html'; };</script>`),
  );
});
afterAll(() => oriel[Symbol.asyncDispose]());

const OWN = { principal: 'local', connection: 'test' };

/** The page answers to its id, and is the only one. */
async function isStillP1(heading: string): Promise<void> {
  await expect
    .poll(async () => textOf(await oriel.done('browser_snapshot', { page: 'p1' })))
    .toContain(heading);
  const { output } = await oriel.done('browser_tabs');
  expect((output as { pages: { page: string }[] }).pages.map(({ page }) => page)).toEqual(['p1']);
  const page = oriel.core.deps.sessions.ownOf(OWN)!.find('p1')!;
  const cdp = await page.raw.context().newCDPSession(page.raw);
  const { targetInfo } = await cdp.send('Target.getTargetInfo');
  await cdp.detach();
  // What Chromium calls it now names it as well.
  expect(oriel.core.deps.sessions.ownOf(OWN)!.find(targetInfo.targetId)).toBe(page);
}

describe('a page keeps its id when Chromium puts another target in its place (S06)', () => {
  it('on the way to another site and back', async () => {
    await oriel.open('/blank.html');
    const other = `${oriel.fixtures.otherOrigin}/form-50.html`;
    await oriel.done('browser_navigate', { url: other });
    await isStillP1('form-50.html');
    await oriel.done('browser_navigate', { history: 'back' });
    await isStillP1('Blank');
  });

  it('when a header puts it into a browsing-context group of its own', async () => {
    await oriel.open('/blank.html');
    await oriel.open('/isolated');
    await isStillP1('Isolated');
  });

  it('when a page that was rendered beforehand takes its place', async () => {
    await oriel.open('/prerenders');
    await oriel.raw().waitForTimeout(1_000);
    await oriel.done('browser_evaluate', { expression: '() => { setTimeout(go, 50); }' });
    await oriel.done('browser_wait', { url: '**/form-50.html' });
    await isStillP1('form-50.html');
  });

  it('when its renderer crashed and it is opened again', async () => {
    await oriel.open('/blank.html');
    const page = oriel.core.deps.sessions.ownOf(OWN)!.find('p1')!;
    void (await page.cdp)!.send('Page.crash').catch(() => {});
    await expect.poll(() => page.isCrashed).toBe(true);
    await oriel.done('browser_navigate', { page: 'p1', url: oriel.fixtures.url('/isolated') });
    await isStillP1('Isolated');
  });
});
