import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture, textOf } from '../../../test/files/core-fixture.ts';
import { download, reply } from '../../../test/harness/route-handlers.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import type { Download } from '../../model/download.ts';
import type { Effect } from '../../model/effect.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Listed = { downloads: Download[]; path: string | null };
type Told = NonNullable<Effect['downloads']>;

/** Clicks a link of the downloads page and returns what the answers tell until it has ended. */
async function clickFor(text: string): Promise<Told[number]> {
  await fixture.goto('/downloads.html');
  const clicked = await fixture.done('browser_click', { target: `text="${text}"` });
  let told = clicked.effect?.downloads?.at(-1);
  if (!told || told.state === 'started') {
    const { output } = await fixture.done<Listed>('browser_downloads', { action: 'wait' });
    told = output.downloads.at(-1);
  }
  if (!told) throw new Error('No download was told');
  return told;
}

test('a click that downloads says so, with path, size and type, whatever the kind', async () => {
  for (const [link, content, type] of [
    ['Attachment', 'part,stock\r\nbolt,12\r\n', 'text/csv'],
    ['Attachment after a redirect', 'part,stock\r\nbolt,12\r\n', 'text/csv'],
    ['Data URL', 'from a data URL', 'text/plain'],
    ['Blob URL', 'from a blob', 'text/plain'],
  ] as const) {
    const told = await clickFor(link);
    expect(told, link).toMatchObject({ state: 'done', bytes: content.length, mimeType: type });
    expect(readFileSync(told.path ?? '', 'utf8'), link).toBe(content);
    expect(statSync(told.path ?? '').mode & 0o777).toBe(0o600);
  }
});

test('the action that begins a download waits for a short one and tells its end', async () => {
  await fixture.goto('/downloads.html');
  const clicked = await fixture.done('browser_click', { target: 'text="Attachment"' });
  expect(clicked.effect?.downloads).toMatchObject([{ state: 'done', bytes: 21 }]);
  expect(clicked.text).toMatch(/download d\d+: report.*\.csv \(done\) \S+ 21 bytes text\/csv/);
});

test('one that fails says why, and the browser goes on', async () => {
  for (const link of ['Download that breaks off', 'Download that is not there']) {
    const told = await clickFor(link);
    expect(told, link).toMatchObject({ state: 'failed' });
    expect(told.error).toMatch(/stopped before its end/);
  }
  expect((await fixture.goto('/blank.html')).status).toBe('done');
});

test('a navigation to an attachment fails as one and tells the download', async () => {
  await fixture.goto('/blank.html');
  const failed = await fixture.failed('browser_navigate', {
    url: fixture.server.url('/download/report.csv'),
  });
  expect(failed.error.message).toContain('answered with a file');
  expect(failed.effect?.downloads).toMatchObject([{ state: 'done', bytes: 21 }]);
  expect(textOf(failed)).toMatch(/download d\d+: report/);
});

test('names are made safe and never shared, and the manifest holds every state', async () => {
  const told = await clickFor('Attachment with a dangerous name');
  expect(path.dirname(told.path ?? '')).toBe(path.join(fixture.sessionFolder(), 'downloads'));
  expect(path.basename(told.path ?? '')).not.toMatch(/[/\\]|\.\./);
  const [first, second] = [await clickFor('Attachment'), await clickFor('Attachment')];
  expect(first.path).not.toBe(second.path);
  const manifest = path.join(fixture.sessionFolder(), 'downloads.jsonl');
  const lines = readFileSync(manifest, 'utf8').trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Download);
  expect(entries.filter(({ id }) => id === second.id).map(({ state }) => state)).toEqual([
    'started',
    'done',
  ]);
  expect(entries.find(({ id, state }) => id === second.id && state === 'done')).toMatchObject({
    page: 'p1',
    bytes: 21,
    mimeType: 'text/csv',
    suggestedName: 'report.csv',
  });
  expect(statSync(manifest).mode & 0o777).toBe(0o600);
  const names = readdirSync(path.join(fixture.sessionFolder(), 'downloads'));
  expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
});

