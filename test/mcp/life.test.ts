import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stillRunning, type ProcessRow } from '../../src/engine/process-table.ts';
import { until } from '../engine/fixture.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { browse, ERAS, startMcp } from '../harness/mcp-client.ts';

let site: FixtureServer;
beforeAll(async () => {
  site = await startFixtureServer();
});
afterAll(() => site[Symbol.asyncDispose]());

const gone = (rows: readonly ProcessRow[]) =>
  until(async () => (await stillRunning(rows)).length === 0, 5000);

describe('the browser', () => {
  it('is gone within 5 s of a SIGKILL of the server', async () => {
    await using mcp = await startMcp({ era: '2026' });
    const tree = await browse(mcp, site.url('/blank.html'));
    process.kill(mcp.pid, 'SIGKILL');
    await gone(tree);
  });

  it('is gone within 5 s of the end of stdin', async () => {
    const mcp = await startMcp({ era: '2025' });
    const tree = await browse(mcp, site.url('/blank.html'));
    await mcp[Symbol.asyncDispose]();
    await gone(tree);
  });

  it('is gone within 5 s of a SIGTERM, in good order', async () => {
    await using mcp = await startMcp({ era: '2026' });
    const tree = await browse(mcp, site.url('/blank.html'));
    process.kill(mcp.pid, 'SIGTERM');
    await gone(tree);
  });

  it('is gone within 5 s of a SIGKILL while it starts', async () => {
    await using mcp = await startMcp({ era: '2026' });
    const call = mcp.call('browser_navigate', { url: site.url('/blank.html') }).catch(() => {});
    await until(async () => (await mcp.browsers()).length > 0, 20_000);
    const tree = await mcp.tree();
    process.kill(mcp.pid, 'SIGKILL');
    await gone(tree);
    await call;
  });
});

describe.each(ERAS)('in the protocol of %s', (era) => {
  it('parallel first calls share one launch', async () => {
    await using mcp = await startMcp({ era });
    const sessions = await Promise.all(
      [1, 2, 3].map(async () => {
        const { text } = await mcp.call('browser_session', { action: 'new' });
        return /Session (s_[\w-]+) is ready/.exec(text)?.[1];
      }),
    );
    const answers = await Promise.all(
      [undefined, undefined, ...sessions].map((session) =>
        mcp.call('browser_navigate', {
          url: site.url('/blank.html'),
          ...(session ? { session } : {}),
        }),
      ),
    );
    expect(answers.filter((answer) => answer.isError)).toEqual([]);
    const mains = (await mcp.browsers()).filter((row) => !row.command.includes('--type='));
    const launches = new Set(mains.map((row) => /--oriel-launch=(\S+)/.exec(row.command)?.[1]));
    expect(launches.size).toBe(1);
    expect((await mcp.call('browser_session')).text).toContain('generation 1');
  });

  it('a browser killed between calls is told of, and followed by the next', async () => {
    await using mcp = await startMcp({ era });
    const tree = await browse(mcp, site.url('/blank.html'));
    for (const { pid } of tree.filter((row) => row.command.includes('--oriel-launch='))) {
      process.kill(pid, 'SIGKILL');
    }
    const answer = await mcp.call('browser_snapshot');
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/\(gone\).*generation 1[^]*starts generation 2/);
    expect((await mcp.call('browser_navigate', { url: site.url('/blank.html') })).isError).toBe(
      false,
    );
    expect((await mcp.call('browser_session')).text).toContain('generation 2');
  });

  it('two servers know nothing of each other', { timeout: 90_000 }, async () => {
    await using one = await startMcp({ era });
    await using other = await startMcp({ era });
    await one.call('browser_navigate', { url: site.url('/set-cookie?who=one') });
    await other.call('browser_navigate', { url: site.url('/echo') });
    expect((await other.call('browser_read')).text).not.toContain('who=one');
    const { text } = await one.call('browser_session', { action: 'list' });
    const [handle] = /s_[\w-]+/.exec(text) ?? [];
    const foreign = await other.call('browser_snapshot', { session: handle });
    const missing = await other.call('browser_snapshot', { session: 's_AAAAAAAAAAAAAAAAAAAAAA' });
    expect(foreign).toEqual(missing);
    expect(foreign.text).toContain('not_found');
  });
});
