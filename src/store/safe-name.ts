/** Most bytes of a name: file systems take 255, and a counter and a suffix must still fit. */
const MAX_BYTES = 180;
/** Names that Windows takes for devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A file name that is one: no folders, no characters that a file system or a shell reads in its
 * own way, not hidden, not too long, never empty.
 */
export function safeName(suggested: string): string {
  const last = suggested.split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd<>:"|?*]/gu, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s-]+/, '')
    .replace(/[.\s]+$/, '');
  const named = clean === '' ? 'download' : clean.replace(DEVICE, '_$&');
  return shorten(named);
}

/** `report.csv` → `report-2.csv`. */
export function numberedName(name: string, number: number): string {
  if (number < 2) return name;
  const { stem, extension } = splitName(name);
  return `${stem}-${number}${extension}`;
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const { stem, extension } = splitName(name);
  const room = MAX_BYTES - Buffer.byteLength(extension);
  const cut = Buffer.from(stem)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return cut + extension;
}

function splitName(name: string): { stem: string; extension: string } {
  const match = /^(.+?)((?:\.tar)?\.[A-Za-z0-9]{1,12})$/.exec(name);
  return { stem: match?.[1] ?? name, extension: match?.[2] ?? '' };
}
