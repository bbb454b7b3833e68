import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Artifact } from '../../model/artifact.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { reply } from '../../../test/harness/route-handlers.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  server.route(
    '/moving',
    reply(`<title>m</title><h1 style="font-size:99px">0</h1>
      <script>setInterval(() => { document.querySelector("h1").textContent = Date.now() % 10000 }, 50)</script>`),
  );
  bench = await openBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Film {
  file: Artifact;
  durationMs: number;
  frames: number;
  width: number;
  height: number;
  endedBy: string;
}

/** Reads the film as a player would: by its index. */
function readAvi(film: Buffer) {
  const text = (at: number) => film.toString('latin1', at, at + 4);
  expect([text(0), text(8), text(12), text(20)]).toEqual(['RIFF', 'AVI ', 'LIST', 'hdrl']);
  expect(film.readUInt32LE(4)).toBe(film.byteLength - 8);
  const header = {
    frames: film.readUInt32LE(48),
    width: film.readUInt32LE(64),
    height: film.readUInt32LE(68),
  };
  expect([text(108), text(112), text(188)]).toEqual(['vids', 'MJPG', 'MJPG']);
  const movi = film.indexOf('movi', 200, 'latin1');
  const index = movi + film.readUInt32LE(movi - 4);
  expect(text(index)).toBe('idx1');
  const count = film.readUInt32LE(index + 4) / 16;
  const pictures: (Buffer | null)[] = [];
  for (let n = 0; n < count; n++) {
    const entry = index + 8 + n * 16;
    const at = movi + film.readUInt32LE(entry + 8);
    const bytes = film.readUInt32LE(entry + 12);
    expect([text(at), film.readUInt32LE(at + 4)]).toEqual(['00dc', bytes]);
    pictures.push(bytes === 0 ? null : film.subarray(at + 8, at + 8 + bytes));
  }
  return { ...header, pictures };
}

test('films what a page shows, as JPEG pictures in an AVI file', async () => {
  await bench.call('browser_navigate', { url: server.url('/moving') });
  await bench.call('browser_video', { action: 'start', fps: 10, width: 640, height: 400 });
  await bench.call('browser_wait', { timeMs: 1_500 });
  const { output } = await bench.call<Film>('browser_video', { action: 'stop' });
  const avi = readAvi(await readFile(output.file.path));
  expect(avi).toMatchObject({ frames: output.frames, width: output.width, height: output.height });
  expect(avi.pictures).toHaveLength(output.frames);
  expect(output.width).toBeLessThanOrEqual(640);
  expect(output.height).toBeLessThanOrEqual(400);
  expect(Math.abs(output.frames / 10 - output.durationMs / 1_000)).toBeLessThan(0.3);
  const shown = avi.pictures.filter((picture) => picture !== null);
  expect(shown.length).toBeGreaterThan(4);
  for (const picture of shown) {
    expect([picture.readUInt16BE(0), picture.readUInt16BE(picture.byteLength - 2)]).toEqual([
      0xffd8, 0xffd9,
    ]);
  }
  expect(new Set(shown.map((picture) => picture.toString('base64'))).size).toBeGreaterThan(4);
  expect(await readdir(path.dirname(output.file.path))).toEqual([output.file.name]);
});

test('ends by itself after its longest time, and can still be had', async () => {
  await bench.call('browser_navigate', { url: server.url('/moving') });
  await bench.call('browser_video', { action: 'start', maxSeconds: 1 });
  await bench.call('browser_wait', { timeMs: 1_600 });
  const { output } = await bench.call<Film>('browser_video', { action: 'stop' });
  expect(output.endedBy).toBe('time');
  expect(output.durationMs).toBeLessThan(1_500);
});

test('keeps the film of a page that closes', async () => {
  const { output: opened } = await bench.call('browser_tabs', { action: 'new' });
  await bench.call('browser_navigate', { url: server.url('/moving') });
  const page = bench.core.deps.sessions.all[0]?.current?.id;
  expect(opened).toBeDefined();
  await bench.call('browser_video', { action: 'start', page });
  await bench.call('browser_wait', { timeMs: 500 });
  await bench.call('browser_tabs', { action: 'close', page });
  const { output } = await bench.call<Film>('browser_video', { action: 'stop', page });
  expect(output.endedBy).toBe('close');
  expect(readAvi(await readFile(output.file.path)).frames).toBe(output.frames);
});

test('refuses a second start, and a stop without one', async () => {
  await bench.call('browser_navigate', { url: server.url('/moving') });
  await bench.call('browser_video', { action: 'start' });
  expect((await bench.fail('browser_video', { action: 'start' })).code).toBe('busy');
  await bench.call('browser_wait', { timeMs: 300 });
  await bench.call('browser_video', { action: 'stop' });
  expect((await bench.fail('browser_video', { action: 'stop' })).code).toBe('not_found');
});
