import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Keeps Chromium from talking to anyone but the page under test. */
const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

const CANDIDATES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** A bare Chromium for tests of pages; the caller closes it (it is `AsyncDisposable`). */
export async function launchTestBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((path) => existsSync(path));
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? [...QUIET_FLAGS, '--no-sandbox'] : QUIET_FLAGS,
  });
}
