import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Artifact, ArtifactInput, ArtifactStore } from '../model/artifact.ts';

/**
 * Has `write` make a file beside the session's artifacts, and keeps it as one of them. The working
 * file is gone afterwards, whatever happens.
 */
export async function keepRecording(
  artifacts: ArtifactStore,
  as: Omit<ArtifactInput, 'content'>,
  write: (file: string) => Promise<void>,
): Promise<Artifact> {
  const file = await workingFile(artifacts, as.session, as.extension);
  try {
    await write(file);
    return await artifacts.put({ ...as, content: await readFile(file) });
  } finally {
    await rm(file, { force: true });
  }
}

/** A name that no other file has, in the session's folder. */
export async function workingFile(
  artifacts: ArtifactStore,
  session: string,
  extension: string,
): Promise<string> {
  const folder = artifacts.folder(session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, `.recording-${randomBytes(6).toString('hex')}.${extension}`);
}
