// `npm run build`: src → dist. Types and plain modules for the library come from tsc, the entries
// that a person or a client starts are bundled by esbuild, because start-up time is what they feel.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { hashInputs, writeBuildStamp } from './build-stamp.mjs';
import { startUpPlugin } from './start-up-plugin.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Entries that share code and split it, so that `--help` loads no more than it needs. */
const SPLIT_ENTRIES = { oriel: 'src/bin/oriel.ts' };

/** Small processes of ours that stand alone: one file each, loaded as fast as possible. */
const LONE_ENTRIES = {
  watchdog: 'src/engine/watchdog.ts',
  'gate-child': 'src/gate/gate-child.ts',
};

const ASSETS = ['app/demo/site'];

/** Built here and moved into place whole, so that whoever uses `dist` meanwhile finds it all. */
const NEXT = 'node_modules/.cache/oriel-dist';

const hash = hashInputs(ROOT);
rmSync(join(ROOT, NEXT), { recursive: true, force: true });
if (existsSync(join(ROOT, 'scripts/build-lens.mjs'))) runNode('scripts/build-lens.mjs');
if (existsSync(join(ROOT, 'scripts/build-console.mjs'))) runNode('scripts/build-console.mjs');
runNode('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', NEXT);
await bundle(SPLIT_ENTRIES, { splitting: true, chunkNames: 'chunks/[name]-[hash]' });
for (const [name, source] of Object.entries(LONE_ENTRIES)) await bundle({ [name]: source }, {});
for (const asset of ASSETS) {
  const from = join(ROOT, 'src', asset);
  if (existsSync(from)) cpSync(from, join(ROOT, NEXT, asset), { recursive: true });
}
writeBuildStamp(join(ROOT, NEXT), hash);
rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
moveFolder(join(ROOT, NEXT), join(ROOT, 'dist'));

function moveFolder(from, to) {
  try {
    renameSync(from, to);
  } catch (failure) {
    // node_modules may be a disk of its own, as in a development container.
    if (failure.code !== 'EXDEV') throw failure;
    cpSync(from, to, { recursive: true });
    rmSync(from, { recursive: true });
  }
}

async function bundle(entries, options) {
  const present = Object.entries(entries).filter(([, source]) => existsSync(join(ROOT, source)));
  if (present.length === 0) return;
  await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(present),
    outdir: `${NEXT}/bin`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // playwright-core is loaded lazily: it takes 350 ms, finds files beside itself, and is 14 MB.
    external: ['playwright-core'],
    plugins: [startUpPlugin],
    // What is never run is read all the same; names stay, for traces that say something.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'linked',
    logLevel: 'warning',
    // CommonJS packages inside an ESM bundle call `require` for Node's own modules.
    banner: {
      js: `import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);`,
    },
    ...options,
  });
  for (const [name] of present) chmodSync(join(ROOT, NEXT, `bin/${name}.js`), 0o755);
}

function runNode(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`\nTo see this alone: node ${[script, ...args].join(' ')}`);
    process.exit(1);
  }
}
