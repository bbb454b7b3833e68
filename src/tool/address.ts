/**
 * An address as people type it, with its scheme: `example.com` becomes `http://example.com`;
 * `localhost:3000` is a host and a port, not a scheme.
 */
export function toAddress(text: string): string {
  const trimmed = text.trim();
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed)) return trimmed;
  return trimmed === '' ? trimmed : `http://${trimmed}`;
}

/** Origin of an address; null where it has none, such as `about:blank`. */
export function originOf(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  const { origin } = new URL(address);
  return origin === 'null' ? null : origin;
}
