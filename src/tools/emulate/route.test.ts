import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
  await fixture.goto('/blank.html');
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(() => fixture.done('browser_route', { action: 'clear' }));

const add = (input: object) => fixture.done('browser_route', { action: 'add', ...input });
const get = (url: string) =>
  fixture.evaluate<string>(
    `() => fetch('${url}').then(async (answer) => answer.status + ' ' + (await answer.text()), () => 'refused')`,
  );

test('a blocked address is not asked for, others are', async () => {
  await add({ kind: 'block', pattern: '**/poll*' });
  const before = fixture.server.count('/poll');
  expect(await get('/poll')).toBe('refused');
  expect(await get('/echo')).toMatch(/^200 /);
  expect(fixture.server.count('/poll')).toBe(before);
  const { output } = await fixture.done('browser_route');
  expect(output).toMatchObject({
    routes: [{ id: /r\d+/, kind: 'block', hits: 1 }].map((one) => ({
      ...one,
      id: expect.stringMatching(one.id) as string,
    })),
  });
});

test('an answer of our own reaches the page, and the server hears nothing', async () => {
  await add({
    kind: 'fulfil',
    pattern: '**/made-up',
    status: 418,
    contentType: 'application/json',
    headers: { 'x-made': 'up' },
    body: '{"a":1}',
  });
  expect(await get('/made-up')).toBe('418 {"a":1}');
  expect(fixture.server.count('/made-up')).toBe(0);
});

test('a request is changed on its way: headers, method and body', async () => {
  await add({
    kind: 'modify',
    pattern: '**/echo',
    method: 'POST',
    postData: 'changed',
    headers: { 'X-Added': 'yes', 'accept-language': null },
  });
  const seen = JSON.parse((await get('/echo')).slice(4)) as {
    method: string;
    body: string;
    headers: Record<string, string>;
  };
  expect(seen).toMatchObject({ method: 'POST', body: 'changed', headers: { 'x-added': 'yes' } });
});

test('routes are listed in the status, cleared one by one and all at once', async () => {
  await add({ kind: 'block', pattern: '**/a' });
  const { output } = await add({ kind: 'block', pattern: '**/b' });
  const [first] = (output as { routes: { id: string }[] }).routes;
  expect((await fixture.done('browser_session')).text).toContain('block **/a (0 requests)');
  await fixture.done('browser_route', { action: 'clear', id: first?.id });
  expect((await fixture.done('browser_route')).output).toMatchObject({
    routes: [{ pattern: '**/b' }],
  });
  await fixture.done('browser_emulate', { action: 'clear' });
  expect((await fixture.done('browser_route')).output).toMatchObject({ routes: [] });
  const { error } = await fixture.failed('browser_route', { action: 'clear', id: 'r99' });
  expect(error.code).toBe('not_found');
});

test('fifty routes are taken, one more is refused', async () => {
  for (let at = 0; at < 50; at++) await add({ kind: 'block', pattern: `**/none-${at}` });
  const { error } = await fixture.failed('browser_route', {
    action: 'add',
    kind: 'block',
    pattern: '**/x',
  });
  expect(error.code).toBe('over_limit');
});

test('answering in the name of a site is script, so it goes with script', async () => {
  await using noScript = await CoreFixture.open({ script: false });
  const fulfil = {
    action: 'add',
    kind: 'fulfil',
    pattern: '**/*',
    contentType: 'text/html',
    body: '<script>1</script>',
  };
  expect((await noScript.failed('browser_route', fulfil)).error.code).toBe('denied');
  await noScript.done('browser_route', { action: 'add', kind: 'block', pattern: '**/x' });
});
