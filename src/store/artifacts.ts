import { createHash } from 'node:crypto';
import { constants, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { OrielError } from '../kernel/errors.ts';
import type {
  Artifact,
  ArtifactInput,
  ArtifactRange,
  ArtifactStore,
  ListedArtifact,
} from '../model/artifact.ts';
import { diskError } from './disk-error.ts';
import { makeFolder } from './make-folder.ts';
import { writeWhole } from './write-whole.ts';

/** What may be kept of one session; null is without bound. */
export interface ArtifactBounds {
  readonly maxCount: number | null;
  readonly maxBytes: number | null;
}

/** Such as `shot-0123456789abcdef.png`; nothing else in a folder is an artifact. */
const NAME = /^[a-z][a-z0-9-]*-[0-9a-f]{16}\.([a-z0-9]{1,8})$/;

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  html: 'text/html',
  json: 'application/json',
  har: 'application/json',
  txt: 'text/plain',
  md: 'text/markdown',
  zip: 'application/zip',
  webm: 'video/webm',
};

/**
 * Files below one folder, a sub-folder a session; equal content is written once. Nothing is ever
 * removed unless a bound is configured; then the oldest that is not pinned goes first.
 */
export class FolderArtifacts implements ArtifactStore {
  readonly #root: string;
  readonly #bounds: ArtifactBounds;
  readonly #pinned = new Set<string>();

  constructor(root: string, bounds: ArtifactBounds = { maxCount: null, maxBytes: null }) {
    this.#root = root;
    this.#bounds = bounds;
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
    this.#requireRoom(content.byteLength);
    try {
      await makeFolder(folder);
      if (await hasSize(file, content.byteLength)) {
        // Stored again is new again: it must not be the oldest.
        const now = new Date();
        await utimes(file, now, now);
      } else {
        await writeWhole(file, content);
      }
    } catch (cause) {
      throw diskError(cause, `The file ${name}`, folder);
    }
    await this.#keepWithinBounds(input.session, name);
    return { name, path: file, mimeType: input.mimeType, bytes: content.byteLength, sha256 };
  }

  async list(session: string): Promise<ListedArtifact[]> {
    const folder = this.folder(session);
    const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
    const listed = await Promise.all(
      names.map(async (name) => {
        const facts = await stat(path.join(folder, name)).catch(() => null);
        if (!facts?.isFile()) return [];
        const isPinned = this.#pinned.has(`${session}/${name}`);
        return [
          { name, mimeType: typeOf(name), bytes: facts.size, storedAt: facts.mtime, isPinned },
        ];
      }),
    );
    return listed
      .flat()
      .toSorted((a, b) => Number(a.storedAt) - Number(b.storedAt) || (a.name < b.name ? -1 : 1));
  }

  async read(
    session: string,
    name: string,
    offset: number,
    length: number,
  ): Promise<ArtifactRange> {
    if (!NAME.test(name)) throw noArtifact(name);
    const file = path.join(this.folder(session), name);
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(
      (cause: unknown) => {
        throw noArtifact(name, cause);
      },
    );
    const { size } = await handle.stat();
    if (offset > size) {
      throw new OrielError('bad_input', `The artifact has ${size} bytes; ${offset} is past it.`, {
        hint: 'Begin at a smaller offset.',
        details: { bytes: size },
      });
    }
    const content = Buffer.alloc(Math.min(length, size - offset));
    const { bytesRead } = await handle.read(content, 0, content.byteLength, offset);
    return {
      name,
      mimeType: typeOf(name),
      bytes: size,
      offset,
      content: content.subarray(0, bytesRead),
    };
  }

  async pin(session: string, name: string, isPinned: boolean): Promise<void> {
    const known = (await this.list(session)).some((artifact) => artifact.name === name);
    if (!known) throw noArtifact(name);
    if (isPinned) this.#pinned.add(`${session}/${name}`);
    else this.#pinned.delete(`${session}/${name}`);
  }

  /** What alone is over the bound is refused before anything is removed for it. */
  #requireRoom(bytes: number): void {
    const { maxBytes } = this.#bounds;
    if (maxBytes === null || bytes <= maxBytes) return;
    throw new OrielError(
      'over_limit',
      `The file has ${bytes} bytes, and a session may keep ${maxBytes} (artifacts.maxBytes).`,
      { hint: 'Ask for less, or have the operator raise artifacts.maxBytes.' },
    );
  }

  async #keepWithinBounds(session: string, newest: string): Promise<void> {
    const { maxCount, maxBytes } = this.#bounds;
    if (maxCount === null && maxBytes === null) return;
    const all = await this.list(session);
    let count = all.length;
    let bytes = all.reduce((sum, artifact) => sum + artifact.bytes, 0);
    for (const artifact of all) {
      if (count <= (maxCount ?? Infinity) && bytes <= (maxBytes ?? Infinity)) return;
      if (artifact.isPinned || artifact.name === newest) continue;
      await rm(path.join(this.folder(session), artifact.name), { force: true });
      count--;
      bytes -= artifact.bytes;
    }
  }
}

function typeOf(name: string): string {
  return TYPES[NAME.exec(name)?.[1] ?? ''] ?? 'application/octet-stream';
}

function noArtifact(name: string, cause?: unknown): OrielError {
  return new OrielError('not_found', `There is no artifact ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: 'List what there is with browser_artifacts {"action": "list"}.',
    cause,
  });
}

async function hasSize(file: string, bytes: number): Promise<boolean> {
  return stat(file).then(
    (facts) => facts.size === bytes,
    () => false,
  );
}
