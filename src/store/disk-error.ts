import { OrielError, isOrielError } from '../kernel/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the folder is read-only',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the path is no folder',
};

/** What a disk that refuses a write is told as. An OrielError passes through. */
export function diskError(cause: unknown, what: string, folder: string): OrielError {
  if (isOrielError(cause)) return cause;
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? 'unknown reason';
  const reason = REASONS[code] ? `${REASONS[code]}, ${code}` : code;
  return new OrielError('upstream', `${what} could not be written in ${folder}: ${reason}.`, {
    hint: 'Free space there or choose another folder with --output-dir; the browser goes on.',
    cause,
    details: { code, folder },
  });
}
