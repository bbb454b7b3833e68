import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type LaunchRecord,
  findMarked,
  notedProfile,
  profileFolder,
  readRecords,
  removeTempFolders,
  writeRecord,
} from './launch-record.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oriel-test-record-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const process_ = (command: string) => ({
  pid: 1,
  parentPid: 0,
  groupId: 1,
  startedAt: '1',
  command,
});

test('a record comes back as it was written; broken and foreign files are passed over', async () => {
  const record: LaunchRecord = {
    launchId: '0123456789abcdef-1',
    ownerPid: 1,
    ownerStartedAt: '2',
    tempFolders: ['/tmp/oriel-launch-abc'],
  };
  await writeRecord(folder, record);
  writeFileSync(join(folder, 'broken.json'), '{');
  writeFileSync(join(folder, 'other.json'), '{"launchId":"../../x","tempFolders":[]}');
  writeFileSync(join(folder, 'short.json'), '{"launchId":"a","tempFolders":[]}');
  expect(await readRecords(folder)).toEqual([record]);
});

test('only a whole mark proves a browser ours', () => {
  const rows = [
    process_('chrome --oriel-launch=0123456789abcdef-1 --x'),
    process_('chrome --oriel-launch=0123456789abcdef-11'),
    process_('vi --oriel-launch=0123456789abcdef-1.txt'),
  ];
  expect(findMarked(rows, '0123456789abcdef-1')).toEqual([rows[0]]);
});

test('a temporary profile is read from a command line, a profile of a person is not', () => {
  const at = (path: string) => profileFolder(process_(`chrome --a --user-data-dir=${path} --b`));
  expect(at('/tmp/x y/playwright_chromiumdev_profile-AbC123')).toBe(
    '/tmp/x y/playwright_chromiumdev_profile-AbC123',
  );
  expect(at('/home/ann/.config/google-chrome')).toBeUndefined();
  expect(at('/tmp/playwright_chromiumdev_profile-x/../../home')).toBeUndefined();
});

test('temporary folders go; links, other names and files stay', async () => {
  const ours = join(folder, 'oriel-launch-abc123');
  const kept = join(folder, 'documents');
  const link = join(folder, 'oriel-launch-link');
  const file = join(folder, 'oriel-launch-file');
  mkdirSync(join(ours, 'deep'), { recursive: true });
  mkdirSync(kept);
  symlinkSync(kept, link);
  writeFileSync(file, '');
  await removeTempFolders([ours, kept, link, file, join(folder, 'oriel-launch-none')]);
  expect([ours, kept, link, file].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('the profile that a launcher noted is known, and only under a name that is ours', async () => {
  const note = (line: string) =>
    writeFileSync(join(folder, 'arguments'), `--headless\n${line}\nabout:blank\n`);
  expect(await notedProfile(folder)).toBeUndefined();
  note('--user-data-dir=/tmp/playwright_chromiumdev_profile-Ab12');
  expect(await notedProfile(folder)).toBe('/tmp/playwright_chromiumdev_profile-Ab12');
  note('--user-data-dir=/home/somebody');
  expect(await notedProfile(folder)).toBeUndefined();
});
