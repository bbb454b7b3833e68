import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A process namespace of our own needs Linux and either root or user namespaces. */
const canUnshare =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

const isLong = process.env['ORIEL_TEST_LONG'] === '1';

describe.skipIf(!canUnshare)('as process 1', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oriel-test-one-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('launches and closes leave nothing defunct and no folder, and the exit code is kept', async () => {
    const launches = isLong ? 200 : 3;
    expect(await runAsProcessOne(launches)).toMatchObject({ code: 7, defunct: 0 });
    expect(readdirSync(join(folder, 'temp'))).toEqual([]);
  });

  test('Node alone would leave defunct helpers, which is why there is an init', async () => {
    const { pid, defunct } = await runAsProcessOne(1, 'bare');
    expect(pid).toBe(1);
    expect(defunct).toBeGreaterThan(0);
  });

  async function runAsProcessOne(launches: number, mode = '') {
    const temp = join(folder, 'temp');
    spawnSync('mkdir', ['-p', temp]);
    const script = fileURLToPath(new URL('process-one.mjs', import.meta.url));
    const args = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, script];
    return new Promise<{ code: number; pid: number; defunct: number }>((resolve, reject) => {
      const child = execFile(
        'unshare',
        [...args, folder, String(launches), mode],
        { env: { ...process.env, TMPDIR: temp } },
        (failure, stdout, stderr) => {
          if (stdout === '') reject(failure ?? new Error(stderr));
          else
            resolve({
              code: child.exitCode ?? -1,
              ...(JSON.parse(stdout) as { pid: number; defunct: number }),
            });
        },
      );
    });
  }
});
