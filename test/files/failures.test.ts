import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FolderArtifacts } from '../../src/store/artifacts.ts';
import { CoreFixture } from './core-fixture.ts';

test('where nothing can be written, a picture says why, and the browser goes on', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'oriel-failures-'));
  const outputDir = path.join(folder, 'a-file');
  writeFileSync(outputDir, '');
  await using fixture = await CoreFixture.open({ outputDir });
  await fixture.goto('/blank.html');
  const { error } = await fixture.failed('browser_screenshot');
  expect(error).toMatchObject({ code: 'upstream' });
  expect(error.message).toMatch(/ENOTDIR|EEXIST/);
  expect(error.hint).toContain('--output-dir');
  rmSync(outputDir);
  mkdirSync(outputDir);
  await fixture.done('browser_screenshot');
  rmSync(folder, { recursive: true });
});

test('on a full disk the file is told and not left in part, and what was there stays', async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'oriel-full-'));
  const isSmall = mountSmall(folder);
  try {
    context.skip(!isSmall, 'no disk of bounded size can be mounted here');
    const store = new FolderArtifacts(folder);
    const input = { session: 's', prefix: 'note', extension: 'txt', mimeType: 'text/plain' };
    const kept = await store.put({ ...input, content: 'kept' });
    await expect(store.put({ ...input, content: 'x'.repeat(2 * MIB) })).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('disk is full') as string,
    });
    expect(readdirSync(path.join(folder, 's'))).toEqual([kept.name]);
    expect(existsSync(kept.path)).toBe(true);
  } finally {
    spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

const MIB = 1024 * 1024;

/** Mounts a disk of 1 MiB, which only root may do and not every kernel holds to. */
function mountSmall(folder: string): boolean {
  const mount = ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder];
  if (spawnSync('mount', mount).status !== 0) return false;
  const probe = path.join(folder, 'probe');
  try {
    writeFileSync(probe, Buffer.alloc(2 * MIB));
    return false;
  } catch {
    return true;
  } finally {
    rmSync(probe, { force: true });
  }
}

test('a picture of a page that hangs ends at its limit', async () => {
  await using fixture = await CoreFixture.open();
  await fixture.goto('/blank.html');
  const { raw } = fixture.session().page(undefined);
  void raw.evaluate('setTimeout(() => { while (true); }, 50)').catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  const outcome = await fixture.failed('browser_screenshot', { fullPage: true, timeoutMs: 1_000 });
  expect(outcome.error.code).toBe('timeout');
  expect(outcome.tookMs).toBeLessThan(2_500);
});

test('a page taller than a surface may be is captured whole, smaller, and put back', async () => {
  await using fixture = await CoreFixture.open();
  await fixture.goto('/blank.html');
  for (const [height, pixels] of [
    [16_384, 16_384],
    [20_000, 16_384],
  ] as const) {
    await fixture.evaluate(
      `() => { document.body.style.margin = 0; document.body.innerHTML = '<div style="height:${height}px;background:linear-gradient(red,blue)">' }`,
    );
    const { output } = await fixture.done('browser_screenshot', {
      fullPage: true,
      format: 'jpeg',
      timeoutMs: 60_000,
    });
    expect(Math.abs((output['height'] as number) - pixels)).toBeLessThanOrEqual(1);
    expect(await fixture.evaluate('() => [innerWidth, innerHeight]')).toEqual([1280, 720]);
  }
}, 120_000);
