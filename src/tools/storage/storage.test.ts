import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import type { StorageEntry } from '../../model/storage.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  await fixture.goto('/blank.html');
  await fixture.evaluate(`() => {
    localStorage.clear(); sessionStorage.clear();
    localStorage.setItem('token', 'abc'); localStorage.setItem('theme', 'dark');
    sessionStorage.setItem('step', '2');
  }`);
});

type Stored = { origin: string; entries: StorageEntry[]; isTruncated: boolean };
const use = async (input: object = {}) =>
  (await fixture.done<Stored>('browser_storage', input)).output;

test('keys are listed, values are given, set and cleared, by area', async () => {
  verifies('E-077', 'E-078');
  expect(await use()).toMatchObject({
    origin: fixture.server.origin,
    entries: [
      { key: 'theme', value: null, chars: 4 },
      { key: 'token', value: null, chars: 3 },
    ],
  });
  expect((await use({ action: 'get', key: 'token' })).entries).toEqual([
    { key: 'token', value: 'abc', chars: 3 },
  ]);
  expect((await use({ area: 'session', action: 'get' })).entries).toEqual([
    { key: 'step', value: '2', chars: 1 },
  ]);
  await use({ action: 'set', key: 'theme', value: 'light' });
  expect(await fixture.evaluate(`() => localStorage.theme`)).toBe('light');
  await use({ action: 'clear', key: 'theme' });
  expect((await use()).entries.map(({ key }) => key)).toEqual(['token']);
  await use({ action: 'clear' });
  expect((await use()).entries).toEqual([]);
  expect((await use({ area: 'session' })).entries).toHaveLength(1);
  expect((await fixture.failed('browser_storage', { action: 'set', key: 'x' })).error.code).toBe(
    'bad_input',
  );
});

test('values of 65,536 characters are given whole, one more is cut and said to be', async () => {
  for (const [chars, isTruncated] of [
    [65_535, false],
    [65_536, false],
    [65_537, true],
  ] as const) {
    await use({ action: 'set', key: 'long', value: 'x'.repeat(chars) });
    const read = await use({ action: 'get', key: 'long' });
    expect(read.isTruncated).toBe(isTruncated);
    expect(read.entries[0]).toMatchObject({ chars });
    expect(read.entries[0]?.value).toHaveLength(Math.min(chars, 65_536));
  }
});

test('a full storage is told as such and keeps what it had', async () => {
  const { error } = await fixture.failed('browser_storage', {
    action: 'set',
    key: 'huge',
    value: 'x'.repeat(6_000_000),
  });
  expect(error.code).toBe('over_limit');
  expect((await use()).entries).toHaveLength(2);
});

test('another origin is reached where a document of it is open, and refused where none is', async () => {
  await fixture.done('browser_tabs', {
    action: 'new',
    url: `${fixture.server.otherOrigin}/blank.html`,
  });
  await use({ action: 'set', key: 'other', value: '1' });
  expect((await use({ origin: fixture.server.origin })).entries).toHaveLength(2);
  expect(
    (await use({ page: 'p1', origin: fixture.server.otherOrigin })).entries.map(({ key }) => key),
  ).toEqual(['other']);
  expect(
    (await fixture.failed('browser_storage', { origin: 'https://example.com' })).error.code,
  ).toBe('not_found');
  await fixture.done('browser_tabs', { action: 'close' });
});

test('a document without storage says so', async () => {
  await fixture.done('browser_tabs', { action: 'new' });
  expect((await fixture.failed('browser_storage')).error.code).toBe('unsupported');
  await fixture.done('browser_tabs', { action: 'close' });
});

test('databases are listed with their stores and deleted, and one held open is told', async () => {
  const make = (name: string, keep: boolean) => `() => new Promise((resolve, reject) => {
    const request = indexedDB.open('${name}', 1);
    request.onerror = () => reject(request.error);
    request.onupgradeneeded = () => request.result.createObjectStore('things', { autoIncrement: true });
    request.onsuccess = () => {
      const done = request.result.transaction('things', 'readwrite');
      done.objectStore('things').add({ a: 1 });
      done.oncomplete = () => { ${keep ? 'window.held = request.result' : 'request.result.close()'}; resolve(true) };
    };
  })`;
  await fixture.evaluate(make('one', false));
  await fixture.evaluate(make('two', false));
  expect((await use({ area: 'indexeddb' })).entries).toEqual([
    { key: 'one', value: 'things (1)', chars: 1 },
    { key: 'two', value: 'things (1)', chars: 1 },
  ]);
  await use({ area: 'indexeddb', action: 'clear', key: 'one' });
  expect((await use({ area: 'indexeddb' })).entries.map(({ key }) => key)).toEqual(['two']);
  await use({ area: 'indexeddb', action: 'clear' });
  expect((await use({ area: 'indexeddb' })).entries).toEqual([]);
  await fixture.evaluate(make('held', true));
  const { error } = await fixture.failed('browser_storage', { area: 'indexeddb', action: 'clear' });
  expect(error.code).toBe('busy');
});
