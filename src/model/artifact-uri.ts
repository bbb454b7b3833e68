/** The address of an artifact: `oriel://artifact/<session key>/<name>`, and a range of it. */
export interface ArtifactAddress {
  /** Key of its session, which is no handle. */
  readonly key: string;
  readonly name: string;
  readonly offset: number;
  /** Null is to the end. */
  readonly length: number | null;
}

export function artifactUri(key: string, name: string): string {
  return `oriel://artifact/${encodeURIComponent(key)}/${encodeURIComponent(name)}`;
}

/** Null for what is no such address. */
export function parseArtifactUri(text: string): ArtifactAddress | null {
  const match = /^oriel:\/\/artifact\/([\w-]+)\/([\w.-]+)(?:\?(.*))?$/.exec(text);
  const [, key, name, query] = match ?? [];
  if (key === undefined || name === undefined) return null;
  const range = new URLSearchParams(query);
  const offset = range.get('offset') ?? '0';
  const length = range.get('length');
  if (!/^\d{1,15}$/.test(offset) || !(length === null || /^\d{1,15}$/.test(length))) return null;
  return { key, name, offset: Number(offset), length: length === null ? null : Number(length) };
}
