import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Artifact } from '../../model/artifact.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  bench = await openBench();
  await bench.call('browser_navigate', { url: server.url('/observe.html') });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Ended {
  isRecording: boolean;
  file: Artifact | null;
  durationMs: number;
}

test('keeps what happened as a zip that a trace viewer reads, and no working file', async () => {
  await bench.call('browser_trace', { action: 'start' });
  await bench.call('browser_click', { target: 'css=#go' });
  const { output, text } = await bench.call<Ended>('browser_trace', { action: 'stop' });
  const file = output.file?.path ?? '';
  expect(text).toContain(file);
  const zip = await readFile(file);
  expect(zip.subarray(0, 2).toString('latin1')).toBe('PK');
  // Names stand uncompressed in the directory of a zip.
  const names = zip.toString('latin1');
  expect(names).toContain('trace.trace');
  expect(names).toContain('trace.network');
  expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);
});

test('refuses a second start, and a stop without one', async () => {
  await bench.call('browser_trace', { action: 'start' });
  expect((await bench.fail('browser_trace', { action: 'start' })).code).toBe('busy');
  await bench.call('browser_trace', { action: 'stop' });
  expect((await bench.fail('browser_trace', { action: 'stop' })).code).toBe('not_found');
});

test('writes to disk: refused in mode readonly', async () => {
  await using readonly = await openBench({ mode: 'readonly' });
  for (const tool of ['browser_trace', 'browser_har', 'browser_video']) {
    expect((await readonly.fail(tool, { action: 'start' })).code).toBe('denied');
  }
  const names = readonly.core.calls.tools.listed({
    ...readonly.core.deps.config,
    packs: ['observe'],
  });
  expect(names.map((tool) => tool.name)).toEqual(
    expect.arrayContaining([
      'browser_assert',
      'browser_evidence',
      'browser_console',
      'browser_network',
      'browser_performance',
    ]),
  );
  expect(names.map((tool) => tool.name)).not.toContain('browser_trace');
});
