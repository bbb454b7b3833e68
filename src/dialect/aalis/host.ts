import type { Artifact } from '../../model/artifact.ts';

/** What the host of the plugin does for it. */
export interface AalisHost {
  /**
   * Keeps a picture for a session of the host.
   *
   * @returns Its `storage_uri`.
   * @throws When it cannot be kept.
   */
  readonly keep?: (picture: Artifact, sessionId: string) => Promise<string>;
}
