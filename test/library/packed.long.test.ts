import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'oriel-test-packed-'));
const app = path.join(folder, 'app');
const home = path.join(folder, 'home');

const ENV = { ...process.env, HOME: home, XDG_DATA_HOME: path.join(home, 'data') };

async function run(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, {
    cwd: app,
    env: ENV,
  });
  return stdout;
}

describe('the package as it is published', () => {
  beforeAll(async () => {
    mkdirSync(app);
    mkdirSync(home);
    writeFileSync(path.join(app, 'package.json'), '{"type": "module", "private": true}');
    await promisify(execFile)(
      'npm',
      ['pack', '--ignore-scripts', '--silent', `--pack-destination=${folder}`],
      { cwd: ROOT },
    );
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    await run('npm', 'install', '--no-audit', '--no-fund', path.join(folder, tarball ?? ''));
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('brings the command, which finds a browser and opens a page', async () => {
    expect(await run('npx', 'oriel', '--version')).toMatch(/^\d+\.\d+\.\d+/);
    expect(await run('npx', 'oriel', 'call', 'browser_navigate', 'url=about:blank')).toContain(
      'p1 is open.',
    );
  });

  it('brings the MCP server', async () => {
    const client = new Client({ name: 'packed', version: '1' });
    const env = Object.entries(ENV).flatMap(([name, value]) => (value ? [[name, value]] : []));
    await client.connect(
      new StdioClientTransport({
        command: 'npx',
        args: ['oriel', 'mcp'],
        cwd: app,
        env: Object.fromEntries(env) as Record<string, string>,
      }),
    );
    try {
      expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('browser_click');
      const { isError, content } = await client.callTool({
        name: 'browser_navigate',
        arguments: { url: 'about:blank' },
      });
      expect(isError).not.toBe(true);
      expect(content[0]).toMatchObject({ text: expect.stringContaining('p1 is open.') as string });
    } finally {
      await client.close();
    }
  }, 60_000);

  it('brings the tools of the Vercel AI SDK and of OpenAI', async () => {
    const source = `import { createOriel, toAiSdkTools, toOpenAiTools } from 'oriel';
      const oriel = await createOriel();
      const tools = toAiSdkTools(oriel);
      const answer = await tools.browser_navigate.execute({ url: 'about:blank' }, { toolCallId: '1', messages: [] });
      console.log(JSON.stringify([Object.keys(tools).length, JSON.stringify(answer), JSON.stringify(toOpenAiTools(oriel)).length > 1000]));
      await oriel.close();`;
    writeFileSync(path.join(app, 'adapters.mjs'), source);
    const [count, answer, isFilled] = JSON.parse(
      await run(process.execPath, 'adapters.mjs'),
    ) as unknown[];
    expect(count).toBe(16);
    expect(answer).toContain('p1 is open.');
    expect(isFilled).toBe(true);
  });

  it('brings the library, with types that hold by themselves', async () => {
    const source = `import { createOriel, type Oriel, type Outcome } from 'oriel';
      const oriel: Oriel = await createOriel();
      const { title, page }: { title: string; page: string } = await oriel.navigate({ url: 'about:blank' });
      const outcome: Outcome = await oriel.call('browser_evaluate', { function: '() => 6 * 7' });
      console.log(JSON.stringify([page, title, outcome.status === 'done' && outcome.output]));
      await oriel.close();`;
    writeFileSync(path.join(app, 'use.ts'), source);
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const typeRoots = path.join(ROOT, 'node_modules/@types');
    const options = `--module nodenext --target es2023 --strict --types node --typeRoots ${typeRoots}`;
    await run(process.execPath, tsc, ...options.split(' '), 'use.ts');
    const [page, title, output] = JSON.parse(await run(process.execPath, 'use.js')) as unknown[];
    expect([page, title]).toEqual(['p1', '']);
    expect(output).toMatchObject({ value: 42 });
  });
});
