import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the build reads. A change in any of these makes `dist` out of date. */
const INPUTS = [
  'src',
  'console',
  'scripts/build.mjs',
  'scripts/build-lens.mjs',
  'scripts/start-up-plugin.mjs',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
];

const STAMP = '.build-stamp';

/** True when `dist` was built from the sources as they stand, by their content. */
export function isBuildCurrent(root) {
  try {
    return readFileSync(join(root, 'dist', STAMP), 'utf8') === hashInputs(root);
  } catch {
    return false;
  }
}

/** Marks `folder` as built from the sources whose hash was taken before the build began. */
export function writeBuildStamp(folder, hash) {
  writeFileSync(join(folder, STAMP), hash);
}

/** One hash over names and contents of everything that the build reads. */
export function hashInputs(root) {
  const hash = createHash('sha256').update(process.versions.node);
  for (const path of INPUTS.flatMap((input) => listFiles(root, input))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function listFiles(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .filter((name) => name !== 'node_modules' && !/\.test\.tsx?$/.test(name))
    .toSorted()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
