import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file whole or not at all, readable by its owner alone: beside its place first, then
 * moved there. On a throw nothing is left, and what was in its place is untouched.
 *
 * Not by the usual package for it: that writes once and takes a short write, which is what a disk
 * that fills up gives, for the whole (docs/discoveries/short-writes.md).
 */
export async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  const part = path.join(path.dirname(file), `.${randomBytes(8).toString('hex')}.part`);
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      // Goes on after a short write, until all is written or the disk refuses.
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, file);
  } catch (thrown) {
    await rm(part, { force: true }).catch(() => {});
    throw thrown;
  }
}
