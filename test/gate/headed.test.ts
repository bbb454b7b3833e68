import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';

import { createCore } from '../../src/app/core.ts';
import { loadConfig } from '../../src/config/load.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSERS } from './browser-under-test.ts';

const XVFB = ['/usr/bin/Xvfb', '/usr/local/bin/Xvfb'].find((path) => existsSync(path));
const full = BROWSERS.find(([, path]) => !path.includes('shell'))?.[1];
const why = !XVFB
  ? 'Xvfb is not installed'
  : !full
    ? 'only the headless shell is installed'
    : process.platform === 'linux'
      ? ''
      : 'there is no kernel level here';

let scope = new Scope();
afterEach(async () => {
  await scope[Symbol.asyncDispose]();
  scope = new Scope();
});

/** A display of its own, so that nobody's screen shows what the test does. */
async function openDisplay(): Promise<string> {
  const server = spawn(XVFB ?? '', ['-displayfd', '3', '-screen', '0', '1280x800x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  scope.defer(async () => {
    server.kill();
    await ended;
  });
  const number = await new Promise<string>((resolve, reject) => {
    server.stdio[3]?.once('data', (text: Buffer) => resolve(text.toString().trim()));
    server.once('exit', () => reject(new Error('Xvfb ended')));
  });
  return `:${number}`;
}

describe.skipIf(why !== '')(
  `a browser with a window${why === '' ? '' : ` (skipped: ${why})`}`,
  () => {
    it.each([
      ['the kernel level', false],
      ['the kernel level with its files confined', true],
    ])('works at %s', { timeout: 120_000 }, async (_what, files) => {
      const display = await openDisplay();
      const dataDir = mkdtempSync(join(tmpdir(), 'oriel-headed-'));
      scope.defer(async () => rmSync(dataDir, { recursive: true, force: true }));
      const { config } = loadConfig({
        values: {
          dataDir,
          browser: { headless: false, executablePath: full ?? '' },
          network: { egress: 'kernel' },
          sandbox: { files },
        },
      });
      const core = scope.own(createCore(config, { ...process.env, DISPLAY: display }, silentLog));
      const call = (tool: string, input: object) =>
        core.calls.call({
          tool,
          input,
          caller: { surface: 'library', principal: 'test', connection: 'test', canAsk: false },
        });
      const opened = await call('browser_navigate', { url: 'about:blank' });
      expect(opened.status, JSON.stringify(opened.content)).toBe('done');
      const status = await call('browser_session', {});
      expect(status).toMatchObject({
        output: { browser: { isHeadless: false }, network: { egress: 'kernel' } },
      });
    });
  },
);
