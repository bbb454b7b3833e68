import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';

let fixture: CoreFixture;
let extra: string;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const PAGE = `() => {
  document.body.innerHTML = \`
    <label id="label">One <input type="file" id="one"></label>
    <input type="file" id="many" multiple>
    <input type="file" id="hidden" style="display:none">
    <button id="ask" onclick="document.getElementById('hidden').click()">Ask</button>
    <button id="dead">Dead</button>\`;
  window.read = async (id) => Promise.all(
    [...document.getElementById(id).files].map(async (file) => [file.name, await file.text(), file.type]));
}`;

beforeEach(async () => {
  extra = path.join(fixture.folder, 'outside');
  rmSync(extra, { recursive: true, force: true });
  mkdirSync(extra);
  writeFileSync(path.join(extra, 'secret.txt'), 'secret');
  for (const name of readdirSync(fixture.workspace))
    rmSync(path.join(fixture.workspace, name), { recursive: true });
  writeFileSync(path.join(fixture.workspace, 'a.txt'), 'content of a');
  writeFileSync(path.join(fixture.workspace, 'b.json'), '{}');
  await fixture.goto('/blank.html');
  await fixture.evaluate(PAGE);
});

const held = (id: string) => fixture.evaluate(`() => window.read('${id}')`);

test('a file field gets the file, by itself or by its label, and several where it takes several', async () => {
  await fixture.done('browser_upload', { target: '#one', paths: ['a.txt'] });
  expect(await held('one')).toEqual([['a.txt', 'content of a', 'text/plain']]);
  await fixture.done('browser_upload', { target: '#label', paths: ['b.json'] });
  expect(await held('one')).toEqual([['b.json', '{}', 'application/json']]);
  const both = { target: '#many', paths: ['a.txt', path.join(fixture.workspace, 'b.json')] };
  const { output, text } = await fixture.done('browser_upload', both);
  expect(output).toEqual({
    files: [
      { name: 'a.txt', bytes: 12 },
      { name: 'b.json', bytes: 2 },
    ],
  });
  expect(text).toContain('a.txt (12 bytes), b.json (2 bytes)');
  expect(await held('many')).toHaveLength(2);
  await fixture.done('browser_upload', { target: '#many', paths: [] });
  expect(await held('many')).toEqual([]);
  const { error } = await fixture.failed('browser_upload', { ...both, target: '#one' });
  expect(error.code).toBe('bad_input');
});

test('a chooser is answered in the call that opens it', async () => {
  await fixture.done('browser_upload', { target: '#ask', paths: ['a.txt'] });
  expect(await held('hidden')).toEqual([['a.txt', 'content of a', 'text/plain']]);
});

test('a chooser that a click has opened is told and answered afterwards, once', async () => {
  const clicked = await fixture.done('browser_click', { target: '#ask' });
  expect(clicked.effect?.fileChooser).toEqual({ isMultiple: false });
  expect(clicked.text).toContain('file chooser: open, takes one file; answer with browser_upload');
  await fixture.done('browser_upload', { paths: ['a.txt'] });
  expect(await held('hidden')).toHaveLength(1);
  const { error } = await fixture.failed('browser_upload', { paths: ['a.txt'] });
  expect(error).toMatchObject({
    code: 'not_found',
    message: 'No file chooser is open on the page.',
  });
});

test('a button that opens none says so, and a document that left takes its chooser along', async () => {
  const dead = await fixture.failed('browser_upload', {
    target: '#dead',
    paths: ['a.txt'],
    timeoutMs: 15_000,
  });
  expect(dead.error.code).toBe('not_actionable');
  await fixture.done('browser_click', { target: '#ask' });
  await fixture.goto('/form-50.html');
  expect((await fixture.failed('browser_upload', { paths: ['a.txt'] })).error.code).toBe(
    'not_found',
  );
});

test('paths outside, links and what is no plain file are refused, and the field stays as it was', async () => {
  const inside = (name: string) => path.join(fixture.workspace, name);
  symlinkSync(path.join(extra, 'secret.txt'), inside('link.txt'));
  symlinkSync(extra, inside('folder-link'));
  linkSync(path.join(extra, 'secret.txt'), inside('hard.txt'));
  symlinkSync(inside('nowhere'), inside('dangling'));
  mkdirSync(inside('folder'));
  execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', inside('pipe')]);
  for (const name of [
    '../outside/secret.txt',
    path.join(extra, 'secret.txt'),
    'folder/../../outside/secret.txt',
    'link.txt',
    'folder-link/secret.txt',
    'hard.txt',
    'dangling',
    'folder',
    'pipe',
    '.',
    '/etc/passwd',
    '/proc/self/environ',
    '/does/not/exist',
    'a.txt\0.png',
  ]) {
    const { error } = await fixture.failed('browser_upload', { target: '#one', paths: [name] });
    expect(error.code, name).toBe('denied');
    expect(JSON.stringify(error), name).not.toContain('content');
  }
  const { error } = await fixture.failed('browser_upload', {
    target: '#one',
    paths: ['missing.txt'],
  });
  expect(error.code).toBe('not_found');
  expect(await held('one')).toEqual([]);
});

test('a link that stays inside is followed, and files of the session and of configured roots are taken', async () => {
  symlinkSync(path.join(fixture.workspace, 'a.txt'), path.join(fixture.workspace, 'alias.txt'));
  await fixture.done('browser_upload', { target: '#one', paths: ['alias.txt'] });
  expect(await held('one')).toEqual([['alias.txt', 'content of a', 'text/plain']]);
  const shot = await fixture.done<{ file: { path: string } }>('browser_screenshot');
  await fixture.done('browser_upload', { target: '#one', paths: [shot.output.file.path] });
  expect(((await held('one')) as string[][])[0]?.[0]).toMatch(/^shot-/);

  await using rooted = await CoreFixture.open({ uploads: { roots: [extra] } });
  await rooted.goto('/blank.html');
  await rooted.evaluate(PAGE);
  await rooted.done('browser_upload', { target: '#one', paths: [path.join(extra, 'secret.txt')] });
  expect(await rooted.evaluate(`() => window.read('one')`)).toEqual([
    ['secret.txt', 'secret', 'text/plain'],
  ]);
});

test('the page keeps what was checked when the file changes, and no copy outlives the page', async () => {
  await fixture.done('browser_upload', { target: '#one', paths: ['a.txt'] });
  writeFileSync(path.join(fixture.workspace, 'a.txt'), 'something else');
  expect(await held('one')).toEqual([['a.txt', 'content of a', 'text/plain']]);
  const staged = path.join(fixture.sessionFolder(), '.uploads');
  expect(readdirSync(staged).length).toBeGreaterThan(0);
  await fixture.done('browser_tabs', { action: 'close' });
  await expect.poll(() => readdirSync(staged)).toEqual([]);
});
