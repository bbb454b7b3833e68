import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  type ProcessRow,
  collectTree,
  endProcesses,
  listProcesses,
  parsePowerShell,
  parseProc,
  parsePs,
  stillRunning,
} from './process-table.ts';

const row = (pid: number, parentPid: number, groupId: number): ProcessRow => ({
  pid,
  parentPid,
  groupId,
  startedAt: '1',
  command: '',
});

test('a name with spaces and parentheses does not shift the fields of /proc', () => {
  const stat = `42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 9 0 123456 9 9`;
  expect(parseProc(stat, '/usr/bin/x\0--a=b c\0')).toEqual({
    pid: 42,
    parentPid: 7,
    groupId: 42,
    startedAt: '123456',
    command: '/usr/bin/x --a=b c',
  });
});

test('a zombie is no running process', () => {
  expect(parseProc('42 (x) Z 7 42 42 0 -1 0 1 2 3 4 5 6 7 8 20 0 9 0 123456', '')).toBeUndefined();
  expect(parsePs('   42     7    42 Z+   Mon Nov 30 21:00:01 2026     (x)')).toEqual([]);
});

test('ps of macOS is read with its five-word start time', () => {
  const output = `
    1     0     1 Ss   Mon Nov 30 20:00:00 2026     /sbin/launchd
  321   300   321 S+   Mon Nov  2 09:05:07 2026     /Applications/Google Chrome.app/Contents/MacOS/Google Chrome --a
`;
  expect(parsePs(output)).toEqual([
    {
      pid: 1,
      parentPid: 0,
      groupId: 1,
      startedAt: 'Mon Nov 30 20:00:00 2026',
      command: '/sbin/launchd',
    },
    {
      pid: 321,
      parentPid: 300,
      groupId: 321,
      startedAt: 'Mon Nov 2 09:05:07 2026',
      command: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome --a',
    },
  ]);
});

test('PowerShell’s answer is read, one process or many, with and without a command line', () => {
  const one = '{"ProcessId":5,"ParentProcessId":1,"CommandLine":"C:\\\\a.exe --x","Started":133}';
  const expected = { pid: 5, parentPid: 1, groupId: 5, startedAt: '133', command: 'C:\\a.exe --x' };
  expect(parsePowerShell(one)).toEqual([expected]);
  expect(
    parsePowerShell(
      `[${one},{"ProcessId":6,"ParentProcessId":5,"CommandLine":null,"Started":null}]`,
    ),
  ).toEqual([expected, { pid: 6, parentPid: 5, groupId: 6, startedAt: '', command: '' }]);
  expect(parsePowerShell('')).toEqual([]);
});

test('a tree holds descendants and orphans of the group, and nobody else', () => {
  const rows = [
    row(10, 1, 10),
    row(11, 10, 10),
    row(12, 11, 12), // a grandchild in a group of its own
    row(13, 1, 10), // an orphan of the group
    row(20, 1, 20),
    row(21, 20, 20),
  ];
  expect(collectTree(rows, [rows[0]!]).map(({ pid }) => pid)).toEqual([10, 11, 12, 13]);
});

test('a root that does not lead its group does not take the group along', () => {
  const rows = [row(20, 1, 20), row(21, 20, 20), row(22, 20, 20)];
  expect(collectTree(rows, [rows[1]!]).map(({ pid }) => pid)).toEqual([21]);
});

test('a stopped process is ended, and one with the same pid but another start is not', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const other = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    child.kill('SIGSTOP');
    const rows = await listProcesses();
    const mine = rows.filter(({ pid }) => pid === child.pid);
    const stranger = rows
      .filter(({ pid }) => pid === other.pid)
      .map((found) => ({ ...found, startedAt: 'before' }));
    expect(mine).toHaveLength(1);
    expect(await endProcesses([...mine, ...stranger], 0)).toEqual([]);
    expect(await stillRunning(mine)).toEqual([]);
    expect(other.exitCode).toBeNull();
    expect(other.signalCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
    other.kill('SIGKILL');
  }
});

test('our own process is listed, with its parent', async () => {
  const own = (await listProcesses()).find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parentPid: process.ppid });
});
