import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import type { CookieFacts } from '../../model/storage.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  await fixture.goto('/blank.html');
  await fixture.done('browser_cookies', { action: 'clear' });
  await fixture.goto('/set-cookie?sid=s3cret&theme=dark');
});

const get = async (input: object = {}) =>
  (await fixture.done<{ cookies: CookieFacts[] }>('browser_cookies', input)).output.cookies;
const set = (input: object) => fixture.done('browser_cookies', { action: 'set', ...input });

test('cookies are listed without values, and a value is shown when it is asked for by name', async () => {
  verifies('E-078');
  expect((await get()).map(({ name, value }) => `${name}=${value}`).toSorted()).toEqual([
    'sid=null',
    'theme=null',
  ]);
  expect((await fixture.done('browser_cookies')).text).not.toContain('s3cret');
  expect(await get({ name: 'sid' })).toMatchObject([
    { value: 's3cret', domain: '127.0.0.1', path: '/' },
  ]);
  expect((await fixture.done('browser_cookies', { name: 'sid' })).text).toContain('sid=s3cret');
});

test('a cookie is set with all its attributes, and reaches the server', async () => {
  verifies('E-077', 'E-079');
  const expires = Math.floor(Date.now() / 1000) + 3_600;
  await set({
    name: 'a',
    value: '1',
    domain: '127.0.0.1',
    path: '/echo',
    expires,
    httpOnly: true,
    sameSite: 'Strict',
  });
  expect(await get({ name: 'a' })).toEqual([
    {
      name: 'a',
      value: '1',
      domain: '127.0.0.1',
      path: '/echo',
      expires: new Date(expires * 1000).toISOString(),
      httpOnly: true,
      secure: false,
      sameSite: 'Strict',
    },
  ]);
  await fixture.goto('/echo');
  expect(
    await fixture.evaluate('() => JSON.parse(document.body.innerText).headers.cookie'),
  ).toContain('a=1');
  expect(await fixture.evaluate('() => document.cookie')).not.toContain('a=1');
  await set({ name: 'b', value: '', domain: '127.0.0.1' });
  expect(await get({ name: 'b' })).toMatchObject([{ value: '', expires: null, sameSite: 'Lax' }]);
  for (const missing of [
    { name: 'c', value: '1' },
    { name: 'c', domain: 'x.test' },
    { value: '1', domain: 'x.test' },
  ]) {
    expect(
      (await fixture.failed('browser_cookies', { action: 'set', ...missing })).error.code,
    ).toBe('bad_input');
  }
  const insecure = { action: 'set', name: '__Secure-x', value: '1', domain: '127.0.0.1' };
  expect((await fixture.failed('browser_cookies', insecure)).error.code).toBe('bad_input');
});

test('filters clear what they name and nothing else', async () => {
  await set({ name: 'x', value: '1', domain: '.example.com' });
  await set({ name: 'x', value: '2', domain: 'shop.example.com', path: '/cart' });
  await set({ name: 'x', value: '3', domain: 'notexample.com' });
  expect(await get({ domain: 'example.com' })).toHaveLength(2);
  expect((await get({ name: 'x', path: '/cart' })).map(({ value }) => value)).toEqual(['2']);
  await fixture.done('browser_cookies', { action: 'clear', domain: 'example.com', path: '/cart' });
  expect((await get({ name: 'x' })).map(({ value }) => value ?? '').toSorted()).toEqual(['1', '3']);
  const { text } = await fixture.done('browser_cookies', { action: 'clear', name: 'x' });
  expect(text).toContain('2 cookies are gone');
  expect(await get()).toHaveLength(2);
});

test('a session without a page has none, can be given some, and a read starts no browser', async () => {
  const { output } = await fixture.done('browser_cookies', {}, 'fresh');
  expect(output).toEqual({ done: '', cookies: [] });
  expect(fixture.session('fresh').pages).toHaveLength(0);
  const cookie = { action: 'set', name: 'early', value: '1', domain: '127.0.0.1' };
  await fixture.done('browser_cookies', cookie, 'fresh');
  await fixture.goto('/echo', 'fresh');
  expect(await fixture.evaluate('() => document.cookie', 'fresh')).toContain('early=1');
});
