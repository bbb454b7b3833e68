import { isAbsolute } from 'node:path';
import { OrielError, firstLine } from '../kernel/errors.ts';
import type { FoundBrowser, Progress } from './browser-kind.ts';
import { discoverBrowsers } from './discover.ts';
import type { HostFacts } from './host-facts.ts';
import { canInstallWithApt, installWithApt } from './install-apt.ts';
import { canInstallWithNpm, findNpmBrowser, installWithNpm } from './install-npm.ts';
import { installWithPlaywright } from './install-playwright.ts';
import { adviseSetup } from './setup-advice.ts';

export interface BrowserWish {
  /** Used before anything else; empty or undefined means none. */
  readonly executablePath?: string | undefined;
  readonly headless: boolean;
  /** Oriel's data folder, where a browser of its own may lie. */
  readonly dataDir: string;
  readonly host: HostFacts;
}

export interface SetupWish extends BrowserWish {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Rungs that install something; tried in the given order. Default: all that fit. */
  readonly installers?: readonly InstallerName[];
}

export type InstallerName = 'playwright' | 'apt' | 'npm';

const INSTALLERS: readonly InstallerName[] = ['playwright', 'apt', 'npm'];

/**
 * The browser to launch, from what is there; installs nothing and starts nothing.
 * Throws `bad_input` for a configured path that is not absolute, `setup_needed` for one that is
 * not an executable file, and `setup_needed` with the commands to run when there is no browser.
 */
export function findBrowser(wish: BrowserWish): FoundBrowser {
  const configured = findConfigured(wish);
  if (configured !== undefined) return configured;
  const found = lookAround(wish);
  if (found !== undefined) return found;
  throw noBrowser(wish, []);
}

/**
 * As {@link findBrowser}, and installs a browser when none is there, rung by rung: Playwright's
 * download, apt-get, an npm package. Says each step through `progress`. When every rung fails,
 * throws `setup_needed` with what failed and the exact commands for this system.
 */
export async function ensureBrowser(wish: SetupWish): Promise<FoundBrowser> {
  wish.signal.throwIfAborted();
  const { host, progress, signal } = wish;
  const configured = findConfigured(wish);
  if (configured !== undefined) {
    progress(`Using the configured browser ${configured.path}.`);
    return configured;
  }
  const found = lookAround(wish);
  if (found !== undefined) {
    progress(`Found ${describe(found)}.`);
    return found;
  }
  progress('No browser found on this system.');
  const failures: string[] = [];
  for (const name of wish.installers ?? INSTALLERS) {
    try {
      if (name === 'playwright') await installWithPlaywright(host, wish, progress, signal);
      else if (name === 'apt' && canInstallWithApt(host)) {
        await installWithApt(host, progress, signal);
      } else if (name === 'npm' && wish.headless && canInstallWithNpm(host)) {
        await installWithNpm(host, wish.dataDir, progress, signal);
      } else continue;
      const installed = lookAround(wish);
      if (installed !== undefined) {
        progress(`Installed ${describe(installed)}.`);
        return installed;
      }
      failures.push(`${name}: it ended well, but no browser is there`);
    } catch (failure) {
      signal.throwIfAborted();
      failures.push(failure instanceof Error ? firstLine(failure.message) : String(failure));
    }
    progress(failures.at(-1) ?? '');
  }
  throw noBrowser(wish, failures);
}

function findConfigured({ executablePath = '', headless, host }: BrowserWish) {
  if (executablePath === '') return undefined;
  if (!isAbsolute(executablePath)) {
    throw new OrielError('bad_input', `executablePath is not absolute: ${executablePath}`, {
      hint: 'Give the full path of a Chrome or Chromium executable.',
      details: { executablePath },
    });
  }
  if (!host.isExecutable(executablePath)) {
    throw new OrielError(
      'setup_needed',
      `The configured browser is not an executable file: ${executablePath}`,
      {
        hint: 'Correct executablePath, or leave it empty to use a browser of the system.',
        details: { executablePath },
      },
    );
  }
  const isHeadlessShell = headless && /headless[-_]shell(\.exe)?$/.test(executablePath);
  return { kind: 'custom', path: executablePath, isHeadlessShell, source: 'configured' } as const;
}

function lookAround(wish: BrowserWish): FoundBrowser | undefined {
  return (
    discoverBrowsers(wish.host, wish)[0] ??
    (wish.headless ? findNpmBrowser(wish.host, wish.dataDir) : undefined)
  );
}

function describe(browser: FoundBrowser): string {
  return `${browser.isHeadlessShell ? 'a headless shell' : browser.kind}: ${browser.path}`;
}

function noBrowser(wish: BrowserWish, failures: readonly string[]): OrielError {
  const commands = adviseSetup(wish.host);
  const window = wish.headless ? '' : ' that can show a window';
  return new OrielError(
    'setup_needed',
    [`There is no browser${window} on this system.`, ...failures].join(' '),
    {
      hint: `Run \`oriel setup\`, or one of: ${commands.map((command) => `\`${command}\``).join('; ')}. Or set executablePath to a Chrome or Chromium that you have.`,
      details: { commands, failures },
    },
  );
}
