// Judges what would be published: packs it once, then publint and "are the types wrong" on that.
//   node scripts/check-package.mjs
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuildCurrent } from './build-stamp.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'oriel-pack-'));
try {
  process.exitCode = await check();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function check() {
  if (!isBuildCurrent(ROOT) && (await run(process.execPath, ['scripts/build.mjs'])) !== 0) return 1;
  const pack = ['pack', '--ignore-scripts', '--silent', `--pack-destination=${folder}`];
  if ((await run('npm', pack, process.platform === 'win32')) !== 0) return 1;
  const tarball = join(folder, readdirSync(folder)[0]);
  const codes = await Promise.all([
    runPackage('publint/src/cli.js', ['run', tarball, '--strict']),
    runPackage('@arethetypeswrong/cli/dist/index.js', [
      tarball,
      '--profile=esm-only',
      '--no-emoji',
    ]),
  ]);
  return Math.max(...codes);
}

function runPackage(script, args) {
  return run(process.execPath, [join(ROOT, 'node_modules', script), ...args]);
}

function run(file, args, shell = false) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: 'inherit', shell });
    child.on('error', (failure) => {
      console.error(failure.message);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
