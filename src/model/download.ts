import { z } from 'zod';

/**
 * `started` runs; `done` lies in its file; `failed` says why; `skipped` was announced but not
 * kept, because this server keeps none; `deleted` was kept and removed again.
 */
export const DOWNLOAD_STATES = ['started', 'done', 'failed', 'skipped', 'deleted'] as const;

export const downloadSchema = z.strictObject({
  id: z.string().describe('Id within the session, such as d1.'),
  page: z.string().describe('Page that began it.'),
  url: z.string().describe('Where it came from, at most 500 characters.'),
  suggestedName: z.string().describe('The name that the page or server gave.'),
  name: z.string().describe('The name made safe; that of the file once it is done.'),
  state: z.enum(DOWNLOAD_STATES).describe('How it stands.'),
  path: z.string().optional().describe('Absolute path of the file.'),
  bytes: z.int().optional().describe('Size of the file.'),
  sha256: z.string().optional().describe('Hash of its content, hex.'),
  mimeType: z.string().optional().describe('Its type by its content, not by its name.'),
  error: z.string().optional().describe('Why it failed.'),
  startedAt: z.string().describe('ISO time.'),
  endedAt: z.string().optional().describe('ISO time.'),
});
export type Download = z.output<typeof downloadSchema>;

/** What is known of a download once its file is in place. */
export interface KeptFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly mimeType: string;
}

/** Where finished downloads are kept, one place a session. */
export interface DownloadShelf {
  /** The name as it would be kept, before other files are known. */
  safeName(suggestedName: string): string;
  /**
   * Lets `write` fill a new file and puts it in its place; on a throw nothing is left.
   *
   * @throws `upstream` when the disk refuses, and what `write` throws.
   */
  keep(
    session: string,
    suggestedName: string,
    write: (file: string) => Promise<void>,
  ): Promise<KeptFile>;
  /** Adds a line to the session's manifest; the last line of an id holds. */
  note(session: string, download: Download): Promise<void>;
  remove(download: Download): Promise<void>;
}
