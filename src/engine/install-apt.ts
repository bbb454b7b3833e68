import type { HostFacts } from './host-facts.ts';
import type { Progress } from './browser-kind.ts';
import { expectSuccess, runCommand } from './run-command.ts';
import { isDebianLike } from './setup-advice.ts';

/** Whether apt-get may install a browser here: Debian or Ubuntu, and we are root. */
export function canInstallWithApt(host: HostFacts): boolean {
  return (
    host.platform === 'linux' &&
    host.isRoot &&
    isDebianLike(host) &&
    host.isExecutable('/usr/bin/apt-get')
  );
}

/** Installs Debian's headless shell and Chromium. Throws `setup_needed` when apt-get fails. */
export async function installWithApt(
  host: HostFacts,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const run = (args: readonly string[], what: string) =>
    runCommand('/usr/bin/apt-get', args, {
      env: { ...host.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      signal,
      timeoutMs: 900_000,
      silenceMs: 180_000,
      onLine: (line) => {
        if (what === 'install' && /^(Get:|Unpacking|Setting up|Need to get)/.test(line))
          progress(`apt-get ${what}: ${line}`);
      },
    });
  progress('Asking apt-get for its newest package lists.');
  // An outdated list may still do, so only the installation decides.
  await run(['update'], 'update');
  progress('Installing chromium-headless-shell and chromium with apt-get.');
  const both = await run(['install', '-y', 'chromium-headless-shell', 'chromium'], 'install');
  if (both.exitCode === 0) return;
  progress('That failed; trying chromium alone.');
  expectSuccess('apt-get install chromium', await run(['install', '-y', 'chromium'], 'install'));
}
