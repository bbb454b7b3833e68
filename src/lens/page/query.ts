import type { WireNode } from '../wire.ts';

const ITEMS = new Set(['row', 'listitem', 'article', 'option', 'treeitem']);

/** Keeps what a query asks for, with the structure above it. */
export function filterNodes(
  nodes: readonly WireNode[],
  query: string,
): { nodes: WireNode[]; matches: number } {
  let matches = 0;
  const test = matcherOf(query);
  const keep = (node: WireNode): WireNode | undefined => {
    const parts = [node.name, node.text, node.value, node.href, node.placeholder];
    const isHit = test(parts.filter((part) => part !== undefined));
    const children: WireNode[] = [];
    for (const child of node.children ?? []) {
      const kept = keep(child);
      if (kept) children.push(kept);
    }
    if (isHit) {
      matches++;
      // A row or item is shown whole: its controls are why it was looked for.
      return ITEMS.has(node.role) || children.length === 0 ? node : { ...node, children };
    }
    if (children.length === 0) return undefined;
    return ITEMS.has(node.role) ? node : { ...node, children };
  };
  return { nodes: nodes.flatMap((node) => keep(node) ?? []), matches };
}

function matcherOf(query: string): (parts: readonly string[]) => boolean {
  const regex = /^\/(.*)\/([a-z]*)$/s.exec(query);
  if (regex?.[1] !== undefined) {
    const expression = new RegExp(regex[1], (regex[2] ?? '').replace(/[^ims]/g, ''));
    return (parts) => parts.some((part) => expression.test(part));
  }
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (parts) => {
    const text = parts.join('\n').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}
