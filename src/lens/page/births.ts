import { flatParent } from './flat-tree.ts';

/**
 * When parts of the document came to be, and how busy it is. One observer for the document and
 * one for each shadow root that was met.
 */
const bornAt = new WeakMap<Node, number>();
const touchedAt = new WeakMap<Node, number>();
const seenRoots = new WeakSet<Node>();
const noise = new WeakMap<Node, { count: number; last: number }>();
let clock = 0;
let mutations = 0;
let structure = 0;
/** Of what happened before anyone looked, nothing is known: it may have been just now. */
let lastMutationAt = performance.now();
/** Called for each batch, while the page's own script may still be on the stack. */
const listeners = new Set<() => void>();

const observer = new MutationObserver(record);

function record(records: readonly MutationRecord[]): void {
  clock++;
  const now = performance.now();
  let counts = false;
  for (const entry of records) {
    if (entry.type === 'childList') structure++;
    for (const node of entry.addedNodes) bornAt.set(node, clock);
    if (entry.type !== 'childList' && !isRoot(entry.target)) touchedAt.set(entry.target, clock);
    if (!isNoise(entry.target, now)) counts = true;
  }
  if (counts) {
    mutations++;
    lastMutationAt = now;
  }
  for (const listener of listeners) listener();
}

/**
 * A node that keeps changing at different moments is a clock, an animation or a ticker: it says
 * nothing about what an action did.
 */
function isNoise(target: Node, now: number): boolean {
  const known = noise.get(target);
  if (!known) {
    noise.set(target, { count: 1, last: now });
    return false;
  }
  if (now - known.last > 5) {
    known.count = now - known.last > 5_000 ? 1 : known.count + 1;
    known.last = now;
  }
  return known.count > 4;
}

export function observe(root: Node): void {
  if (seenRoots.has(root)) return;
  seenRoots.add(root);
  observer.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
}

export function onMutations(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes in what happened up to this very moment. */
export function flushMutations(): void {
  const records = observer.takeRecords();
  if (records.length > 0) record(records);
}

/** Grows with every change of the tree. */
export function structureCount(): number {
  flushMutations();
  return structure;
}

/** The present; a node born later than an earlier present was not there then. */
export function present(): number {
  flushMutations();
  return clock;
}

export function wasBornAfter(element: Element, moment: number): boolean {
  for (let at: Node | null = element; at; at = flatParent(at)) {
    const born = bornAt.get(at);
    if (born !== undefined && born > moment) return true;
  }
  return false;
}

/** Whether this very node, not an ancestor, came after the moment. */
export function isNewborn(node: Node, moment: number): boolean {
  const born = bornAt.get(node);
  return born !== undefined && born > moment;
}

/** Whether the text or an attribute of this very node was changed after the moment. */
export function wasTouched(node: Node, moment: number): boolean {
  const at = touchedAt.get(node);
  return at !== undefined && at > moment;
}

/** Classes of the root say something of the whole page, not of each of its parts. */
function isRoot(node: Node): boolean {
  return node === document.body || node === document.documentElement;
}

export function pulse(): { mutations: number; sinceMs: number } {
  flushMutations();
  return { mutations, sinceMs: performance.now() - lastMutationAt };
}
