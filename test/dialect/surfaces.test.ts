import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toOpenAiTools } from '../../src/app/library.ts';
import { Cli } from '../cli/run-cli.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { openOriel } from '../library/fixture.ts';

let site: FixtureServer;
let cli: Cli;
beforeAll(async () => {
  site = await startFixtureServer();
  cli = await Cli.create();
});
afterAll(async () => {
  await cli[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('the command line', () => {
  it('lists the dialects, with their tools and what each changes', async () => {
    const { stdout } = await cli.run(['dialects']);
    expect(stdout).toMatch(/aalis[\s\S]*browser_get_links[\s\S]*sessions\.pageIds is "unique"/);
    const { stdout: json } = await cli.run(['dialects', 'aalis', '--json']);
    expect(JSON.parse(json)).toMatchObject({ name: 'aalis', tools: { length: 7 } });
  });

  it('lists the tools of a dialect, and shows one', async () => {
    const { stdout } = await cli.run(['tools', '--dialect', 'aalis', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(7);
    const { stdout: one } = await cli.run(['tools', 'browser_get_links', '--dialect=aalis']);
    expect(one).toContain('default 50');
    const missing = await cli.run(['tools', 'browser_snapshot', '--dialect=aalis']);
    expect(missing.exitCode).toBe(3);
  });

  it('refuses a dialect that does not exist, with the nearest', async () => {
    const { exitCode, stderr } = await cli.run(['tools', '--dialect', 'aalsi']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean aalis?');
  });

  it('refuses options that must be right', async () => {
    const options = '{"blockPrivate": "no"}';
    const { exitCode, stderr } = await cli.run([
      'tools',
      '--dialect=aalis',
      '--dialect-options',
      options,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('blockPrivate');
  });

  it('calls in a dialect', async () => {
    const { exitCode, stdout } = await cli.run([
      'call',
      'browser_navigate',
      `url=${site.url('/blank.html')}`,
      '--dialect=aalis',
      '--exempt-hosts=127.0.0.1:*',
      '--network-egress=gate',
    ]);
    expect(stdout).toContain('"title":"Blank"');
    expect(exitCode).toBe(0);
  });

  it('shows where a setting of a dialect came from, and lets a flag beat it', async () => {
    const { stdout } = await cli.run([
      'config',
      '--dialect=aalis',
      '--viewport-width=900',
      '--json',
    ]);
    const rows = JSON.parse(stdout) as { path: string; value: unknown; source: string }[];
    const row = (path: string) => rows.find((one) => one.path === path);
    expect(row('sessions.maxPagesTotal')).toMatchObject({ value: 5, source: 'dialect' });
    expect(row('viewport.width')).toMatchObject({ value: 900, source: 'flag' });
  });
});

describe('the library', () => {
  it('speaks a dialect by call, tools and adapters, while its methods stay ours', async () => {
    await using oriel = await openOriel({ dialect: 'aalis' });
    expect(oriel.tools).toHaveLength(7);
    expect(oriel.instructions).toContain('pageId');
    expect(toOpenAiTools(oriel).tools).toHaveLength(7);
    const opened = await oriel.call('browser_navigate', { url: site.url('/blank.html') });
    expect(opened).toMatchObject({ status: 'done', output: { title: 'Blank' } });
    const { pages } = await oriel.tabs();
    expect(pages).toHaveLength(1);
    await using other = await oriel.newSession();
    const { pageId } = (opened as { output: { pageId: string } }).output;
    const foreign = await other.call('browser_get_text', { pageId });
    expect(foreign).toMatchObject({ status: 'failed', output: { error: '页面不存在' } });
    await other.call('browser_navigate', { url: site.url('/blank.html') });
    expect((await other.tabs()).pages).toHaveLength(1);
  });
});
