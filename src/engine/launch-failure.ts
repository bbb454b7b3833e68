import { type ErrorCode, OrielError, isOrielError } from '../kernel/errors.ts';
import type { FoundBrowser } from './browser-kind.ts';

interface Cause {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly what: string;
  readonly hint: string;
}

const CAUSES: readonly Cause[] = [
  {
    pattern: /No usable sandbox|zygote_host_impl|sandboxing failed|setuid_sandbox_host/i,
    code: 'setup_needed',
    what: 'its sandbox cannot be set up for this user',
    hint: 'Allow unprivileged user namespaces, or install the setuid sandbox (`apt-get install chromium-sandbox`); in a container that is itself the boundary set `sandbox` to off.',
  },
  {
    pattern: /Running as root without --no-sandbox/i,
    code: 'setup_needed',
    what: 'Chromium does not run as root with its sandbox',
    hint: 'Run Oriel as an ordinary user, or set `sandbox` to off.',
  },
  {
    pattern: /error while loading shared libraries: (\S+?):/,
    code: 'setup_needed',
    what: 'a library is missing',
    hint: 'Run `oriel setup`, or install the browser with the package tool of your system, which brings its libraries.',
  },
  {
    pattern: /Missing X server|cannot open display|headed browser without having a XServer/i,
    code: 'setup_needed',
    what: 'there is no screen for its window',
    hint: 'Set `headless` to on, or start Oriel under `xvfb-run`.',
  },
  {
    pattern: /ENOSPC|No space left on device/,
    code: 'upstream',
    what: 'the disk is full',
    hint: 'Free space in the temporary folder and call again.',
  },
  {
    pattern: /EROFS|EACCES.*mkdtemp|mkdtemp.*(EACCES|ENOENT)/,
    code: 'setup_needed',
    what: 'the temporary folder cannot be written',
    hint: 'Point TMPDIR at a folder that this user can write.',
  },
  {
    pattern: /spawn \S+ (ENOENT|EACCES|ENOEXEC)|Exec format error/,
    code: 'setup_needed',
    what: 'the file cannot be executed',
    hint: 'Check executablePath, or run `oriel setup`.',
  },
  {
    pattern: /Timeout \d+ ?ms exceeded/i,
    code: 'upstream',
    what: 'it did not start in time',
    hint: 'The machine may be overloaded; call again, or raise the time for the browser to start.',
  },
];

/** A failed launch as `setup_needed` or `upstream`, with the end of what the browser printed. */
export function explainLaunchFailure(browser: FoundBrowser, thrown: unknown): OrielError {
  if (isOrielError(thrown)) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const printed = browserOutput(text);
  const cause = CAUSES.find(({ pattern }) => pattern.test(text));
  const why = cause?.what ?? 'it ended while starting';
  const tail = printed.at(-1);
  return new OrielError(
    cause?.code ?? 'upstream',
    `The browser ${browser.path} could not be started: ${why}${tail === undefined ? '' : ` (${tail.slice(0, 200)})`}.`,
    {
      hint: cause?.hint ?? 'Run the browser by hand to see why, or run `oriel setup`.',
      cause: thrown,
      details: { executablePath: browser.path, output: printed.slice(-10) },
    },
  );
}

/** What the browser itself printed, from Playwright's report. */
function browserOutput(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const marked = lines
    .filter((line) => /\[pid=\d+\]\[(err|out)\]/.test(line))
    .map((line) => line.replace(/^-?\s*\[pid=\d+\]\[(?:err|out)\]\s*/, ''))
    .filter((line) => line !== '');
  // Playwright prints the log once as it was and once in its call log.
  return [...new Set(marked)];
}
