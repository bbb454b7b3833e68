import { expect, test } from 'vitest';
import type { Download } from '../../src/model/download.ts';
import { CoreFixture } from '../files/core-fixture.ts';

test('eight sessions on one origin never see each other: cookies, storage, pages, downloads', async () => {
  await using fixture = await CoreFixture.open();
  const names = Array.from({ length: 8 }, (_, at) => `agent${at}`);
  await Promise.all(
    names.map(async (name) => {
      await fixture.goto(`/set-cookie?who=${name}`, name);
      await fixture.done('browser_storage', { action: 'set', key: 'who', value: name }, name);
      await fixture.evaluate(
        `() => { document.body.innerHTML = '<a download="${name}.txt" href="data:text/plain,${name}">get</a>' }`,
        name,
      );
      await fixture.done('browser_click', { target: 'text=get' }, name);
    }),
  );
  const paths = new Set<string>();
  for (const name of names) {
    const cookies = await fixture.done<{ cookies: { value: string }[] }>(
      'browser_cookies',
      { name: 'who' },
      name,
    );
    expect(cookies.output.cookies.map(({ value }) => value)).toEqual([name]);
    const stored = await fixture.done<{ entries: { value: string }[] }>(
      'browser_storage',
      { action: 'get' },
      name,
    );
    expect(stored.output.entries.map(({ value }) => value)).toEqual([name]);
    const { output } = await fixture.done<{ downloads: Download[] }>('browser_downloads', {}, name);
    expect(output.downloads).toMatchObject([
      { id: 'd1', suggestedName: `${name}.txt`, state: 'done' },
    ]);
    paths.add(output.downloads[0]?.path ?? '');
    const tabs = await fixture.done<{ pages: unknown[] }>('browser_tabs', {}, name);
    expect(tabs.output.pages).toHaveLength(1);
  }
  expect(paths.size).toBe(8);
});
