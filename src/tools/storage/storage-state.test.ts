import { existsSync, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
  await fixture.goto('/set-cookie?sid=s3cret');
  await fixture.evaluate(`() => { localStorage.setItem('token', 'abc') }`);
});
afterAll(() => fixture[Symbol.asyncDispose]());

type State = { path: string; bytes: number; cookies: number; origins: string[] };
const exportTo = (input: object = {}, connection?: string) =>
  fixture.done<State>('browser_storage_state', { action: 'export', ...input }, connection);
const inside = (name: string) => path.join(fixture.workspace, name);

test('a state is saved for its owner alone and carries a login into another session', async () => {
  const { output, text } = await exportTo({ path: 'logins/state.json' });
  expect(output).toMatchObject({
    path: inside('logins/state.json'),
    cookies: 1,
    origins: [fixture.server.origin],
  });
  expect(text).not.toContain('s3cret');
  expect(statSync(output.path).mode & 0o777).toBe(0o600);
  const { output: loaded } = await fixture.done(
    'browser_storage_state',
    { action: 'import', path: 'logins/state.json' },
    'second',
  );
  expect(loaded).toMatchObject({ cookies: 1 });
  await fixture.goto('/blank.html', 'second');
  expect(await fixture.evaluate(`() => [document.cookie, localStorage.token]`, 'second')).toEqual([
    'sid=s3cret',
    'abc',
  ]);
});

test('without a path it lies in the folder of the session, and is no artifact', async () => {
  const { output } = await exportTo();
  expect(output.path).toBe(path.join(fixture.sessionFolder(), 'storage-state.json'));
  expect((await fixture.done('browser_artifacts')).text).not.toContain('storage-state');
});

test('a file is not replaced unasked, and never by a state without a login', async () => {
  const first = (await exportTo({ path: 'keep.json' })).output;
  const before = readFileSync(first.path, 'utf8');
  const again = { action: 'export', path: 'keep.json' };
  expect((await fixture.failed('browser_storage_state', again)).error.code).toBe('bad_input');
  await fixture.goto('/blank.html', 'empty');
  const empty = await fixture.failed(
    'browser_storage_state',
    { ...again, overwrite: true },
    'empty',
  );
  expect(empty.error.code).toBe('not_found');
  expect(readFileSync(first.path, 'utf8')).toBe(before);
  await exportTo({ path: 'keep.json', overwrite: true });
});

test('paths outside, links and hidden folders are refused for writing and reading', async () => {
  const outside = path.join(fixture.folder, 'target.json');
  writeFileSync(outside, '{"cookies":[],"origins":[]}');
  symlinkSync(outside, inside('link.json'));
  linkSync(outside, inside('hard.json'));
  symlinkSync(fixture.folder, inside('up'));
  symlinkSync(path.join(fixture.folder, 'new.json'), inside('dangling.json'));
  const bad = [
    '../x.json',
    '/tmp/x.json',
    outside,
    'link.json',
    'hard.json',
    'up/x.json',
    'dangling.json',
  ];
  for (const given of [...bad, '.ssh/authorized_keys', '.bashrc']) {
    const input = { action: 'export', path: given, overwrite: true };
    expect((await fixture.failed('browser_storage_state', input)).error.code, given).toBe('denied');
  }
  for (const given of bad) {
    const input = { action: 'import', path: given };
    expect((await fixture.failed('browser_storage_state', input)).error.code, given).toBe('denied');
  }
  expect(readFileSync(outside, 'utf8')).toBe('{"cookies":[],"origins":[]}');
  expect(existsSync(path.join(fixture.folder, 'new.json'))).toBe(false);
});

test('a broken file changes nothing, and one over 10 MiB is refused', async () => {
  for (const text of [
    '{',
    '[]',
    '{"cookies": 1, "origins": []}',
    '{"cookies": [{"name": "x"}], "origins": []}',
  ]) {
    writeFileSync(inside('broken.json'), text);
    const { error } = await fixture.failed('browser_storage_state', {
      action: 'import',
      path: 'broken.json',
    });
    expect(error.code, text).toBe('bad_input');
  }
  expect(await fixture.evaluate('() => localStorage.token')).toBe('abc');
  const state = { cookies: [], origins: [], pad: '' };
  const frame = Buffer.byteLength(JSON.stringify(state));
  for (const [bytes, isTaken] of [
    [10_485_759, true],
    [10_485_760, true],
    [10_485_761, false],
  ] as const) {
    writeFileSync(inside('big.json'), JSON.stringify({ ...state, pad: 'x'.repeat(bytes - frame) }));
    const outcome = await fixture.call(
      'browser_storage_state',
      { action: 'import', path: 'big.json' },
      'sized',
    );
    expect(outcome.status, String(bytes)).toBe(isTaken ? 'done' : 'failed');
  }
});

test('saving needs the disk, so a server that only reads refuses both', async () => {
  await using readonly = await CoreFixture.open({ mode: 'readonly' });
  for (const action of ['export', 'import']) {
    expect((await readonly.failed('browser_storage_state', { action })).error.code).toBe('denied');
  }
});
