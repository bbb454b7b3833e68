import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectTree, listProcesses, stillRunning } from '../../src/engine/process-table.ts';
import { until } from '../engine/fixture.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { ORIEL_ENTRY } from '../harness/mcp-client.ts';
import { startOriel, textOf } from '../harness/oriel.ts';

let site: FixtureServer;
beforeAll(async () => {
  site = await startFixtureServer();
});
afterAll(() => site[Symbol.asyncDispose]());

/** The lines that open a page over MCP, by hand: no client stands between us and the pipe. */
function opening(url: string): string {
  const lines = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'by-hand', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'browser_navigate', arguments: { url } },
    },
  ];
  return lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join('');
}

describe('behind a parent, as npx is one (P01)', () => {
  it('nothing is left 5 s after the parent is killed', { timeout: 60_000 }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'oriel-parent-'));
    // The shell stays the parent, for it has something to do afterwards.
    const parent = spawn(
      '/bin/sh',
      [
        '-c',
        `"$0" "$1" mcp --data-dir="$2" --exempt-hosts=127.0.0.1:*; exit 0`,
        process.execPath,
        ORIEL_ENTRY,
        dataDir,
      ],
      { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, TMPDIR: dataDir } },
    );
    try {
      const answered = new Promise<void>((resolve) => {
        let seen = '';
        parent.stdout.on('data', (chunk: Buffer) => {
          seen += chunk.toString();
          if (seen.includes('"id":2')) resolve();
        });
      });
      parent.stdin.write(opening(site.url('/blank.html')));
      await answered;
      const rows = await listProcesses();
      const tree = collectTree(
        rows,
        rows.filter((row) => row.pid === parent.pid),
      );
      expect(tree.filter((row) => row.command.includes('--oriel-launch=')).length).toBeGreaterThan(
        0,
      );
      parent.kill('SIGKILL');
      await until(async () => (await stillRunning(tree)).length === 0, 5_000);
    } finally {
      parent.stdin.destroy();
      parent.kill('SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 300));
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('a disk that takes nothing more (F04)', () => {
  const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

  it.for([
    ['full', 'size=8k'],
    ['read-only', 'ro,size=8k'],
  ] as const)(
    '%s: the picture fails with a clear error, and the browser works',
    { timeout: 60_000 },
    async ([name, options], test) => {
      if (!canMount) return test.skip('Mounting a file system needs root and its capability.');
      await using oriel = await startOriel();
      await oriel.open('/form-50.html');
      mkdirSync(oriel.outputDir, { recursive: true });
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', oriel.outputDir]);
      expect(mounted.status).toBe(0);
      try {
        if (name === 'full' && !isFull(oriel.outputDir)) {
          return test.skip('This kernel does not hold a file system to its size.');
        }
        const failed = await oriel.call('browser_screenshot');
        expect(failed.status, textOf(failed)).toBe('failed');
        expect(failed.status === 'failed' && failed.error.code, textOf(failed)).toBe('upstream');
        expect(textOf(failed)).toMatch(/ENOSPC|EROFS|full|read-only/i);
        await oriel.done('browser_snapshot');
        await oriel.open('/blank.html');
      } finally {
        spawnSync('umount', [oriel.outputDir]);
      }
      await oriel.done('browser_screenshot');
    },
  );

  it('an output folder that is a file fails alike', async () => {
    await using oriel = await startOriel();
    await oriel.open('/form-50.html');
    rmSync(oriel.outputDir, { recursive: true, force: true });
    writeFileSync(oriel.outputDir, 'not a folder');
    const failed = await oriel.fails('upstream', 'browser_screenshot');
    expect(failed.text).toContain('ENOTDIR');
    await oriel.done('browser_snapshot');
  });
});

it('F04: without HOME the browser works', { timeout: 60_000 }, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'oriel-homeless-'));
  const { HOME: _home, XDG_DATA_HOME: _data, XDG_CONFIG_HOME: _config, ...env } = process.env;
  try {
    const ran = spawnSync(
      process.execPath,
      [ORIEL_ENTRY, 'call', '-', `--data-dir=${dataDir}`, '--exempt-hosts=127.0.0.1:*'],
      {
        input: `${JSON.stringify({ tool: 'browser_session', input: {} })}\n${JSON.stringify({ tool: 'browser_tabs', input: { action: 'new' } })}\n`,
        env: { ...env, TMPDIR: dataDir },
        encoding: 'utf8',
        timeout: 50_000,
      },
    );
    expect(ran.status, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('p1 is open');
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Whether more than the 8 KiB that the file system was given are refused. */
function isFull(folder: string): boolean {
  const file = join(folder, 'probe');
  try {
    writeFileSync(file, Buffer.alloc(64 * 1024));
    return false;
  } catch {
    return true;
  } finally {
    rmSync(file, { force: true });
  }
}

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'oriel-mount-'));
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'none', folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return isMounted;
}
