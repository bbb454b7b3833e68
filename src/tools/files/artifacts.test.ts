import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import type { Artifact } from '../../model/artifact.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Listed = {
  artifacts: { uri: string; name: string; bytes: number; isPinned: boolean }[];
  read: { text: string | null; base64: string | null; length: number; bytes: number } | null;
};
const list = async (connection?: string) =>
  (await fixture.done<Listed>('browser_artifacts', {}, connection)).output.artifacts;
const put = (text: string, connection = 'test', prefix = 'note') =>
  fixture.core.deps.artifacts.put({
    session: fixture.session(connection).key,
    prefix,
    extension: 'txt',
    mimeType: 'text/plain',
    content: text,
  });
const read = async (input: object) =>
  (await fixture.done<Listed>('browser_artifacts', { action: 'read', ...input })).output.read;

test('what tools make is listed and read in ranges, by name and by address', async () => {
  await fixture.goto('/blank.html');
  const shot = (await fixture.done<{ file: Artifact }>('browser_screenshot')).output.file;
  const note = await put('0123456789');
  expect((await list()).map(({ name }) => name).toSorted()).toEqual(
    [note.name, shot.name].toSorted(),
  );
  const { uri } = (await list()).find(({ name }) => name === note.name) ?? { uri: '' };
  expect(uri).toBe(`oriel://artifact/${fixture.session().key}/${note.name}`);
  expect(await read({ name: note.name })).toMatchObject({ text: '0123456789', bytes: 10 });
  expect(await read({ name: uri, offset: 3, length: 4 })).toMatchObject({
    text: '3456',
    length: 4,
  });
  expect(await read({ name: `${uri}?offset=8&length=9` })).toMatchObject({ text: '89', length: 2 });
  expect(await read({ name: uri, offset: 10 })).toMatchObject({ text: '', length: 0 });
  const past = await fixture.failed('browser_artifacts', { action: 'read', name: uri, offset: 11 });
  expect(past.error.code).toBe('bad_input');
  const picture = await read({ name: shot.name });
  expect(
    Buffer.from(picture?.base64 ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('names lead nowhere else: no folders, no links, no other files', async () => {
  await fixture.goto('/blank.html');
  const note = await put('mine');
  const folder = fixture.sessionFolder();
  writeFileSync(path.join(folder, 'storage-state.json'), '{"secret":1}');
  symlinkSync('/etc/passwd', path.join(folder, 'note-0000000000000000.txt'));
  for (const name of [
    '../x/note-0000000000000001.txt',
    'note-0000000000000000.txt',
    'storage-state.json',
    'downloads.jsonl',
    `oriel://artifact/..%2f/${note.name}`,
    `oriel://artifact/20000101000000-00000000/${note.name}`,
  ]) {
    const { error } = await fixture.failed('browser_artifacts', { action: 'read', name });
    expect(error.code, name).toBe('not_found');
  }
});

test("another principal's artifacts are as unknown as none", async () => {
  await fixture.goto('/blank.html');
  await put('mine');
  const { uri } = (await list())[0] ?? { uri: '' };
  const caller = { surface: 'library', principal: 'stranger', connection: 'test' } as const;
  const call = (input: object) =>
    fixture.core.calls.call({ tool: 'browser_artifacts', input, caller });
  expect(await call({})).toMatchObject({ output: { artifacts: [] } });
  const theirs = await call({ action: 'read', name: uri });
  const none = await call({ action: 'read', name: uri.replace(/\/\d+-/, '/19990101000000-') });
  expect(theirs).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  expect((theirs as { error: unknown }).error).toEqual((none as { error: unknown }).error);
});

test('nothing is ever removed unless a bound is configured', async () => {
  verifies('A-082');
  await fixture.goto('/blank.html');
  const before = (await list()).length;
  for (let at = 0; at < 40; at++) await put(`kept ${at}`);
  expect(await list()).toHaveLength(before + 40);
});

test('at a bound of count the oldest that is not pinned makes room', async () => {
  await using bound = await CoreFixture.open({ artifacts: { maxCount: 3 } });
  await bound.goto('/blank.html');
  const names: string[] = [];
  const add = async (text: string) => {
    // Files of one millisecond have no order.
    await new Promise((resolve) => setTimeout(resolve, 15));
    const { name } = await bound.core.deps.artifacts.put({
      session: bound.session().key,
      prefix: 'note',
      extension: 'txt',
      mimeType: 'text/plain',
      content: text,
    });
    names.push(name);
  };
  const there = async () =>
    (await bound.done<Listed>('browser_artifacts')).output.artifacts.map(({ name }) => name);
  for (const text of ['1', '2', '3']) await add(text);
  expect(await there()).toEqual(names);
  await bound.done('browser_artifacts', { action: 'pin', name: names[0] });
  await add('4');
  expect(await there()).toEqual([names[0], names[2], names[3]]);
  await bound.done('browser_artifacts', { action: 'unpin', name: names[0] });
  await add('5');
  expect(await there()).toEqual([names[2], names[3], names[4]]);
});

test('at a bound of bytes the oldest make room, and what alone is over it is refused', async () => {
  await using bound = await CoreFixture.open({ artifacts: { maxBytes: 100 } });
  await bound.goto('/blank.html');
  const add = (text: string) =>
    bound.core.deps.artifacts.put({
      session: bound.session().key,
      prefix: 'note',
      extension: 'txt',
      mimeType: 'text/plain',
      content: text,
    });
  const first = await add('a'.repeat(50));
  await new Promise((resolve) => setTimeout(resolve, 15));
  const second = await add('b'.repeat(50));
  expect([existsSync(first.path), existsSync(second.path)]).toEqual([true, true]);
  await new Promise((resolve) => setTimeout(resolve, 15));
  await add('c');
  expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, true]);
  await expect(add('d'.repeat(101))).rejects.toMatchObject({ code: 'over_limit' });
  expect(existsSync(second.path)).toBe(true);
  expect(existsSync((await add('e'.repeat(100))).path)).toBe(true);
});

test('a file is whole or not there, for its owner alone, and a broken copy is written anew', async () => {
  await fixture.goto('/blank.html');
  const note = await put('whole content');
  chmodSync(note.path, 0o600);
  writeFileSync(note.path, 'half');
  const again = await put('whole content');
  expect(again.path).toBe(note.path);
  expect(readFileSync(note.path, 'utf8')).toBe('whole content');
});
