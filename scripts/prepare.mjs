// The steps between a fresh clone and a running Oriel. Plain Node, no dependency: it runs before
// anything is installed. A step that finds its result standing says so and costs next to nothing.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuildCurrent } from './build-stamp.mjs';
import { explainFailure } from './explain-failure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CLI = join(ROOT, 'dist/bin/oriel.js');
const COLOUR = process.stdout.isTTY && !process.env.NO_COLOR;

/**
 * Prepares what is missing, then runs `command` (`start`, `test` or `setup`) with `args`.
 * Resolves to the exit code.
 */
export async function run(command, args) {
  if (!['start', 'test', 'setup'].includes(command)) {
    console.error(`Usage: node scripts/bootstrap.mjs start|test|setup [arguments]`);
    return 2;
  }
  const prepared =
    (await step('Packages', packagesStand(), 'npm ci', installPackages)) &&
    (await step('Build', isBuildCurrent(ROOT), 'npm run build', build)) &&
    (await step('Browser', false, 'looking for one', findBrowser));
  if (!prepared) return 1;
  if (command === 'setup') return 0;
  console.log('');
  // --long: the whole suite, with the tests that install browsers or run for minutes.
  if (args.includes('--long')) process.env.ORIEL_TEST_LONG = '1';
  args = args.filter((arg) => arg !== '--long');
  const child =
    command === 'start'
      ? [CLI, 'demo', ...args]
      : [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args];
  return (await runNode(child, { stdio: 'inherit' })).exitCode;
}

/** Runs `work` unless its result stands; prints what happened and how long it took. */
async function step(title, stands, doing, work) {
  if (stands) {
    console.log(`${paint('32', '✓')} ${title}: nothing to do`);
    return true;
  }
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  console.log(`${paint('36', '•')} ${title}: ${doing} …`);
  // Slow steps say every ten seconds that they are alive.
  const ticker = setInterval(() => console.log(`  ${title}: still at it, ${seconds()}`), 10_000);
  try {
    const result = await work();
    console.log(`${paint('32', '✓')} ${title}: ${result} (${seconds()})`);
    return true;
  } catch (failure) {
    console.error(`${paint('31', '✗')} ${title}: failed after ${seconds()}\n`);
    console.error(failure.message);
    return false;
  } finally {
    clearInterval(ticker);
  }
}

/**
 * True when node_modules holds what package-lock.json says. npm writes a lock of what it
 * installed as its last act, so an interrupted or outdated installation shows as a difference.
 */
function packagesStand() {
  try {
    const wanted = readJson('package-lock.json').packages;
    const installed = readJson('node_modules/.package-lock.json').packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      const there = installed[path];
      if (there === undefined) return entry.optional === true || entry.devOptional === true;
      return (
        there.version === entry.version &&
        there.integrity === entry.integrity &&
        existsSync(join(ROOT, path))
      );
    });
  } catch {
    return false;
  }
}

async function installPackages() {
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev'];
  // Under `npm start` this names the npm that runs us, which also works on Windows without a shell.
  const npm = process.env.npm_execpath;
  const { exitCode, output } =
    npm !== undefined && /npm-cli\.c?js$/.test(npm)
      ? await runNode([npm, ...args], { stdio: 'pipe' })
      : await runProcess('npm', args, { stdio: 'pipe', shell: process.platform === 'win32' });
  if (exitCode !== 0) throw new Error(explainFailure(output, 'npm ci', ROOT));
  return 'installed';
}

async function build() {
  const { exitCode, output } = await runNode([join(ROOT, 'scripts/build.mjs')], { stdio: 'pipe' });
  if (exitCode !== 0) throw new Error(explainFailure(output, 'npm run build', ROOT));
  return 'built';
}

async function findBrowser() {
  const { exitCode } = await runNode([CLI, 'setup'], { stdio: 'inherit' });
  if (exitCode !== 0) throw new Error('To see this alone: node dist/bin/oriel.js setup');
  return 'ready';
}

function runNode(args, options) {
  return runProcess(process.execPath, args, options);
}

function runProcess(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: ROOT, ...options });
    let output = '';
    const collect = (chunk) => (output = (output + chunk).slice(-20_000));
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    const forward = (signal) => child.kill(signal);
    process.on('SIGTERM', forward);
    // The terminal sends SIGINT to the whole group; we only wait for the child to end.
    const wait = () => {};
    process.on('SIGINT', wait);
    const finish = (exitCode) => {
      process.off('SIGTERM', forward);
      process.off('SIGINT', wait);
      resolve({ exitCode, output });
    };
    child.on('error', (failure) => {
      output += `\n${failure.message}`;
      finish(1);
    });
    child.on('close', (code) => finish(code ?? 1));
  });
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function paint(code, text) {
  return COLOUR ? `\u001b[${code}m${text}\u001b[0m` : text;
}