test('the type is that of the content, not of the name', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  for (const [name, body, type] of [
    ['photo.txt', png, 'image/png'],
    ['invoice.pdf', '<!doctype html><title>Please log in</title>', 'text/html'],
    ['data.bin', '{"a": [1]}', 'application/json'],
    ['noise.txt', Buffer.from([1, 0, 255, 254, 3]), 'application/octet-stream'],
  ] as const) {
    fixture.server.route(`/typed/${name}`, download(name, body));
    await fixture.goto('/blank.html');
    await fixture.evaluate(
      `() => { document.body.innerHTML = '<a href="/typed/${name}">get</a>' }`,
    );
    await fixture.done('browser_click', { target: 'text=get' });
    const { output } = await fixture.done<Listed>('browser_downloads');
    expect(output.downloads.at(-1)).toMatchObject({ state: 'done', mimeType: type });
  }
});

test('a download that ends later is told in the next answer, once', async () => {
  verifies('E-107');
  let release = () => {};
  fixture.server.route('/late.txt', (_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="late.txt"',
      // Otherwise Chromium waits for enough to guess the type by.
      'x-content-type-options': 'nosniff',
    });
    response.write('first ');
    release = () => response.end('last');
  });
  await fixture.goto('/blank.html');
  await fixture.evaluate(`() => { document.body.innerHTML = '<a href="/late.txt">late</a>' }`);
  const clicked = await fixture.done('browser_click', { target: 'text=late' });
  expect(clicked.effect?.downloads).toMatchObject([{ name: 'late.txt', state: 'started' }]);
  release();
  await expect
    .poll(async () => (await fixture.done('browser_snapshot')).text)
    .toMatch(/download d\d+: late\.txt \(done\)/);
  expect((await fixture.done('browser_snapshot')).text).not.toMatch(/download d/);
});

test('downloads of pages that open for them are captured as well', async () => {
  verifies('E-109');
  await fixture.goto('/blank.html');
  await fixture.evaluate(
    `() => { document.body.innerHTML = '<a target="_blank" href="/download/report.csv">new</a>' }`,
  );
  await fixture.done('browser_click', { target: 'text=new' });
  await fixture.core.deps.downloads
    .wait(fixture.session(), undefined, AbortSignal.timeout(5_000))
    .catch(() => {});
  const { output } = await fixture.done<Listed>('browser_downloads');
  expect(output.downloads.at(-1)).toMatchObject({ suggestedName: 'report.csv', state: 'done' });
});

test('one that never ends is stopped by deleting it, and its end is known', async () => {
  await fixture.goto('/downloads.html');
  const clicked = await fixture.done('browser_click', {
    target: 'text="Download that never ends"',
  });
  const id = clicked.effect?.downloads?.[0]?.id;
  expect(clicked.effect?.downloads).toMatchObject([{ state: 'started' }]);
  const { output } = await fixture.done<Listed>('browser_downloads', { action: 'delete', id });
  expect(output.downloads[0]).toMatchObject({ id, state: 'failed' });
});

test('a copy goes to the workspace, is not overwritten unasked, and deleting removes the file', async () => {
  const { id, path: kept } = await clickFor('Attachment');
  const save = (input: object) => ({ action: 'save', id, ...input });
  const { output } = await fixture.done<Listed>('browser_downloads', save({ path: 'in/a.csv' }));
  expect(output.path).toBe(path.join(fixture.workspace, 'in/a.csv'));
  expect(readFileSync(output.path ?? '', 'utf8')).toContain('bolt');
  expect((await fixture.failed('browser_downloads', save({ path: 'in/a.csv' }))).error.code).toBe(
    'bad_input',
  );
  await fixture.done('browser_downloads', save({ path: 'in/a.csv', overwrite: true }));
  for (const outside of ['../a.csv', '/etc/a.csv', '.git/hooks/post-checkout']) {
    const { error } = await fixture.failed('browser_downloads', save({ path: outside }));
    expect(error.code, outside).toBe('denied');
  }
  await fixture.done('browser_downloads', { action: 'delete', id });
  expect(() => statSync(kept ?? '')).toThrow('ENOENT');
  const { error } = await fixture.failed('browser_downloads', save({ path: 'b.csv' }));
  expect(error.code).toBe('not_found');
});

