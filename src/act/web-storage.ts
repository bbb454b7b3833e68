import type { Frame, Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { StorageEntry } from '../model/storage.ts';
import { doing } from './doing.ts';

export type WebArea = 'local' | 'session';

/**
 * The frame of one of `pages` whose origin it is; the first page's own without an origin. Storage
 * belongs to an origin and is reached through a document of it.
 *
 * @throws `not_found` when no document of the origin is open.
 */
export function frameOf(pages: readonly Page[], origin: string | undefined): Frame {
  const frames = pages.flatMap((page) => page.frames());
  const frame =
    origin === undefined
      ? pages[0]?.mainFrame()
      : frames.find((candidate) => originOf(candidate.url()) === origin);
  if (frame) return frame;
  throw new OrielError('not_found', `No document of ${origin ?? 'any origin'} is open.`, {
    hint: 'Open a page of that origin first with browser_navigate, in a tab of its own if need be.',
  });
}

/** What an area holds, sorted by key; values where they are wanted. */
export async function readStorage(
  frame: Frame,
  area: WebArea,
  wants: { readonly key: string | undefined; readonly values: boolean },
  signal: AbortSignal,
): Promise<StorageEntry[]> {
  const { key, values } = wants;
  const entries = await inStorage(signal, () =>
    frame.evaluate(listEntries, { area, key: key ?? null, values }),
  );
  return entries.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** @throws `over_limit` when the origin's quota is used up. */
export async function writeStorage(
  frame: Frame,
  area: WebArea,
  key: string,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  await inStorage(signal, () => frame.evaluate(setEntry, { area, key, value }));
}

/** Removes one entry, or all. @returns How many there were. */
export async function clearStorage(
  frame: Frame,
  area: WebArea,
  key: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  return inStorage(signal, () => frame.evaluate(removeEntries, { area, key: key ?? null }));
}

/** The databases of the frame's origin, with how many records their stores hold. */
export async function listDatabases(frame: Frame, signal: AbortSignal): Promise<StorageEntry[]> {
  const found = await inStorage(signal, () => frame.evaluate(readDatabases));
  return found.map(({ name, stores }) => ({
    key: name,
    value: stores.map((store) => `${store.name} (${store.count})`).join(', '),
    chars: stores.reduce((sum, { count }) => sum + count, 0),
  }));
}

/**
 * Deletes one database, or all of the origin's.
 *
 * @returns How many are gone.
 * @throws `busy` when the page holds one open and does not let go.
 */
export async function deleteDatabases(
  frame: Frame,
  name: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const { gone, blocked } = await inStorage(signal, () =>
    frame.evaluate(removeDatabases, name ?? null),
  );
  if (blocked.length === 0) return gone;
  throw new OrielError('busy', `The page holds ${blocked.length} of its databases open.`, {
    hint: 'It goes when the page lets go: reload the page or leave it, then look again.',
    pageText: blocked.join(', '),
  });
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

async function inStorage<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return doing('storage', signal, async () => {
    try {
      return await work();
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : '';
      if (/QuotaExceeded|exceeded the quota/i.test(text)) {
        throw new OrielError('over_limit', "The origin's storage is full.", {
          hint: 'Clear some of it first, or store less.',
          cause,
        });
      }
      if (!/SecurityError|Access is denied|denied for this document/i.test(text)) throw cause;
      throw new OrielError('unsupported', 'This document has no storage.', {
        hint: 'Open a page of http or https; about:blank, data: and sandboxed documents have none.',
        cause,
      });
    }
  });
}

interface Area {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  clear(): void;
}

/** Runs in the page. */
function listEntries({
  area,
  key,
  values,
}: {
  area: string;
  key: string | null;
  values: boolean;
}): {
  key: string;
  value: string | null;
  chars: number;
}[] {
  const store = (globalThis as unknown as Record<string, Area>)[`${area}Storage`] as Area;
  const all = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
  return all
    .filter((name) => key === null || name === key)
    .map((name) => {
      const value = store.getItem(name) ?? '';
      return { key: name, value: values ? value : null, chars: value.length };
    });
}

/** Runs in the page. */
function setEntry({ area, key, value }: { area: string; key: string; value: string }): void {
  const store = (globalThis as unknown as Record<string, Area>)[`${area}Storage`] as Area;
  store.setItem(key, value);
}

/** Runs in the page. */
function removeEntries({ area, key }: { area: string; key: string | null }): number {
  const store = (globalThis as unknown as Record<string, Area>)[`${area}Storage`] as Area;
  const before = store.length;
  if (key === null) store.clear();
  else store.removeItem(key);
  return before - store.length;
}

interface Request<T> {
  addEventListener(type: 'success' | 'error' | 'blocked', listener: () => void): void;
  readonly result: T;
  readonly error: unknown;
}
interface Database {
  readonly objectStoreNames: Iterable<string>;
  transaction(
    names: string[],
    mode: string,
  ): { objectStore(name: string): { count(): Request<number> } };
  close(): void;
}
interface Databases {
  databases(): Promise<{ name: string }[]>;
  open(name: string): Request<Database>;
  deleteDatabase(name: string): Request<void>;
}

/** Runs in the page. */
async function readDatabases(): Promise<
  { name: string; stores: { name: string; count: number }[] }[]
> {
  const factory = (globalThis as unknown as { indexedDB: Databases }).indexedDB;
  const settled = <T>(request: Request<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
  const found = [];
  for (const { name } of await factory.databases()) {
    const database = await settled(factory.open(name));
    const stores = [];
    for (const store of database.objectStoreNames) {
      const transaction = database.transaction([store], 'readonly');
      stores.push({ name: store, count: await settled(transaction.objectStore(store).count()) });
    }
    database.close();
    found.push({ name, stores });
  }
  return found;
}

/** Runs in the page. */
async function removeDatabases(only: string | null): Promise<{ gone: number; blocked: string[] }> {
  const factory = (globalThis as unknown as { indexedDB: Databases }).indexedDB;
  const names = (await factory.databases())
    .map(({ name }) => name)
    .filter((name) => only === null || name === only);
  const blocked: string[] = [];
  for (const name of names) {
    const isGone = await new Promise<boolean>((resolve, reject) => {
      const request = factory.deleteDatabase(name);
      request.addEventListener('success', () => resolve(true));
      request.addEventListener('error', () => reject(request.error));
      // The page is told to let go first; what it does not close stays until it leaves.
      request.addEventListener('blocked', () => setTimeout(() => resolve(false), 500));
    });
    if (!isGone) blocked.push(name);
  }
  return { gone: names.length - blocked.length, blocked };
}
