import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Progress } from './browser-kind.ts';
import type { HostFacts } from './host-facts.ts';
import { expectSuccess, runCommand } from './run-command.ts';

/**
 * Lets Playwright download the build that it was made for. Gives up after 30 s of silence, since
 * many networks drop such a download without an answer. Throws `setup_needed`.
 */
export async function installWithPlaywright(
  host: HostFacts,
  wants: { headless: boolean },
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const packageFile = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const build = wants.headless ? 'chromium-headless-shell' : 'chromium';
  progress(`Downloading Playwright's ${build}.`);
  const result = await runCommand(
    process.execPath,
    [join(dirname(packageFile), 'cli.js'), 'install', build],
    {
      env: host.env,
      signal,
      timeoutMs: 300_000,
      silenceMs: 30_000,
      onLine: (line) => {
        if (/\d+% of/.test(line)) progress(`Download: ${line.replace(/^\|[^|]*\|\s*/, '')}`);
      },
    },
  );
  expectSuccess(`Playwright's download of ${build}`, {
    ...result,
    output: mainReason(result.output),
  });
}

/** Of Playwright's long report the line that says why. */
function mainReason(output: string): string {
  const reasons = output
    .split('\n')
    .filter((line) => /^\s*Error: .*(E[A-Z]+|status|code)/.test(line));
  return reasons[0]?.trim() ?? output;
}
