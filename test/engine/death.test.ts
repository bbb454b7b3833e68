import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ProcessRow,
  collectTree,
  listProcesses,
  stillRunning,
} from '../../src/engine/process-table.ts';
import { endLeftBrowsers } from '../../src/engine/reaper.ts';
import { EngineFixture, until } from './fixture.ts';

interface Server {
  readonly child: ChildProcess;
  readonly browserPid: number;
  /** The browser and all that descends from it. */
  readonly tree: readonly ProcessRow[];
}

let fixture: EngineFixture;
let children: ChildProcess[];
beforeEach(() => {
  fixture = new EngineFixture();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await fixture[Symbol.asyncDispose]();
});

describe('the browser ends with its server', () => {
  test('that is killed', async () => {
    const server = await startServer();
    server.child.kill('SIGKILL');
    await expectNothingLeft(server);
  });

  test('that is killed with its whole process group', async () => {
    const server = await startServer();
    process.kill(-server.child.pid!, 'SIGKILL');
    await expectNothingLeft(server);
  });

  test('that is killed while the browser is stopped', async () => {
    const server = await startServer();
    for (const { pid } of server.tree) process.kill(pid, 'SIGSTOP');
    server.child.kill('SIGKILL');
    await expectNothingLeft(server);
  });

  test('that is killed while one renderer is stopped', async () => {
    const server = await startServer();
    const renderer = server.tree.find(({ command }) => command.includes('--type=renderer'));
    process.kill(renderer!.pid, 'SIGSTOP');
    server.child.kill('SIGKILL');
    await expectNothingLeft(server);
  });

  test('that crashes', async () => {
    const server = await startServer();
    server.child.kill('SIGABRT');
    await expectNothingLeft(server);
  });

  test('that closes in good order', async () => {
    const server = await startServer();
    server.child.kill('SIGTERM');
    await expectNothingLeft(server);
  });
});

describe('a browser that an earlier life left', () => {
  test('is ended with its folders, and one whose owner lives is not', async () => {
    const dead = await startServer();
    const alive = await startServer();
    // With its watchdog gone and its browser stopped, nothing but the reaper can end it.
    for (const { pid } of dead.tree) process.kill(pid, 'SIGSTOP');
    const watchdogs = (await listProcesses()).filter(
      ({ parentPid, command }) =>
        parentPid === dead.child.pid && command.includes('oriel-watchdog'),
    );
    expect(watchdogs).toHaveLength(1);
    process.kill(watchdogs[0]!.pid, 'SIGKILL');
    dead.child.kill('SIGKILL');
    await until(() => dead.child.signalCode !== null, 2000);

    expect(await endLeftBrowsers(`${fixture.dataDir}/run/browsers`)).toBe(1);
    expect(await stillRunning(dead.tree)).toEqual([]);
    expect(await stillRunning(alive.tree)).toHaveLength(alive.tree.length);
    expect(fixture.records()).toHaveLength(1);
    alive.child.kill('SIGTERM');
    await expectNothingLeft(alive);
  });
});

async function startServer(): Promise<Server> {
  const script = fileURLToPath(new URL('server.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, fixture.dataDir, fixture.tempDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    // Playwright makes the profile in the temp folder of the process.
    env: { ...process.env, TMPDIR: fixture.tempDir },
  });
  children.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
  });
  const { pid, isWatched } = JSON.parse(line) as { pid: number; isWatched: boolean };
  expect(isWatched).toBe(true);
  const rows = await listProcesses();
  const tree = collectTree(
    rows,
    rows.filter((row) => row.pid === pid),
  );
  expect(tree.length).toBeGreaterThan(2);
  return { child, browserPid: pid, tree };
}

async function expectNothingLeft(server: Server): Promise<void> {
  await until(async () => (await stillRunning(server.tree)).length === 0, 5000);
  await until(
    () => fixture.records().length === 0 && readdirSync(fixture.tempDir).length === 0,
    5000,
  );
}
