import type { WireFold } from '../wire.ts';
import { flatChildren } from './flat-tree.ts';
import { roleOf } from './role.ts';
import type { View } from './view.ts';
import { isElement, isNode, isText } from './kind.ts';

/** Shorter rows of siblings are read as they are. */
const MIN_RUN = 12;
/** Items of one run that are described at most. */
const MAX_SHOWN = 60;
const FIRST_FEW = 3;

export interface Marker {
  readonly fold: WireFold;
}

export interface RunItem {
  readonly item: Element;
  readonly run: { readonly handle: string; readonly index: number; readonly noun: string };
}

export type Entry = Node | Marker | RunItem;

const NOUNS: Readonly<Record<string, string>> = {
  row: 'rows',
  listitem: 'items',
  option: 'options',
  article: 'articles',
  link: 'links',
  button: 'buttons',
  treeitem: 'items',
  cell: 'cells',
  gridcell: 'cells',
  paragraph: 'paragraphs',
  img: 'images',
  heading: 'headings',
  rowgroup: 'row groups',
  menuitem: 'items',
  tab: 'tabs',
  list: 'lists',
  table: 'tables',
};

interface Region {
  readonly parent?: WeakRef<Element>;
  readonly signature?: string;
  readonly roots?: readonly WeakRef<Element>[];
  readonly noun: string;
}

/** Handles of folded runs and of regions that were not described; they live as long as the document. */
export class Handles {
  #last = 0;
  readonly #regions = new Map<string, Region>();
  readonly #runs = new WeakMap<Element, Map<string, string>>();

  ofRun(parent: Element, signature: string, noun: string): string {
    let known = this.#runs.get(parent);
    if (!known) this.#runs.set(parent, (known = new Map()));
    let handle = known.get(signature);
    if (!handle) {
      handle = `r${++this.#last}`;
      known.set(signature, handle);
      this.#regions.set(handle, { parent: new WeakRef(parent), signature, noun });
    }
    return handle;
  }

  ofRoots(roots: readonly Element[]): string {
    const handle = `r${++this.#last}`;
    this.#regions.set(handle, { roots: roots.map((root) => new WeakRef(root)), noun: 'parts' });
    if (this.#regions.size > 2_000) {
      const [oldest] = this.#regions.keys();
      if (oldest) this.#regions.delete(oldest);
    }
    return handle;
  }

  /** Elements behind `r3` or `r3.29`, as they are now; undefined for a handle nobody gave out. */
  open(text: string): { items: Element[]; from: number; handle: string; noun: string } | undefined {
    const match = /^(r\d+)(?:\.(\d+))?$/.exec(text);
    const region = match?.[1] ? this.#regions.get(match[1]) : undefined;
    if (!match?.[1] || !region) return undefined;
    const from = Number(match[2] ?? 0);
    if (region.roots) {
      const items = region.roots
        .flatMap((weak) => weak.deref() ?? [])
        .filter((element) => element.isConnected);
      return { items: items.slice(from), from, handle: match[1], noun: region.noun };
    }
    const parent = region.parent?.deref();
    if (!parent?.isConnected) return undefined;
    const items: Element[] = [];
    for (const child of Array.from(flatChildren(parent))) {
      if (isElement(child) && signatureOf(child) === region.signature) items.push(child);
    }
    return { items: items.slice(from), from, handle: match[1], noun: region.noun };
  }
}

function signatureOf(element: Element): string {
  return `${element.localName} ${element.getAttribute('role') ?? ''}`;
}

/**
 * Replaces long runs of like siblings by the items in view and markers for the rest. Children
 * that are no run come back as they are.
 */
export function planRuns(
  parent: Element,
  children: ArrayLike<Node>,
  view: View,
  handles: Handles,
): readonly Entry[] | undefined {
  if (children.length < MIN_RUN) return undefined;
  const groups: { signature: string; items: Element[]; at: number }[] = [];
  const order: (Node | { signature: string; items: Element[] })[] = [];
  let current: { signature: string; items: Element[]; at: number } | undefined;
  let isFolding = false;
  for (let index = 0; index < children.length; index++) {
    const child = children[index];
    if (!child) continue;
    if (!isElement(child)) {
      if (isText(child) && child.data.trim() !== '') {
        current = undefined;
        order.push(child);
      }
      continue;
    }
    const signature = signatureOf(child);
    if (current?.signature === signature) {
      current.items.push(child);
      if (current.items.length >= MIN_RUN) isFolding = true;
      continue;
    }
    current = { signature, items: [child], at: order.length };
    groups.push(current);
    order.push(current);
  }
  if (!isFolding) return undefined;
  const entries: Entry[] = [];
  const offsets = new Map<string, number>();
  for (const part of order) {
    if (isNode(part)) {
      entries.push(part);
      continue;
    }
    const offset = offsets.get(part.signature) ?? 0;
    offsets.set(part.signature, offset + part.items.length);
    if (part.items.length < MIN_RUN) entries.push(...part.items);
    else foldRun(parent, part, offset, view, handles, entries);
  }
  return entries;
}

/** `<br>`, inline words and the like are text, not items. */
const INLINE = new Set([
  'br',
  'wbr',
  'b',
  'i',
  'em',
  'strong',
  'code',
  'sub',
  'sup',
  'mark',
  'small',
  'tspan',
  'path',
  'g',
  'script',
  'style',
  'meta',
  'link',
]);

function foldRun(
  parent: Element,
  part: { signature: string; items: Element[] },
  offset: number,
  view: View,
  handles: Handles,
  entries: Entry[],
): void {
  const { items } = part;
  const [first] = items;
  // Parts with headings of their own are chapters: the outline names each of them.
  const isChapters = items.length <= 200 && Boolean(first?.querySelector('h1, h2, h3'));
  if (!first || INLINE.has(first.localName) || isChapters) {
    entries.push(...items);
    return;
  }
  const noun = NOUNS[roleOf(first)] ?? 'items';
  const [start, end] = windowOf(items, view);
  const handle = handles.ofRun(parent, part.signature, noun);
  if (start > 0) entries.push({ fold: { handle, from: offset, count: start, noun } });
  for (let index = start; index < end; index++) {
    const item = items[index];
    if (item) entries.push({ item, run: { handle, index: offset + index, noun } });
  }
  const left = items.length - end;
  if (left > 0) entries.push({ fold: { handle, from: offset + end, count: left, noun } });
}

/** The items in view; the first few when none is. Layout runs downwards or rightwards. */
function windowOf(items: readonly Element[], view: View): [number, number] {
  const isIn = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return (
      box.width + box.height > 0 &&
      box.bottom > view.top &&
      box.top < view.bottom &&
      box.right > view.left &&
      box.left < view.right
    );
  };
  let start = -1;
  if (items.length > 256) start = bisect(items, view);
  if (start < 0) start = items.findIndex(isIn);
  if (start < 0) return [0, Math.min(FIRST_FEW, items.length)];
  let end = start;
  for (let misses = 0; end < items.length && end - start < MAX_SHOWN; end++) {
    const item = items[end];
    if (item && isIn(item)) misses = 0;
    else if (++misses > 4) break;
  }
  while (end > start + 1 && !isIn(items[end - 1] as Element)) end--;
  return [start, end];
}

/** First item that ends below the top of the view, -1 when the order does not hold. */
function bisect(items: readonly Element[], view: View): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const box = (items[middle] as Element).getBoundingClientRect();
    if (box.bottom > view.top) high = middle;
    else low = middle + 1;
  }
  const box = (items[low] as Element).getBoundingClientRect();
  return box.bottom > view.top && box.top < view.bottom && box.height > 0 ? low : -1;
}
