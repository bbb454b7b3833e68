import { z } from 'zod';

export const artifactSchema = z.strictObject({
  name: z.string().describe('File name within the session folder.'),
  path: z.string().describe('Absolute path of the file.'),
  mimeType: z.string().describe('Its type.'),
  bytes: z.int().describe('Its size.'),
  sha256: z.string().describe('Hash of its content, hex.'),
});
export type Artifact = z.output<typeof artifactSchema>;

export interface ArtifactInput {
  /** Folder of the owning session. */
  readonly session: string;
  /** Start of the file name, such as `shot`; the content hash and the extension follow. */
  readonly prefix: string;
  readonly extension: string;
  readonly mimeType: string;
  readonly content: Uint8Array | string;
}

/** An artifact as a folder tells it, without reading it. */
export interface ListedArtifact {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly storedAt: Date;
  readonly isPinned: boolean;
}

/** A piece of an artifact. */
export interface ArtifactRange {
  readonly name: string;
  readonly mimeType: string;
  /** Size of the whole. */
  readonly bytes: number;
  readonly offset: number;
  readonly content: Buffer;
}

/** Where files outlive a page. Equal content under one prefix is one file. */
export interface ArtifactStore {
  /** Writes atomically; throws `upstream` when the disk refuses. */
  put(input: ArtifactInput): Promise<Artifact>;
  /** Absolute folder of a session; it may not exist yet. */
  folder(session: string): string;
  /** What a session keeps, oldest first. */
  list(session: string): Promise<ListedArtifact[]>;
  /**
   * @param length - Most bytes; fewer come back at the end of the file.
   * @throws `not_found`; `bad_input` for an offset past the end.
   */
  read(session: string, name: string, offset: number, length: number): Promise<ArtifactRange>;
  /** Keeps an artifact from being removed when a bound is reached. @throws `not_found`. */
  pin(session: string, name: string, isPinned: boolean): Promise<void>;
}
