import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

import type { Gate } from '../../src/gate/gate.ts';
import type { Namespace } from '../../src/gate/namespace.ts';
import { Sample } from './sample.ts';

/** Both builds, where both are installed. */
export const BROWSERS: readonly (readonly [name: string, path: string])[] = [
  ['the full browser', '/usr/bin/chromium'] as const,
  ['the headless shell', '/usr/bin/chromium-headless-shell'] as const,
].filter(([, path]) => existsSync(path));

/** The builds that this test run tries: one of them drawn, unless it is a long run. */
export function browsersOfThisRun(): typeof BROWSERS {
  const sample = Sample.ofThisRun(1);
  return sample.isWhole ? BROWSERS : [sample.one(BROWSERS)];
}

export interface LaunchOptions {
  readonly namespace?: Namespace;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** A browser on the gate, launched as the engine does it. */
export async function launchOn(
  gate: Gate,
  executablePath: string,
  { namespace, args = [], env }: LaunchOptions = {},
): Promise<Browser> {
  const where = namespace ? { namespace } : {};
  return chromium.launch({
    executablePath: namespace ? await namespace.launcherFor(executablePath) : executablePath,
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
      ...(executablePath.includes('shell') ? [] : ['--headless=new']),
      ...gate.launchArgs(where),
      ...args,
    ],
    ...(env ? { env: { ...process.env, ...env } } : {}),
  });
}

export type { Browser, BrowserContext };
