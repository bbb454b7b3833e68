// `npm run check`: everything that can be judged without running the product. One line a check.
//   node scripts/check.mjs [--json=FILE] [NAME…]
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Name, and the command as a person would type it. `needs`: skipped while that file is absent. */
const CHECKS = [
  { name: 'types', command: 'npx tsc -p tsconfig.json' },
  { name: 'lint', command: 'npx oxlint --type-aware --deny-warnings' },
  { name: 'format', command: 'npx oxfmt --check' },
  {
    name: 'layers',
    command: 'npx depcruise src --config .dependency-cruiser.mjs --output-type err',
  },
  { name: 'generated', command: 'node scripts/generate.mjs --check' },
  { name: 'unused', command: 'npx knip --no-config-hints' },
  { name: 'package', command: 'node scripts/check-package.mjs' },
  {
    name: 'lens types',
    command: 'npx tsc -p src/lens/page/tsconfig.json',
    needs: 'src/lens/page/tsconfig.json',
  },
];

const args = process.argv.slice(2);
const jsonPath = args.find((arg) => arg.startsWith('--json='))?.slice('--json='.length);
const names = args.filter((arg) => !arg.startsWith('--'));
const queue = CHECKS.filter(
  ({ name, needs }) =>
    (names.length === 0 || names.includes(name)) && (!needs || existsSync(join(ROOT, needs))),
);
if (queue.length === 0) {
  console.error(`No such check. There are: ${CHECKS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const results = [];
await Promise.all(
  Array.from({ length: Math.max(2, availableParallelism()) }, async () => {
    for (let check = queue.shift(); check; check = queue.shift())
      results.push(await runCheck(check));
  }),
);
const failed = results.filter(({ ok }) => !ok);
if (jsonPath) {
  writeFileSync(
    jsonPath,
    JSON.stringify({ passed: results.length - failed.length, failed: failed.length }),
  );
}
if (failed.length > 0) {
  console.error(`\n${failed.length} of ${results.length} checks failed. Each alone:`);
  for (const { command } of failed) console.error(`  ${command}`);
  process.exitCode = 1;
}

function runCheck({ name, command }) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const [runner, ...words] = command.split(' ');
    const isPlainNode = runner === 'node';
    const windows = process.platform === 'win32' && !isPlainNode;
    const [tool, ...rest] = isPlainNode ? [process.execPath, ...words] : words;
    const file = isPlainNode
      ? tool
      : join(ROOT, 'node_modules/.bin', windows ? `${tool}.cmd` : tool);
    const child = spawn(file, rest, {
      cwd: ROOT,
      shell: windows,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const finish = (ok) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${ok ? '✓' : '✗'} ${name} (${seconds} s)`);
      if (!ok) console.log(`${output.trim()}\n  alone: ${command}\n`);
      resolve({ name, command, ok });
    };
    child.on('error', (failure) => {
      output += failure.message;
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
}
