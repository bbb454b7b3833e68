import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import type { Artifact } from '../../model/artifact.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
  await fixture.goto('/form-50.html');
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Printed = { file: Artifact; pages: number };
const print = async (input: object) => (await fixture.done<Printed>('browser_pdf', input)).output;
/** Width and height of the first sheet, in points. */
const sheet = (file: Artifact) =>
  /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/
    .exec(readFileSync(file.path, 'latin1'))
    ?.slice(1)
    .map(Number);

test('a page is printed to a file on the paper that was asked for', async () => {
  const { file, pages } = await print({});
  expect(file).toMatchObject({ mimeType: 'application/pdf' });
  expect(readFileSync(file.path, 'latin1').startsWith('%PDF-')).toBe(true);
  expect(pages).toBeGreaterThan(1);
  const [width = 0, height = 0] = sheet(file) ?? [];
  expect([Math.floor(width), Math.floor(height)]).toEqual([595, 842]);
  const wide = sheet((await print({ paper: 'Letter', landscape: true })).file) ?? [];
  expect(wide.map(Math.floor)).toEqual([792, 612]);
});

test('ranges and margins hold, and what is no range is refused', async () => {
  expect((await print({ ranges: '1' })).pages).toBe(1);
  const { pages } = await print({});
  expect((await print({ margin: '80mm' })).pages).toBeGreaterThan(pages);
  for (const ranges of ['99', 'x', '1-']) {
    expect((await fixture.failed('browser_pdf', { ranges })).error.code, ranges).toBe('bad_input');
  }
  expect((await fixture.failed('browser_pdf', { scale: 2.1 })).error.code).toBe('bad_input');
});

test('printing writes to the disk, so a server that only reads refuses it', async () => {
  await using readonly = await CoreFixture.open({ mode: 'readonly' });
  expect((await readonly.failed('browser_pdf')).error.code).toBe('denied');
});
