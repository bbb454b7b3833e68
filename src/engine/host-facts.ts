import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, readdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';

/**
 * What the engine knows of the machine. Handed in, so that discovery for every platform can be
 * tried on any, and so that the environment is read in one place only.
 */
export interface HostFacts {
  readonly platform: NodeJS.Platform;
  /** As `process.arch`. */
  readonly arch: string;
  readonly isRoot: boolean;
  readonly homeDir: string;
  readonly tempDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when `path` is a file that this user may execute. Never throws. */
  isExecutable(path: string): boolean;
  /** The file's text, or undefined when it cannot be read. */
  readText(path: string): string | undefined;
  /** Names in the folder; empty when it cannot be read. */
  listFolder(path: string): readonly string[];
  /** Folders of the installed macOS apps with this bundle id; empty elsewhere. */
  findMacApps(bundleId: string): readonly string[];
}

/** The facts of the machine that we run on. */
export function readHostFacts(env: Readonly<Record<string, string | undefined>>): HostFacts {
  return {
    platform: process.platform,
    arch: process.arch,
    isRoot: process.getuid?.() === 0,
    homeDir: homedir(),
    tempDir: tmpdir(),
    env,
    isExecutable: (path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    },
    readText: (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    listFolder: (path) => {
      try {
        return readdirSync(path);
      } catch {
        return [];
      }
    },
    findMacApps: (bundleId) => {
      if (process.platform !== 'darwin') return [];
      const { stdout } = spawnSync(
        '/usr/bin/mdfind',
        [`kMDItemCFBundleIdentifier == "${bundleId}"`],
        { encoding: 'utf8', timeout: 3000 },
      );
      return (stdout ?? '').split('\n').filter((line) => line.startsWith('/'));
    },
  };
}
