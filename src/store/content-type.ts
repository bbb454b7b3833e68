import { open } from 'node:fs/promises';
import path from 'node:path';

const HEAD_BYTES = 64 * 1024;

/** Text that only its name tells apart. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.md': 'text/markdown',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.ics': 'text/calendar',
};

/** The type of a file by what is in it; its name only tells kinds of text apart. */
export async function contentTypeOf(file: string): Promise<string> {
  // Loaded at the first download: the start of the server does not wait for it.
  const { fileTypeFromFile } = await import('file-type');
  const known = await fileTypeFromFile(file);
  if (known) return known.mime;
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const text = readText(buffer.subarray(0, bytesRead), bytesRead === HEAD_BYTES);
  if (text === null) return 'application/octet-stream';
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (/^(?:<!doctype html|<html|<head|<body)\b/i.test(start)) return 'text/html';
  if (/^<svg\b/i.test(start)) return 'image/svg+xml';
  if (bytesRead < HEAD_BYTES && /^[[{]/.test(start) && isJson(text)) return 'application/json';
  return TEXT_TYPES[path.extname(file).toLowerCase()] ?? 'text/plain';
}

/** The text of a head of a file, or null when it is none. */
function readText(head: Buffer, isCut: boolean): string | null {
  if (head.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: isCut });
  } catch {
    return null;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
