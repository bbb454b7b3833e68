import type { BrowserContext } from 'playwright-core';
import type { StorageState } from '../model/storage.ts';
import { doing } from './doing.ts';

/** Cookies and local storage of every origin; IndexedDB where it is wanted. */
export async function readState(
  context: BrowserContext,
  options: { readonly indexedDB: boolean },
  signal: AbortSignal,
): Promise<StorageState> {
  return doing('export', signal, () => context.storageState(options));
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
