import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, chmod, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OrielError } from '../kernel/errors.ts';
import type { Download, DownloadShelf, KeptFile } from '../model/download.ts';
import { contentTypeOf } from './content-type.ts';
import { diskError } from './disk-error.ts';
import { makeFolder } from './make-folder.ts';
import { numberedName, safeName } from './safe-name.ts';

export interface DownloadFolderOptions {
  /** One folder for all sessions, or null: `downloads` in the session's own. */
  readonly folder: string | null;
  readonly sessionFolder: (session: string) => string;
}

/** The most files of one name; more would be a page that floods the folder. */
const MAX_NAMESAKES = 10_000;

/** Downloads as files, each under a safe name of its own, with a manifest beside them. */
export class DownloadFolder implements DownloadShelf {
  readonly #options: DownloadFolderOptions;

  constructor(options: DownloadFolderOptions) {
    this.#options = options;
  }

  safeName(suggestedName: string): string {
    return safeName(suggestedName);
  }

  async keep(
    session: string,
    suggestedName: string,
    write: (file: string) => Promise<void>,
  ): Promise<KeptFile> {
    const { files } = this.#places(session);
    const part = path.join(files, `.part-${randomBytes(8).toString('hex')}`);
    let reserved: string | null = null;
    try {
      await makeFolder(files);
      await write(part);
      await chmod(part, 0o600);
      const { size } = await stat(part);
      const sha256 = await hashOf(part);
      const file = (reserved = await reserve(files, safeName(suggestedName)));
      await rename(part, file);
      return {
        name: path.basename(file),
        path: file,
        bytes: size,
        sha256,
        mimeType: await contentTypeOf(file),
      };
    } catch (cause) {
      await rm(part, { force: true }).catch(() => {});
      if (reserved) await rm(reserved, { force: true }).catch(() => {});
      throw isDiskRefusal(cause) ? diskError(cause, 'The download', files) : cause;
    }
  }

  async note(session: string, download: Download): Promise<void> {
    const { manifest } = this.#places(session);
    await makeFolder(path.dirname(manifest));
    await appendFile(manifest, `${JSON.stringify({ session, ...download })}\n`, { mode: 0o600 });
  }

  async remove(download: Download): Promise<void> {
    if (download.path === undefined) return;
    await rm(download.path, { force: true });
  }

  #places(session: string): { files: string; manifest: string } {
    const { folder, sessionFolder } = this.#options;
    return folder === null
      ? {
          files: path.join(sessionFolder(session), 'downloads'),
          manifest: path.join(sessionFolder(session), 'downloads.jsonl'),
        }
      : { files: folder, manifest: path.join(folder, 'downloads.jsonl') };
  }
}

/** Creates the first free one of `name`, `name-2`, …, so that no other download can take it. */
async function reserve(folder: string, name: string): Promise<string> {
  for (let number = 1; number <= MAX_NAMESAKES; number++) {
    const file = path.join(folder, numberedName(name, number));
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.close();
      return file;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
  throw new OrielError('over_limit', `There are ${MAX_NAMESAKES} files named ${name} already.`, {
    hint: 'Delete some with browser_downloads {"action": "delete"}.',
  });
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function isDiskRefusal(cause: unknown): boolean {
  return /^E[A-Z]+$/.test((cause as NodeJS.ErrnoException | null)?.code ?? '');
}
