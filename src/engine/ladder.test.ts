import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostFacts } from './host-facts.ts';
import { ensureBrowser, findBrowser } from './ladder.ts';
import { PLAYWRIGHT_VERSION, adviseSetup } from './setup-advice.ts';

const bare = (facts: Partial<HostFacts> & { osRelease?: string } = {}): HostFacts => ({
  platform: 'linux',
  arch: 'x64',
  isRoot: false,
  homeDir: '/home/ann',
  tempDir: '/tmp',
  env: {},
  isExecutable: () => false,
  readText: (path) => (path === '/etc/os-release' ? facts.osRelease : undefined),
  listFolder: () => [],
  findMacApps: () => [],
  ...facts,
});

const wish = (host: HostFacts, executablePath = '') => ({
  executablePath,
  headless: true,
  dataDir: '/home/ann/.oriel',
  host,
});

describe('a configured path', () => {
  test('is used before anything else, as kind custom', () => {
    const host = bare({ isExecutable: () => true });
    expect(findBrowser(wish(host, '/opt/my/chrome'))).toEqual({
      kind: 'custom',
      path: '/opt/my/chrome',
      isHeadlessShell: false,
      source: 'configured',
    });
  });

  test('that does not exist is an error that names it, also where other browsers are', () => {
    const host = bare({ isExecutable: (path) => path === '/usr/bin/chromium' });
    expect(() => findBrowser(wish(host, '/opt/my/chrome'))).toThrow(
      expect.objectContaining({
        code: 'setup_needed',
        message: expect.stringContaining('/opt/my/chrome'),
      }),
    );
  });

  test('that is relative is bad input', () => {
    expect(() => findBrowser(wish(bare(), 'chrome'))).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining('chrome') }),
    );
  });
});

describe('without a browser', () => {
  test.each([
    [
      'ID=debian',
      false,
      'sudo apt-get update && sudo apt-get install -y chromium-headless-shell chromium',
    ],
    ['ID=debian', true, 'apt-get update && apt-get install -y chromium-headless-shell chromium'],
    ['ID=fedora', false, 'sudo dnf install -y chromium-headless chromium'],
    [
      'ID="rocky"\nID_LIKE="rhel centos fedora"',
      true,
      'dnf install -y epel-release && dnf install -y chromium-headless',
    ],
    ['ID=alpine', true, 'apk add chromium'],
    ['ID=endeavouros\nID_LIKE=arch', false, 'sudo pacman -S --needed chromium'],
    [
      'ID=ubuntu\nID_LIKE=debian',
      false,
      `npx playwright-core@${PLAYWRIGHT_VERSION} install --with-deps chromium-headless-shell`,
    ],
  ])('on %j (root: %s) the first advice is %s', (osRelease, isRoot, command) => {
    const host = bare({ osRelease, isRoot });
    expect(adviseSetup(host)[0]).toBe(command);
    expect(() => findBrowser(wish(host))).toThrow(
      expect.objectContaining({ code: 'setup_needed', hint: expect.stringContaining(command) }),
    );
  });

  test.each([
    ['darwin', 'brew install --cask google-chrome'],
    ['win32', 'winget install --id Google.Chrome'],
  ] as const)('on %s the first advice is %s', (platform, command) => {
    expect(adviseSetup(bare({ platform }))[0]).toBe(command);
  });

  test('the advice names the release of Playwright that is installed', () => {
    const packageJson = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { dependencies: Record<string, string> };
    expect(PLAYWRIGHT_VERSION).toBe(packageJson.dependencies['playwright-core']);
  });
});

describe('setting up', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oriel-test-ladder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const setup = (host: HostFacts, notes: string[], signal = new AbortController().signal) => ({
    ...wish(host),
    dataDir: folder,
    progress: (note: string) => void notes.push(note),
    signal,
  });

  test('takes the browser that is there and installs nothing', async () => {
    const notes: string[] = [];
    const host = bare({ isExecutable: (path) => path === '/usr/bin/chromium' });
    const browser = await ensureBrowser(setup(host, notes));
    expect(browser.path).toBe('/usr/bin/chromium');
    expect(notes).toEqual(['Found chromium: /usr/bin/chromium.']);
  });

  test('where every rung fails tells each failure and what to do', async () => {
    // An npm that cannot reach its registry.
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm error code ENOTFOUND" >&2\nexit 1\n');
    chmodSync(join(folder, 'npm'), 0o755);
    const notes: string[] = [];
    const host = bare({ osRelease: 'ID=debian', env: { PATH: `${folder}:/usr/bin:/bin` } });
    await expect(
      ensureBrowser({ ...setup(host, notes), installers: ['apt', 'npm'] }),
    ).rejects.toMatchObject({
      code: 'setup_needed',
      message: expect.stringContaining('npm error code ENOTFOUND'),
      hint: expect.stringContaining('sudo apt-get install -y chromium-headless-shell'),
    });
    expect(notes.join('\n')).toContain('lags behind in security fixes');
  });

  test('stops at once when it is cancelled, with the command that runs', async () => {
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\nsleep 60\n');
    chmodSync(join(folder, 'npm'), 0o755);
    const host = bare({ env: { PATH: `${folder}:/usr/bin:/bin` } });
    const stop = new AbortController();
    const startedAt = performance.now();
    setTimeout(() => stop.abort(new Error('enough')), 300);
    await expect(
      ensureBrowser({ ...setup(host, [], stop.signal), installers: ['npm'] }),
    ).rejects.toThrow('enough');
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
