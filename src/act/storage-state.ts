import type { BrowserContext } from 'playwright-core';
import type { StorageState } from '../model/storage.ts';
import { doing } from './doing.ts';

/** Cookies and local storage of every origin; IndexedDB where it is wanted. */
export async function readState(
  context: BrowserContext,
  { indexedDB }: { readonly indexedDB: boolean },
  signal: AbortSignal,
): Promise<StorageState> {
  // Nothing but what is named is passed on: a `path` would have Playwright write a file itself.
  return doing('export', signal, () => context.storageState({ indexedDB }));
}

/** Replaces cookies and storage of the context. */
export async function writeState(
  context: BrowserContext,
  state: StorageState,
  signal: AbortSignal,
): Promise<void> {
  await doing('import', signal, () =>
    context.setStorageState(state as Parameters<BrowserContext['setStorageState']>[0]),
  );
}
