import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { silentLog, type Log } from '../kernel/log.ts';
import { DailyLines } from './daily-lines.ts';

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'oriel-lines-'));

it('has a line on disk as soon as it is appended, for its owner alone', () => {
  const folder = path.join(newFolder(), 'audit');
  using lines = new DailyLines(folder, silentLog);
  lines.append({ tool: 'browser_click' });
  lines.append({ tool: 'browser_type' });
  const [file = ''] = readdirSync(folder);
  expect(file).toMatch(/^\d{4}-\d\d-\d\d\.jsonl$/);
  const full = path.join(folder, file);
  expect(
    readFileSync(full, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([{ tool: 'browser_click' }, { tool: 'browser_type' }]);
  expect(statSync(full).mode & 0o077).toBe(0);
});

it('says once that it cannot write, and never throws', () => {
  const file = path.join(newFolder(), 'file');
  writeFileSync(file, '');
  const messages: string[] = [];
  const log: Log = (_level, message) => void messages.push(message);
  using lines = new DailyLines(path.join(file, 'below-a-file'), log);
  lines.append({});
  lines.append({});
  expect(messages).toEqual(['a record cannot be written; what happens goes unrecorded']);
});
