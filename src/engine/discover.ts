import { posix, win32 } from 'node:path';
import type { FoundBrowser } from './browser-kind.ts';
import {
  BROWSER_PLACES,
  type BrowserPlaces,
  LINUX_FOLDERS,
  PLAYWRIGHT_LAYOUTS,
  SNAP_FOLDER,
} from './browser-places.ts';
import type { HostFacts } from './host-facts.ts';

/**
 * The browsers that are on this machine, best first: for headless runs a headless shell before
 * all others, for runs with a window none at all. Reads the file system, starts nothing.
 */
export function discoverBrowsers(host: HostFacts, wants: { headless: boolean }): FoundBrowser[] {
  const seen = new Set<string>();
  return [...findOnSystem(host), ...findPlaywrightDownloads(host)]
    .filter(({ isHeadlessShell }) => wants.headless || !isHeadlessShell)
    .toSorted((a, b) => Number(b.isHeadlessShell) - Number(a.isHeadlessShell))
    .filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** The folder where Playwright keeps its downloads, or undefined when it cannot be told. */
export function playwrightCacheFolder(host: HostFacts): string | undefined {
  const configured = host.env['PLAYWRIGHT_BROWSERS_PATH'];
  if (configured !== undefined && configured !== '' && configured !== '0') return configured;
  if (host.platform === 'darwin') return `${host.homeDir}/Library/Caches/ms-playwright`;
  if (host.platform === 'win32') {
    const local = host.env['LOCALAPPDATA'];
    return local === undefined ? undefined : win32.join(local, 'ms-playwright');
  }
  return posix.join(host.env['XDG_CACHE_HOME'] ?? `${host.homeDir}/.cache`, 'ms-playwright');
}

function findOnSystem(host: HostFacts): FoundBrowser[] {
  const found: FoundBrowser[] = [];
  const late: FoundBrowser[] = [];
  for (const places of BROWSER_PLACES) {
    const path = candidates(host, places).find((candidate) => host.isExecutable(candidate));
    if (path === undefined) continue;
    const browser = {
      kind: places.kind,
      path,
      isHeadlessShell: places.isHeadlessShell === true,
      source: 'system',
    } as const;
    (path.startsWith(`${SNAP_FOLDER}/`) ? late : found).push(browser);
  }
  return [...found, ...late];
}

function candidates(host: HostFacts, places: BrowserPlaces): string[] {
  if (host.platform === 'darwin') return places.darwin ? macPaths(host, places.darwin) : [];
  if (host.platform === 'win32') return windowsPaths(host, places.win32?.paths ?? []);
  const { names = [], paths = [], desktop = [] } = places.linux ?? {};
  return [
    ...executablePaths(host, names),
    ...paths,
    ...desktop.flatMap((name) => desktopPaths(host, name)),
    ...names.map((name) => posix.join(SNAP_FOLDER, name)),
  ];
}

function executablePaths(host: HostFacts, names: readonly string[]): string[] {
  const fromPath = (host.env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  const folders = [...new Set([...fromPath, ...LINUX_FOLDERS])].filter(
    (folder) => folder !== SNAP_FOLDER,
  );
  return names.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
}

/** The executables that a .desktop file starts; sandbox launchers such as flatpak are left out. */
function desktopPaths(host: HostFacts, name: string): string[] {
  const folders = [
    `${host.homeDir}/.local/share/applications`,
    '/usr/local/share/applications',
    '/usr/share/applications',
    '/var/lib/snapd/desktop/applications',
  ];
  return folders.flatMap((folder) => {
    const text = host.readText(`${folder}/${name}.desktop`);
    const command = text?.match(/^Exec=(.+)$/m)?.[1] ?? '';
    const words = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] ?? match[2]);
    if (words.some((word) => word !== undefined && /(^|\/)flatpak$/.test(word))) return [];
    return words.filter(
      (word): word is string =>
        word !== undefined && word.startsWith('/') && !word.endsWith('/env'),
    );
  });
}

function macPaths(host: HostFacts, { app, bundleId }: { app: string; bundleId: string }): string[] {
  const executable = (bundle: string) => `${bundle}/Contents/MacOS/${app}`;
  const usual = ['/Applications', `${host.homeDir}/Applications`]
    .map((folder) => executable(`${folder}/${app}.app`))
    .filter((path) => host.isExecutable(path));
  // Spotlight is slow, so it is asked only for an app that is not where apps are.
  return usual.length > 0 ? usual : host.findMacApps(bundleId).map(executable);
}

function windowsPaths(host: HostFacts, paths: readonly string[]): string[] {
  const folders = ['LOCALAPPDATA', 'ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)']
    .map((name) => host.env[name])
    .filter((folder) => folder !== undefined && folder !== '');
  return paths.flatMap((path) => folders.map((folder) => win32.join(folder ?? '', path)));
}

function findPlaywrightDownloads(host: HostFacts): FoundBrowser[] {
  const cache = playwrightCacheFolder(host);
  if (cache === undefined) return [];
  const platform =
    host.platform === 'darwin' || host.platform === 'win32' ? host.platform : 'linux';
  const style = platform === 'win32' ? win32 : posix;
  const names = host.listFolder(cache);
  return [PLAYWRIGHT_LAYOUTS.shell, PLAYWRIGHT_LAYOUTS.full].flatMap((layout) => {
    const revision = (name: string) => Number(name.slice(layout.prefix.length));
    const path = names
      .filter((name) => name.startsWith(layout.prefix) && Number.isInteger(revision(name)))
      .toSorted((a, b) => revision(b) - revision(a))
      .flatMap((name) => layout[platform].map((below) => style.join(cache, name, below)))
      .find((candidate) => host.isExecutable(candidate));
    if (path === undefined) return [];
    const isHeadlessShell = layout === PLAYWRIGHT_LAYOUTS.shell;
    return [{ kind: 'chromium' as const, path, isHeadlessShell, source: 'playwright' as const }];
  });
}
