import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'oriel-test-packed-'));
const app = path.join(folder, 'app');
const home = path.join(folder, 'home');

async function run(file: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, args, {
    cwd: app,
    env: { ...process.env, HOME: home, XDG_DATA_HOME: path.join(home, 'data') },
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
