import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { OrielError } from '../kernel/errors.ts';
import type { Artifact, ArtifactInput, ArtifactStore } from '../model/artifact.ts';

/** Files below one folder, a sub-folder a session; equal content is written once. */
export class FolderArtifacts implements ArtifactStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  folder(session: string): string {
    return path.join(this.#root, session);
  }

  async put(input: ArtifactInput): Promise<Artifact> {
    const content =
      typeof input.content === 'string' ? Buffer.from(input.content, 'utf8') : input.content;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const name = `${input.prefix}-${sha256.slice(0, 16)}.${input.extension}`;
    const folder = this.folder(input.session);
    const file = path.join(folder, name);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (!(await hasSize(file, content.byteLength))) {
        await writeFileAtomic(file, Buffer.from(content), { mode: 0o600 });
        // It writes once and takes a short write for a whole one: so a full disk would go unseen.
        if (!(await hasSize(file, content.byteLength))) {
          await rm(file, { force: true });
          throw Object.assign(new Error('The file was cut short.'), { code: 'ENOSPC' });
        }
      }
    } catch (cause) {
      throw new OrielError(
        'upstream',
        `The file ${name} could not be written (${await reasonOf(cause, folder)}) in ${folder}.`,
        { hint: 'Free space there or choose another folder with --output-dir.', cause },
      );
    }
    return { name, path: file, mimeType: input.mimeType, bytes: content.byteLength, sha256 };
  }
}

async function hasSize(file: string, bytes: number): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.size === bytes,
    () => false,
  );
}

/** A recursive mkdir says ENOENT where a read-only file system stood in its way; a plain one knows. */
async function reasonOf(cause: unknown, folder: string): Promise<string> {
  const code = codeOf(cause);
  if (code !== 'ENOENT') return code;
  return mkdir(folder).then(() => code, codeOf);
}

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException | null)?.code ?? 'unknown reason';
}
