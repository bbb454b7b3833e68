// Writes what derives from other files. `--check` writes nothing and fails when something is stale.
//   node scripts/generate.mjs [--check]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';
import { dialectIndex } from './generate/dialect-index.mjs';
import { toolIndex } from './generate/tool-index.mjs';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const isCheck = process.argv.includes('--check');
let stale = 0;

// First, for what follows imports it.
put('src/tools/index.ts', format('src/tools/index.ts', toolIndex(ROOT)));
put('src/dialect/index.ts', format('src/dialect/index.ts', dialectIndex(ROOT)));

register();
const { listingModule } = await import('./generate/listing.ts');
const LISTING = 'src/surface/mcp/listing.generated.ts';
put(LISTING, format(LISTING, listingModule()));

const { referencePages } = await import('./generate/reference.ts');
const { readmeWithTables } = await import('./generate/readme.ts');

const REFERENCE = 'docs/reference';
const pages = referencePages();
for (const [name, text] of Object.entries(pages)) put(`${REFERENCE}/${name}`, text);
for (const name of listFiles(REFERENCE)) {
  if (!(name in pages)) remove(`${REFERENCE}/${name}`);
}
const readme = read('README.md');
if (readme !== '') put('README.md', format('README.md', readmeWithTables(readme)));
process.exitCode = stale > 0 ? 1 : 0;

function put(file, text) {
  if (read(file) === text) return;
  if (isCheck) return report(`${file} is stale`);
  mkdirSync(path.dirname(path.join(ROOT, file)), { recursive: true });
  writeFileSync(path.join(ROOT, file), text);
  console.log(`wrote ${file}`);
}

function remove(file) {
  if (isCheck) return report(`${file} describes nothing that exists`);
  rmSync(path.join(ROOT, file));
  console.log(`removed ${file}`);
}

function report(what) {
  stale++;
  console.error(`${what}; run: node scripts/generate.mjs`);
}

function format(file, text) {
  return execFileSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), `--stdin-filepath=${file}`],
    { input: text, encoding: 'utf8', cwd: ROOT },
  );
}

function read(file) {
  const target = path.join(ROOT, file);
  return existsSync(target) ? readFileSync(target, 'utf8') : '';
}

function listFiles(folder) {
  const target = path.join(ROOT, folder);
  return existsSync(target) ? readdirSync(target) : [];
}
