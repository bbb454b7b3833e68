import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with all above it, for its owner alone; one that is there is left as it is.
 *
 * @throws what the file system says. Node's own recursion tells of a read-only disk as `ENOENT`
 * (docs/discoveries/recursive-mkdir.md); made level by level the true reason comes out.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
    for (const level of levels(path.resolve(folder))) {
      await mkdir(level, { mode: 0o700 }).catch((refused: unknown) => {
        if (codeOf(refused) !== 'EEXIST') throw refused;
      });
    }
  }
}

/** `/a/b` as `/a`, `/a/b`. */
function levels(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [] : [...levels(above), folder];
}

function codeOf(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException | null)?.code;
}
