import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { OrielError } from '../kernel/errors.ts';

export interface ConfinedFolders {
  /** Kept as they are, also below a temporary folder that is otherwise private. */
  readonly writable: readonly string[];
  /** Stay to be read where they lie below a private folder; those that are not there are left out. */
  readonly readable: readonly string[];
}

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 15_000;
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/**
 * Empty for the browser alone, and gone with it. Its profile lies in the first. The last is where
 * services listen (a container engine, the system bus): a socket can be spoken to on a read-only
 * mount as well.
 */
const PRIVATE = ['/tmp', '/var/tmp', '/dev/shm', '/run'];
/** Where a display is found, and what NixOS has its programs and drivers in. */
const KEPT = ['/tmp/.X11-unix', '/run/current-system', '/run/opengl-driver'];

/**
 * Makes sure that {@link confinedCommand} works on this machine.
 * @throws OrielError `setup_needed` naming what is missing
 */
export async function checkConfinement(signal: AbortSignal): Promise<void> {
  const [file = '', ...args] = confinedCommand({ writable: [], readable: [] });
  try {
    await run(file, [...args, 'sh', '-c', '! touch /etc/oriel-probe 2>&-'], {
      signal,
      timeout: PROBE_TIMEOUT_MS,
      env: ENVIRONMENT,
    });
  } catch (failure) {
    signal.throwIfAborted();
    const { code, stderr, message } = failure as Error & { code?: unknown; stderr?: string };
    const said = (stderr ?? '').trim().split('\n').at(-1) || message;
    throw new OrielError(
      'setup_needed',
      `sandbox.files cannot be had here: ${code === 'ENOENT' ? 'bubblewrap is not installed' : said.slice(0, 300)}.`,
      { hint: 'Install bubblewrap (bwrap), or turn sandbox.files off.', cause: failure },
    );
  }
}

/**
 * A command that runs what follows it with a read-only root, temporary folders of its own, the
 * harmless devices, and nothing to write in but those and `writable`.
 */
export function confinedCommand({ writable, readable }: ConfinedFolders): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    'bwrap',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--dev-bind-try',
    '/dev/dri',
    '/dev/dri',
    // Chromium's sandbox writes its user map there. To root it would open the kernel's settings,
    // and root has no such sandbox.
    ...(isRoot ? [] : ['--bind', '/proc', '/proc']),
    ...PRIVATE.flatMap((folder) => ['--tmpfs', folder]),
    ...[...KEPT, ...readable.filter(isHidden)].flatMap((at) => ['--ro-bind-try', at, at]),
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    '--die-with-parent',
    '--',
  ];
}

function isHidden(folder: string): boolean {
  return PRIVATE.some((hidden) => folder.startsWith(`${hidden}/`));
}
