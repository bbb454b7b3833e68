import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHostFacts } from './host-facts.ts';
import { ensureBrowser } from './ladder.ts';
import { LocalEngine } from './local.ts';

test('the npm rung installs a browser that opens a page, and a second run finds it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oriel-test-npm-'));
  try {
    // As if the system had no browser at all.
    const real = readHostFacts(process.env);
    const host = {
      ...real,
      isExecutable: (path: string) => path.startsWith(dataDir) && real.isExecutable(path),
    };
    const notes: string[] = [];
    const wish = {
      headless: true,
      dataDir,
      host,
      progress: (note: string) => void notes.push(note),
      signal: AbortSignal.timeout(240_000),
    };
    const installed = await ensureBrowser({ ...wish, installers: ['npm'] });
    expect(installed).toMatchObject({ source: 'npm', isHeadlessShell: true });
    expect(notes.join('\n')).toContain('lags behind in security fixes');
    expect(readdirSync(join(dataDir, 'browsers'))).toHaveLength(1);
    expect(await ensureBrowser({ ...wish, installers: [] })).toEqual(installed);

    await using engine = new LocalEngine({ headless: true, dataDir, host });
    const lease = await engine.open({}, wish.signal);
    const page = await lease.browser.newPage();
    await page.setContent('<button>Save</button>');
    expect(await page.locator('body').ariaSnapshot()).toBe('- button "Save"');
    expect((await page.screenshot()).length).toBeGreaterThan(1000);
    expect(engine.status().browser?.version).toMatch(/^147\./);
    expect(engine.status().browser?.warning).toContain('security fixes');
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 300_000);
