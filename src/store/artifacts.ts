import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
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
      }
    } catch (cause) {
      throw new OrielError(
        'upstream',
        `The file ${name} could not be written (${codeOf(cause)}) in ${folder}.`,
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

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException | null)?.code ?? 'unknown reason';
}
