import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Oriel } from '../../src/app/library.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { verifies } from '../harness/verifies.ts';
import { openOriel } from './fixture.ts';

const ROOTS: Readonly<Record<string, string>> = { child: 'root', grandchild: 'root' };

let server: FixtureServer;
let oriel: Oriel;
beforeAll(async () => {
  server = await startFixtureServer();
  oriel = await openOriel({}, { rootOf: (id) => ROOTS[id] });
});
afterAll(async () => {
  await oriel?.close();
  await server?.[Symbol.asyncDispose]();
});

const cookie = async (hostSession: string) =>
  (await oriel.evaluate({ function: '() => document.cookie' }, { hostSession })).value;

it('a child of the host’s sessions acts as its root, and a session it does not know as itself', async () => {
  verifies('A-029', 'A-034', 'A-037', 'A-040', 'A-041');
  const url = server.url('/set-cookie?who=root');
  const opened = await oriel.navigate({ url }, { hostSession: 'root' });
  expect(await cookie('child')).toBe('who=root');
  expect(await cookie('grandchild')).toBe('who=root');
  const { pages } = await oriel.tabs({}, { hostSession: 'child' });
  expect(pages.map(({ page }) => page)).toEqual([opened.page]);
  // Not in the host's table: it owns itself, and sees nothing of the others.
  await expect(cookie('stranger')).rejects.toMatchObject({ code: 'not_found' });
  await oriel.navigate({ url: server.url('/echo') }, { hostSession: 'stranger' });
  expect(await cookie('stranger')).toBe('');
  // Nor has the client's own session anything of theirs.
  await expect(oriel.snapshot()).rejects.toMatchObject({ code: 'not_found' });

  expect(await oriel.endHostSessions(['child', 'grandchild'])).toBe(0);
  expect(await cookie('child')).toBe('who=root');
  // Whoever takes part can close what another opened.
  await oriel.tabs({ action: 'close', page: opened.page }, { hostSession: 'child' });
  expect((await oriel.tabs({}, { hostSession: 'root' })).pages).toEqual([]);
});

it('the end of a host’s session ends its context, in one batch, and no other', async () => {
  verifies('A-039', 'C-072', 'C-073', 'C-075', 'C-076');
  const url = server.url('/set-cookie?who=me');
  for (const hostSession of ['a', 'b', 'c']) await oriel.navigate({ url }, { hostSession });
  expect(await oriel.endHostSessions([])).toBe(0);
  await oriel.tabs({ action: 'close' }, { hostSession: 'b' });
  expect(await oriel.endHostSessions(['a', 'b', 'never'])).toBe(2);
  expect(await oriel.endHostSessions(['a', 'b'])).toBe(0);
  expect(await cookie('c')).toBe('who=me');
  await oriel.navigate({ url: server.url('/echo') }, { hostSession: 'a' });
  expect(await cookie('a')).toBe('');
});
