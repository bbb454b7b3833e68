import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeFolder } from './folders.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'oriel-folders-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder is tried for real, and nothing stays in it', async () => {
  expect(await judgeFolder('Data', folder, 'data-dir')).toEqual({
    name: 'Data',
    verdict: 'ok',
    says: folder,
  });
  expect(await readdir(folder)).toEqual([]);
});

test('one that is not there yet is tried where it would be made', async () => {
  const { verdict, says } = await judgeFolder('Data', path.join(folder, 'a/b'), 'data-dir');
  expect(verdict).toBe('ok');
  expect(says).toContain('made when first needed');
  expect(await readdir(folder)).toEqual([]);
});

test('one that cannot be written fails, with the flag that mends it', async () => {
  const { verdict, advice } = await judgeFolder('Data', '/proc/nowhere', 'data-dir');
  expect(verdict).toBe('fail');
  expect(advice).toContain('--data-dir');
});

test('a workspace may be read only, but neither missing, nor the home folder, nor the root', async () => {
  const judge = (at: string) => judgeFolder('Workspace', at, 'workspace', folder);
  expect((await judge(folder)).verdict).toBe('warn');
  expect((await judge(path.parse(folder).root)).verdict).toBe('warn');
  expect((await judge(path.join(folder, 'missing'))).verdict).toBe('warn');
  expect(await judge('/proc')).toMatchObject({
    verdict: 'ok',
    says: expect.stringMatching(/read only/),
  });
});