test('a wait without any download ends with its limit', async () => {
  await fixture.done('browser_downloads');
  const { error } = await fixture.failed('browser_downloads', { action: 'wait', timeoutMs: 300 });
  expect(error.code).toBe('timeout');
  expect(
    (await fixture.failed('browser_downloads', { action: 'wait', id: 'd999' })).error.code,
  ).toBe('not_found');
});

test('a download is held to its size: at the bound it is kept, above it is stopped', async () => {
  await using small = await CoreFixture.open({ downloads: { maxBytes: 1_000 } });
  small.server.route('/sized', ({ url }, response) => {
    const bytes = Number(url.searchParams.get('bytes'));
    const isTold = url.searchParams.has('told');
    response.writeHead(200, {
      'content-disposition': `attachment; filename="${bytes}.bin"`,
      'content-type': 'application/octet-stream',
      ...(isTold ? { 'content-length': bytes } : {}),
    });
    response.end(Buffer.alloc(bytes, 7));
  });
  for (const [query, state] of [
    ['bytes=999&told', 'done'],
    ['bytes=1000&told', 'done'],
    ['bytes=1000', 'done'],
    ['bytes=1001&told', 'failed'],
    ['bytes=1001', 'failed'],
  ] as const) {
    await small.goto('/blank.html');
    await small.evaluate(`() => { document.body.innerHTML = '<a href="/sized?${query}">get</a>' }`);
    await small.done('browser_click', { target: 'text=get' });
    const { output } = await small.done<Listed>('browser_downloads');
    expect(output.downloads.at(-1), query).toMatchObject({ state });
    if (state === 'failed') expect(output.downloads.at(-1)?.error).toMatch(/downloads\.maxBytes/);
  }
  const kept = readdirSync(path.join(small.sessionFolder(), 'downloads'));
  expect(kept.toSorted()).toEqual(['1000-2.bin', '1000.bin', '999.bin']);
});

test('a session keeps so many: further ones are stopped until some are deleted', async () => {
  await using few = await CoreFixture.open({ downloads: { maxCount: 2 } });
  const get = async () => {
    await few.goto('/downloads.html');
    await few.done('browser_click', { target: 'text="Attachment"' });
    return (await few.done<Listed>('browser_downloads')).output.downloads.at(-1);
  };
  expect(await get()).toMatchObject({ id: 'd1', state: 'done' });
  expect(await get()).toMatchObject({ id: 'd2', state: 'done' });
  expect(await get()).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/maxCount/) as string,
  });
  await few.done('browser_downloads', { action: 'delete', id: 'd1' });
  expect(await get()).toMatchObject({ id: 'd4', state: 'done' });
});

test('a folder for all is used when it is configured, and nothing is kept when nothing may be', async () => {
  verifies('E-105', 'E-106', 'E-108');
  await using shared = await CoreFixture.open();
  const dir = path.join(shared.folder, 'given');
  await using given = await CoreFixture.open({ downloads: { dir } });
  expect(() => statSync(dir)).toThrow('ENOENT');
  await given.goto('/downloads.html');
  const kept = await given.done('browser_click', { target: 'text="Attachment"' });
  expect(kept.effect?.downloads?.[0]?.path).toBe(path.join(dir, 'report.csv'));

  await using none = await CoreFixture.open({ downloads: { save: false } });
  await none.goto('/downloads.html');
  const skipped = await none.done('browser_click', { target: 'text="Attachment"' });
  expect(skipped.effect?.downloads).toMatchObject([{ name: 'report.csv', state: 'skipped' }]);
  expect(skipped.text).toContain('report.csv (skipped)');
  expect(() => statSync(none.sessionFolder())).toThrow('ENOENT');
});

test('a folder that cannot be written is told, and the browser still works', async () => {
  await using other = await CoreFixture.open();
  const dir = path.join(other.folder, 'file-in-the-way');
  writeFileSync(dir, '');
  await using broken = await CoreFixture.open({ downloads: { dir: path.join(dir, 'sub') } });
  await broken.goto('/downloads.html');
  const clicked = await broken.done('browser_click', { target: 'text="Attachment"' });
  const told = clicked.effect?.downloads?.[0];
  expect(told).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/ENOTDIR/) as string,
  });
  broken.server.route('/after.html', reply('<title>After</title>'));
  expect((await broken.goto('/after.html')).status).toBe('done');
});
