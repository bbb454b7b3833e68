import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FileChooser, Locator } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { ActTarget } from '../model/act-target.ts';
import { doing } from './doing.ts';

/** A file that is held open and may be handed to a page. */
export interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly modifiedAt: Date;
}

/**
 * Copies opened files to a folder of ours, so that the page gets what was checked, whatever
 * happens to the path meanwhile. Chromium reads them when the page does, so the copies must live
 * as long as the page.
 *
 * @returns Their paths, each under its own name.
 */
export async function stageFiles(
  folder: string,
  files: readonly OpenFile[],
  signal: AbortSignal,
): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const staged: string[] = [];
  for (const { name, handle, modifiedAt } of files) {
    const place = path.join(await mkdtemp(path.join(folder, 'file-')), name);
    const from = handle.createReadStream({ autoClose: false, start: 0 });
    await pipeline(from, createWriteStream(place, { mode: 0o600, flags: 'wx' }), { signal });
    await utimes(place, modifiedAt, modifiedAt);
    staged.push(place);
  }
  return staged;
}

/** Whether the element is a file input, or the label of one. */
export async function takesFiles(target: ActTarget, signal: AbortSignal): Promise<boolean> {
  return doing('upload', signal, () =>
    refusalsOf(target, () => target.locator.evaluate(isFileInput)),
  );
}

/** Gives files to a file input. */
export async function setFiles(
  target: ActTarget,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await doing('upload', signal, () =>
    refusalsOf(target, () => putFiles(target.locator, paths, signal)),
  );
}

/** @throws `bad_input` when the field takes one file and several are given. */
export async function putFiles(
  locator: Locator,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await refuseMany(() => locator.setInputFiles([...paths], { timeout: 0, signal }));
}

/** Answers a file chooser. */
export async function answerChooser(
  chooser: FileChooser,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await doing('upload', signal, () =>
    refuseMany(() => chooser.setFiles([...paths], { timeout: 0 })),
  );
}

/** What the lens refuses comes through Playwright as an error of its own. */
async function refusalsOf<T>(target: ActTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw target.translate(thrown);
  }
}

async function refuseMany(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : '';
    if (!/single file|Non-multiple/i.test(text)) throw cause;
    throw new OrielError('bad_input', 'The field takes one file.', {
      hint: 'Give one path.',
      cause,
    });
  }
}

/** Runs in the page. */
function isFileInput(node: unknown): boolean {
  const element = node as {
    readonly type?: string;
    readonly localName: string;
    readonly control?: { readonly type?: string } | null;
  };
  const input = element.localName === 'label' ? element.control : element;
  return input?.type === 'file';
}
