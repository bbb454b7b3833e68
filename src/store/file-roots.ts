import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { OrielError } from '../kernel/errors.ts';
import { diskError } from './disk-error.ts';
import { makeFolder } from './make-folder.ts';
import { writeWhole } from './write-whole.ts';

export interface FileRootsOptions {
  /** Relative paths start here. */
  readonly workspace: string;
  /** Further folders that the operator allows. */
  readonly roots: readonly string[];
  readonly sessionFolder: (session: string) => string;
}

/** A file that may be read, held open: what it is cannot change any more. */
export interface InputFile extends AsyncDisposable {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly handle: FileHandle;
}

export interface OutputOptions {
  /** Whether a file that is there may be replaced. */
  readonly overwrite: boolean;
}

/**
 * Decides which files of this machine an agent may hand to a page or have written: those inside
 * the workspace, its session's folder and the roots of the operator, by where they really are.
 */
export class FileRoots {
  readonly #options: FileRootsOptions;

  constructor(options: FileRootsOptions) {
    this.#options = options;
  }

  /** The allowed folders of a session, as the operator named them. */
  roots(session: string): string[] {
    const { workspace, roots, sessionFolder } = this.#options;
    return [workspace, sessionFolder(session), ...roots.map((root) => path.resolve(root))];
  }

  /**
   * Opens a file to be read. The caller disposes it.
   *
   * @throws `denied` for what lies outside, links that lead outside, hard links and what is no
   * plain file; `not_found`.
   */
  async openInput(session: string, given: string): Promise<InputFile> {
    const wanted = this.#resolve(given);
    const real = await realpath(wanted).catch((cause: unknown) => cause);
    if (typeof real !== 'string') {
      // Whether something exists outside is told to nobody.
      await this.#requireInside(session, await nearestReal(wanted), given);
      throw new OrielError('not_found', `There is no file ${JSON.stringify(given)}.`, {
        hint: 'Check the path; a relative one starts in the workspace.',
        cause: real,
      });
    }
    await this.#requireInside(session, real, given);
    const handle = await openPlain(real, given);
    try {
      const facts = await handle.stat();
      requirePlain(facts, given);
      // A folder on the way may have been swapped for a link between the two looks.
      const again = await lstat(await realpath(wanted));
      if (again.ino !== facts.ino || again.dev !== facts.dev) {
        throw denied(given, 'it changed while it was opened');
      }
      return {
        path: real,
        name: path.basename(wanted),
        bytes: facts.size,
        modifiedAt: facts.mtime,
        handle,
        [Symbol.asyncDispose]: () => handle.close(),
      };
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /**
   * Writes a file whole or not at all, readable by its owner alone.
   *
   * @returns Its absolute path.
   * @throws `denied` outside, through links, and into hidden folders; `bad_input` when it exists
   * and may not be replaced; `upstream` when the disk refuses.
   */
  async writeOutput(
    session: string,
    given: string,
    content: Buffer,
    options: OutputOptions,
  ): Promise<string> {
    const wanted = this.#resolve(given);
    const folder = path.dirname(wanted);
    const inside = await this.#requireInside(session, await nearestReal(wanted), given);
    if (/(?:^|[\\/])\./.test(path.relative(inside.root, inside.real))) {
      throw denied(given, 'it is hidden, and tools of this machine may run what is there');
    }
    try {
      await makeFolder(folder);
      const real = path.join(await realpath(folder), path.basename(wanted));
      await this.#requireInside(session, real, given);
      const there = await lstat(real).catch(() => null);
      if (there) {
        requirePlain(there, given);
        if (!options.overwrite) {
          throw new OrielError('bad_input', `${JSON.stringify(given)} exists already.`, {
            hint: 'Choose another name, or pass overwrite: true to replace it.',
          });
        }
      }
      await writeWhole(real, content);
      return real;
    } catch (cause) {
      throw diskError(cause, `The file ${path.basename(wanted)}`, folder);
    }
  }

  #resolve(given: string): string {
    if (given.includes('\0')) throw denied(given, 'it holds a NUL');
    return path.resolve(this.#options.workspace, given);
  }

  async #requireInside(
    session: string,
    real: string,
    given: string,
  ): Promise<{ root: string; real: string }> {
    const roots = this.roots(session);
    for (const root of roots) {
      const realRoot = await realpath(root).catch(() => path.resolve(root));
      const way = path.relative(realRoot, real);
      if (way !== '' && !way.startsWith('..') && !path.isAbsolute(way)) {
        return { root: realRoot, real };
      }
    }
    throw new OrielError('denied', `${JSON.stringify(given)} lies outside the allowed folders.`, {
      hint: `Use a file in ${roots.join(', ')}; the operator can add folders with uploads.roots.`,
    });
  }
}

/** The path with every link of its existing part followed, and the rest as it stands. */
async function nearestReal(wanted: string): Promise<string> {
  const rest: string[] = [];
  for (let at = wanted; ; at = path.dirname(at)) {
    try {
      return path.join(await realpath(at), ...rest);
    } catch {
      if (path.dirname(at) === at) return wanted;
      // A link that leads nowhere yet would be followed by whoever writes through it.
      const facts = await lstat(at).catch(() => null);
      if (facts?.isSymbolicLink()) throw denied(at, 'it is a link that leads nowhere');
      rest.unshift(path.basename(at));
    }
  }
}

/** Non-blocking, for opening a named pipe would wait for its writer; Windows knows neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function openPlain(real: string, given: string): Promise<FileHandle> {
  try {
    return await open(real, READ_FLAGS);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw denied(given, code === 'ELOOP' ? 'it is a link' : `it cannot be opened (${code})`, cause);
  }
}

function requirePlain(facts: Stats, given: string): void {
  if (facts.isDirectory()) throw denied(given, 'it is a folder; name files');
  if (facts.isSymbolicLink()) throw denied(given, 'it is a link');
  if (!facts.isFile()) throw denied(given, 'it is no plain file');
  if (facts.nlink > 1) throw denied(given, 'it has a second name (hard link) somewhere else');
}

function denied(given: string, why: string, cause?: unknown): OrielError {
  return new OrielError('denied', `${JSON.stringify(given)} is refused: ${why}.`, {
    hint: 'Use a plain file in the workspace or the folder of the session.',
    cause,
  });
}
