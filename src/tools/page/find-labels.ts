import type { Page } from 'playwright-core';
import type { Label } from '../../model/capture.ts';
import type { Lens } from '../../model/lens.ts';

/** More would cover the picture. */
const MAX_LABELS = 150;
const AT_ONCE = 8;

const ROLES = [
  'button|link|textbox|searchbox|checkbox|radio|switch|slider|spinbutton|combobox|listbox|option',
  'menuitem|menuitemcheckbox|menuitemradio|tab|treeitem|gridcell',
].join('|');
/** A line of a snapshot about something that can be acted on: `- button "Save" [ref=e12]`. */
const LINE = new RegExp(`^\\s*- (?:(?:${ROLES})\\b|[^\\[]*\\[(?:.*)cursor=pointer).*`);

/** What can be acted on in the page, with its ref and its place in the viewport. */
export async function findLabels(lens: Lens, page: Page, signal: AbortSignal): Promise<Label[]> {
  const { text } = await lens.snapshot(page, { budget: 100_000 }, signal);
  const lines = text.split('\n').filter((line) => LINE.test(line));
  const wanted = lines.flatMap((line) => {
    const ref = /\[ref=((?:f\d+)*e\d+)\]/.exec(line)?.[1];
    const what = /^\s*- ([^[]*)/.exec(line)?.[1]?.trim().replace(/:$/, '').slice(0, 100);
    return ref === undefined ? [] : [{ ref, text: what ?? '' }];
  });
  const found: Label[] = [];
  // A few at a time: each waits on the one signal.
  for (let at = 0; at < Math.min(wanted.length, MAX_LABELS); at += AT_ONCE) {
    const some = wanted.slice(at, Math.min(at + AT_ONCE, MAX_LABELS));
    const boxes = await Promise.all(some.map(({ ref }) => boxOf(lens, page, ref, signal)));
    found.push(
      ...some.flatMap((one, index) => (boxes[index] ? [{ ...one, box: boxes[index] }] : [])),
    );
  }
  return found;
}

/** Null for what has gone since the snapshot: there is nothing to label. */
async function boxOf(
  lens: Lens,
  page: Page,
  ref: string,
  signal: AbortSignal,
): Promise<Label['box'] | null> {
  try {
    const { locator } = await lens.locate(page, ref, signal);
    return await locator.boundingBox({ timeout: 5_000 });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
