import { describe, expect, test } from 'vitest';
import { discoverBrowsers, playwrightCacheFolder } from './discover.ts';
import type { HostFacts } from './host-facts.ts';

/** A machine that has exactly these executables, text files and folders. */
function machine(facts: {
  platform: NodeJS.Platform;
  has?: readonly string[];
  texts?: Record<string, string>;
  folders?: Record<string, readonly string[]>;
  apps?: Record<string, readonly string[]>;
  env?: Record<string, string>;
}): HostFacts {
  return {
    platform: facts.platform,
    arch: 'x64',
    isRoot: false,
    homeDir: '/home/ann',
    tempDir: '/tmp',
    env: facts.env ?? {},
    isExecutable: (path) => facts.has?.includes(path) === true,
    readText: (path) => facts.texts?.[path],
    listFolder: (path) => facts.folders?.[path] ?? [],
    findMacApps: (bundleId) => facts.apps?.[bundleId] ?? [],
  };
}

const kinds = (host: HostFacts, headless = false) =>
  discoverBrowsers(host, { headless }).map(({ kind, path }) => [kind, path]);

describe('on Linux', () => {
  test('every kind is found by its executable name on the PATH', () => {
    const host = machine({
      platform: 'linux',
      env: { PATH: 'relative:/opt/tools' },
      has: [
        '/opt/tools/google-chrome-stable',
        '/usr/bin/chromium-browser',
        '/usr/bin/microsoft-edge',
        '/usr/local/bin/brave-browser',
        '/opt/google/chrome-unstable/chrome',
      ],
    });
    expect(kinds(host)).toEqual([
      ['chrome', '/opt/tools/google-chrome-stable'],
      ['chromium', '/usr/bin/chromium-browser'],
      ['edge', '/usr/bin/microsoft-edge'],
      ['brave', '/usr/local/bin/brave-browser'],
      ['canary', '/opt/google/chrome-unstable/chrome'],
    ]);
  });

  test('a headless shell is first for headless runs and left out for runs with a window', () => {
    const host = machine({
      platform: 'linux',
      has: ['/usr/bin/google-chrome', '/usr/bin/chromium-headless-shell'],
    });
    expect(discoverBrowsers(host, { headless: true })[0]).toEqual({
      kind: 'chromium',
      path: '/usr/bin/chromium-headless-shell',
      isHeadlessShell: true,
      source: 'system',
    });
    expect(kinds(host, false)).toEqual([['chrome', '/usr/bin/google-chrome']]);
  });

  test('a .desktop file names an executable elsewhere, through env and quotes', () => {
    const host = machine({
      platform: 'linux',
      has: ['/srv/apps/brave/brave'],
      texts: {
        '/usr/share/applications/com.brave.Browser.desktop':
          '[Desktop Entry]\nName=Brave\nExec=/usr/bin/env GTK=1 "/srv/apps/brave/brave" %U\n',
      },
    });
    expect(kinds(host)).toEqual([['brave', '/srv/apps/brave/brave']]);
  });

  test('a flatpak launcher is no browser that can be driven', () => {
    const host = machine({
      platform: 'linux',
      has: ['/usr/bin/flatpak'],
      texts: {
        '/usr/share/applications/com.google.Chrome.desktop':
          'Exec=/usr/bin/flatpak run com.google.Chrome\n',
      },
    });
    expect(kinds(host)).toEqual([]);
  });

  test('a snap comes after everything else', () => {
    const host = machine({
      platform: 'linux',
      env: { PATH: '/snap/bin:/usr/bin' },
      has: ['/snap/bin/chromium', '/usr/bin/brave'],
    });
    expect(kinds(host).map(([kind]) => kind)).toEqual(['brave', 'chromium']);
  });

  test('the newest of Playwright’s downloads comes after the system’s browsers', () => {
    const host = machine({
      platform: 'linux',
      folders: {
        '/home/ann/.cache/ms-playwright': ['chromium-900', 'chromium-1255', 'firefox-1', 'x'],
      },
      has: [
        '/usr/bin/chromium',
        '/home/ann/.cache/ms-playwright/chromium-900/chrome-linux/chrome',
        '/home/ann/.cache/ms-playwright/chromium-1255/chrome-linux64/chrome',
      ],
    });
    expect(kinds(host)).toEqual([
      ['chromium', '/usr/bin/chromium'],
      ['chromium', '/home/ann/.cache/ms-playwright/chromium-1255/chrome-linux64/chrome'],
    ]);
  });
});

describe('on macOS', () => {
  test('apps are found in both application folders', () => {
    const host = machine({
      platform: 'darwin',
      has: [
        '/home/ann/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary',
        '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      ],
    });
    expect(kinds(host)).toEqual([
      ['edge', '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
      [
        'canary',
        '/home/ann/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary',
      ],
    ]);
  });

  test.each([
    ['com.google.Chrome', 'chrome', 'Google Chrome'],
    ['com.brave.Browser', 'brave', 'Brave Browser'],
    ['org.chromium.Chromium', 'chromium', 'Chromium'],
    ['com.microsoft.edgemac', 'edge', 'Microsoft Edge'],
    ['com.google.Chrome.canary', 'canary', 'Google Chrome Canary'],
  ])('an app elsewhere is found by its bundle id %s', (bundleId, kind, app) => {
    const path = `/Volumes/Apps/Browser.app/Contents/MacOS/${app}`;
    const host = machine({
      platform: 'darwin',
      apps: { [bundleId]: ['/Volumes/Apps/Browser.app'] },
      has: [path],
    });
    expect(kinds(host)).toEqual([[kind, path]]);
  });
});

describe('on Windows', () => {
  test('each kind is found below the Program Files folders and the local data', () => {
    const env = {
      LOCALAPPDATA: 'C:\\Users\\ann\\AppData\\Local',
      ProgramFiles: 'C:\\Program Files',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    };
    const has = [
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
      'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
      'C:\\Program Files\\BraveSoftware\\Brave-Browser\\Application\\brave.exe',
      'C:\\Users\\ann\\AppData\\Local\\Google\\Chrome SxS\\Application\\chrome.exe',
    ];
    expect(kinds(machine({ platform: 'win32', env, has }))).toEqual([
      ['chrome', has[0]],
      ['edge', has[1]],
      ['brave', has[2]],
      ['canary', has[3]],
    ]);
  });
});

test.each([
  ['linux', {}, '/home/ann/.cache/ms-playwright'],
  ['linux', { XDG_CACHE_HOME: '/c' }, '/c/ms-playwright'],
  ['linux', { PLAYWRIGHT_BROWSERS_PATH: '/pw' }, '/pw'],
  ['darwin', {}, '/home/ann/Library/Caches/ms-playwright'],
  ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\L\\ms-playwright'],
  ['win32', {}, undefined],
] as const)('Playwright’s cache on %s with %o is %s', (platform, env, folder) => {
  expect(playwrightCacheFolder(machine({ platform, env }))).toBe(folder);
});
