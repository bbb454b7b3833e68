import type { Page } from 'playwright-core';
import type { Deps } from '../../tool/deps.ts';
import type { Label } from '../../model/capture.ts';

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
  collect(tree, { x: 0, y: 0 }, found);
  return found.slice(0, MAX_LABELS);
}

/** @param origin - Where the nodes' frame begins in the viewport of the page. */
function collect(
  nodes: readonly Node[],
  origin: { readonly x: number; readonly y: number },
  found: Label[],
): void {
  for (const node of nodes) {
    const [x = 0, y = 0, width = 0, height = 0] = node.box ?? [];
    const box = { x: origin.x + x, y: origin.y + y, width, height };
    const isControl = node.ref !== undefined && !CONTENT.has(node.role) && node.visible;
    // A covered control would be labelled on what covers it.
    if (isControl && node.ref !== undefined && node.box && !node.flags.includes('covered')) {
      found.push({ ref: node.ref, text: textOf(node), box });
    }
    // Boxes are of their own frame's viewport.
    collect(node.children, node.role === 'iframe' ? box : origin, found);
  }
}

function textOf({ role, name }: Node): string {
  return name === undefined ? role : `${role} ${JSON.stringify(name.slice(0, 100))}`;
}
