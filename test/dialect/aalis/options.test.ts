import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { aalis } from '../../../src/dialect/aalis/aalis.ts';
import { DEFAULTS, readOptions } from '../../../src/dialect/aalis/options.ts';
import { startOriel } from '../../harness/oriel.ts';
import { verifies } from '../../harness/verifies.ts';

it('has ten options with the defaults of the plugin', () => {
  verifies(
    'A-005',
    'A-006',
    'A-007',
    'A-008',
    'A-009',
    'A-010',
    'A-011',
    'A-012',
    'A-013',
    'A-014',
  );
  const defaults = {
    headless: true,
    defaultTimeout: 30_000,
    viewportWidth: 1280,
    viewportHeight: 720,
    maxPages: 5,
    executablePath: '',
    maxContentLength: 50_000,
    blockPrivate: true,
    allowedProtocols: ['http', 'https'],
    allowedHosts: [],
  };
  expect(readOptions({})).toEqual(defaults);
  expect(DEFAULTS).toEqual(defaults);
});

it('runs without a window unless headless is false, and first of all what executablePath names', async () => {
  verifies('A-004', 'A-005', 'A-010');
  const folder = mkdtempSync(path.join(tmpdir(), 'oriel-test-recorder-'));
  const executablePath = path.join(folder, 'chromium');
  const seen = path.join(folder, 'flags');
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\nexit 1\n`;
  writeFileSync(executablePath, script, { mode: 0o755 });
  try {
    for (const headless of [undefined, false]) {
      writeFileSync(seen, '');
      await using oriel = await startOriel({
        dialect: aalis(),
        config: {
          dialectOptions: { executablePath, headless },
          browser: { launchTimeoutMs: 10_000 },
        },
      });
      const outcome = await oriel.speak('browser_navigate', { url: oriel.fixtures.url('/') });
      expect(outcome.status).toBe('failed');
      const flags = readFileSync(seen, 'utf8').split('\n');
      expect(flags.some((flag) => flag.startsWith('--headless'))).toBe(headless === undefined);
      expect(flags.length).toBeGreaterThan(10);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('is documented with what the gate costs and where it ends', () => {
  verifies('A-098');
  const text = readFileSync('docs/dialects/aalis.md', 'utf8');
  for (const word of [
    'CPU',
    'video',
    'thread pool',
    'QUIC',
    'system proxy',
    'authentication',
    'WebRTC',
  ]) {
    expect(text, word).toContain(word);
  }
});
