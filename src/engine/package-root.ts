import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A built entry of ours beside the CLI, such as `watchdog`; undefined when the package has not
 * been built. Found from the package's root, since this code runs from sources, from `dist` and
 * from a bundle alike.
 */
export function findBuiltEntry(name: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  const path = join(folder, 'dist', 'bin', `${name}.js`);
  return existsSync(path) ? path : undefined;
}
