import type { Page } from 'playwright-core';
import { within } from '../../kernel/deadline.ts';
import type { Box, Label } from '../../model/capture.ts';
import type { Deps } from '../../tool/deps.ts';

type Lens = Deps['lens'];
type Node = Awaited<ReturnType<Lens['snapshot']>>['tree'][number];

/** More would cover the picture. */
const MAX_LABELS = 150;
/** So much text that what is in view is described whole. */
const BUDGET = 200_000;

/** Parts of a page that have refs but are not acted on. */
const CONTENT = new Set(['iframe', 'heading', 'img', 'region', 'main', 'navigation', 'form']);

/** What can be acted on in the page, with its ref and its place in the viewport. */
export async function findLabels(lens: Lens, page: Page, signal: AbortSignal): Promise<Label[]> {
  const options = { interactive: true, boxes: true, budget: BUDGET };
  const { tree } = await lens.snapshot(page, options, signal);
  const found: Label[] = [];
  await collect(tree, { x: 0, y: 0, frame: null }, found);
  return found.slice(0, MAX_LABELS);

  /** Boxes are of their own frame's viewport, which begins inside the frame's border. */
  async function collect(nodes: readonly Node[], place: Place, all: Label[]): Promise<void> {
    for (const node of nodes) {
      const [x = 0, y = 0, width = 0, height = 0] = node.box ?? [];
      const box = { x: place.x + x, y: place.y + y, width, height };
      const isControl = node.ref !== undefined && !CONTENT.has(node.role) && node.visible;
      // A covered control would be labelled on what covers it.
      const isSeen = node.box && !node.flags.includes('covered') && isWithin(box, place.frame);
      if (isControl && isSeen && node.ref !== undefined) {
        all.push({ ref: node.ref, text: textOf(node), box });
      }
      if (node.role !== 'iframe') await collect(node.children, place, all);
      else if (node.children.length > 0) {
        const inset = await insetOf(lens, page, node.ref, signal);
        const inside = { x: box.x + inset.left, y: box.y + inset.top, frame: box };
        await collect(node.children, inside, all);
      }
    }
  }
}

/** Where a frame's viewport begins in the viewport of the page, and what is seen of it. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly frame: Box | null;
}

function isWithin(box: Box, frame: Box | null): boolean {
  if (!frame) return true;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;
}

/** Border and padding of a frame's element; none where it cannot be asked. */
async function insetOf(
  lens: Lens,
  page: Page,
  ref: string | undefined,
  signal: AbortSignal,
): Promise<{ left: number; top: number }> {
  if (ref === undefined) return { left: 0, top: 0 };
  try {
    const { locator } = await lens.locate(page, ref, signal);
    return await within(signal, locator.evaluate(readInset));
  } catch {
    signal.throwIfAborted();
    return { left: 0, top: 0 };
  }
}

/** Runs in the page. */
function readInset(node: unknown): { left: number; top: number } {
  const element = node as { readonly clientLeft: number; readonly clientTop: number };
  const view = globalThis as unknown as {
    getComputedStyle(of: unknown): { readonly paddingLeft: string; readonly paddingTop: string };
  };
  const { paddingLeft, paddingTop } = view.getComputedStyle(node);
  return {
    left: element.clientLeft + Number.parseFloat(paddingLeft),
    top: element.clientTop + Number.parseFloat(paddingTop),
  };
}

function textOf({ role, name }: Node): string {
  return name === undefined ? role : `${role} ${JSON.stringify(name.slice(0, 100))}`;
}
