import type { BrowserKind } from './browser-kind.ts';

/** Where one browser can be found, per platform. A missing platform means it is not made for it. */
export interface BrowserPlaces {
  readonly kind: BrowserKind;
  readonly isHeadlessShell?: true;
  readonly linux?: {
    /** Names looked up on the PATH, then in the usual folders. */
    readonly names: readonly string[];
    /** Absolute paths off the PATH. */
    readonly paths?: readonly string[];
    /** Names of .desktop files, whose Exec line names the executable. */
    readonly desktop?: readonly string[];
  };
  readonly darwin?: {
    readonly bundleId: string;
    /** Folder name in /Applications or ~/Applications, without `.app`. */
    readonly app: string;
  };
  readonly win32?: {
    /** Below the Program Files folders and the user's local application data. */
    readonly paths: readonly string[];
  };
}

/** In order of preference among windows-capable browsers; headless shells come first when asked. */
export const BROWSER_PLACES: readonly BrowserPlaces[] = [
  {
    kind: 'chromium',
    isHeadlessShell: true,
    linux: {
      names: ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'],
      paths: [
        '/usr/lib/chromium/chromium-headless-shell',
        '/usr/lib64/chromium-browser/headless_shell',
      ],
    },
  },
  {
    kind: 'chrome',
    linux: {
      names: ['google-chrome-stable', 'google-chrome'],
      paths: ['/opt/google/chrome/chrome'],
      desktop: ['google-chrome', 'com.google.Chrome'],
    },
    darwin: { bundleId: 'com.google.Chrome', app: 'Google Chrome' },
    win32: { paths: ['Google\\Chrome\\Application\\chrome.exe'] },
  },
  {
    kind: 'chromium',
    linux: {
      names: ['chromium', 'chromium-browser'],
      paths: ['/usr/lib/chromium/chromium', '/usr/lib64/chromium-browser/chromium-browser'],
      desktop: ['chromium', 'chromium-browser', 'org.chromium.Chromium'],
    },
    darwin: { bundleId: 'org.chromium.Chromium', app: 'Chromium' },
    win32: { paths: ['Chromium\\Application\\chrome.exe'] },
  },
  {
    kind: 'edge',
    linux: {
      names: ['microsoft-edge-stable', 'microsoft-edge'],
      paths: ['/opt/microsoft/msedge/msedge'],
      desktop: ['microsoft-edge', 'com.microsoft.Edge'],
    },
    darwin: { bundleId: 'com.microsoft.edgemac', app: 'Microsoft Edge' },
    win32: { paths: ['Microsoft\\Edge\\Application\\msedge.exe'] },
  },
  {
    kind: 'brave',
    linux: {
      names: ['brave-browser-stable', 'brave-browser', 'brave'],
      paths: ['/opt/brave.com/brave/brave'],
      desktop: ['brave-browser', 'com.brave.Browser'],
    },
    darwin: { bundleId: 'com.brave.Browser', app: 'Brave Browser' },
    win32: { paths: ['BraveSoftware\\Brave-Browser\\Application\\brave.exe'] },
  },
  {
    kind: 'canary',
    linux: {
      names: ['google-chrome-canary', 'google-chrome-unstable'],
      paths: ['/opt/google/chrome-canary/chrome', '/opt/google/chrome-unstable/chrome'],
      desktop: ['google-chrome-canary', 'google-chrome-unstable'],
    },
    darwin: { bundleId: 'com.google.Chrome.canary', app: 'Google Chrome Canary' },
    win32: { paths: ['Google\\Chrome SxS\\Application\\chrome.exe'] },
  },
];

/** Folders that are searched when the PATH is poor, as it is under a desktop or a service. */
export const LINUX_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/bin',
] as const;

/** Snap wrappers come last: their confinement hides /tmp and hidden folders from the browser. */
export const SNAP_FOLDER = '/snap/bin';

/** What Playwright's downloads look like below its cache folder, newest layout first. */
export const PLAYWRIGHT_LAYOUTS = {
  shell: {
    prefix: 'chromium_headless_shell-',
    linux: ['chrome-headless-shell-linux64/chrome-headless-shell', 'chrome-linux/headless_shell'],
    darwin: [
      'chrome-headless-shell-mac-arm64/chrome-headless-shell',
      'chrome-headless-shell-mac-x64/chrome-headless-shell',
      'chrome-mac/headless_shell',
    ],
    win32: [
      'chrome-headless-shell-win64\\chrome-headless-shell.exe',
      'chrome-win\\headless_shell.exe',
    ],
  },
  full: {
    prefix: 'chromium-',
    linux: ['chrome-linux64/chrome', 'chrome-linux/chrome'],
    darwin: [
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
      'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    ],
    win32: ['chrome-win64\\chrome.exe', 'chrome-win\\chrome.exe'],
  },
} as const;
