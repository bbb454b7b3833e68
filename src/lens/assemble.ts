import type { SnapshotNode } from './snapshot.ts';
import type { WireNode } from './wire.ts';

export interface FrameContent {
  readonly nodes: readonly SnapshotNode[];
  readonly note?: string;
}

/** Turns a frame's nodes into those of the snapshot: refs get the frame's prefix, links their address. */
export function toNodes(
  nodes: readonly WireNode[],
  prefix: string,
  baseUrl: string,
  frames: ReadonlyMap<WireNode, FrameContent>,
): SnapshotNode[] {
  return nodes.map((node) => toNode(node, prefix, baseUrl, frames));
}

function toNode(
  node: WireNode,
  prefix: string,
  baseUrl: string,
  frames: ReadonlyMap<WireNode, FrameContent>,
): SnapshotNode {
  const frame = node.role === 'iframe' ? frames.get(node) : undefined;
  const url = node.href === undefined ? undefined : absolute(node.href, baseUrl);
  return {
    role: node.role,
    ...(node.name === undefined ? {} : { name: node.name }),
    ...(node.tag === undefined ? {} : { tag: node.tag }),
    ...(node.ref === undefined ? {} : { ref: `${prefix}e${node.ref}` }),
    states: node.states ?? [],
    flags: node.flags ?? [],
    ...(node.value === undefined ? {} : { value: node.value }),
    ...(node.placeholder === undefined ? {} : { placeholder: node.placeholder }),
    ...(node.href === undefined ? {} : { href: node.href }),
    ...(url === undefined ? {} : { url }),
    ...(node.text === undefined ? {} : { text: node.text }),
    ...(node.type === undefined ? {} : { type: node.type }),
    ...(node.box === undefined ? {} : { box: node.box }),
    visible: node.shown ?? true,
    children: frame ? frame.nodes : toNodes(node.children ?? [], prefix, baseUrl, frames),
    ...(node.fold === undefined
      ? {}
      : { fold: { ...node.fold, handle: `${prefix}${node.fold.handle}` } }),
    ...(node.run === undefined
      ? {}
      : { run: { ...node.run, handle: `${prefix}${node.run.handle}` } }),
    ...(frame?.note === undefined ? {} : { note: frame.note }),
  };
}

function absolute(href: string, base: string): string | undefined {
  try {
    return new URL(href, base).href;
  } catch {
    return undefined;
  }
}

/** Every node, in reading order. */
export function* walkNodes(nodes: readonly SnapshotNode[]): Generator<SnapshotNode> {
  for (const node of nodes) {
    yield node;
    yield* walkNodes(node.children);
  }
}

/** The iframes of a frame's own nodes. */
export function iframesIn(nodes: readonly WireNode[]): WireNode[] {
  const found: WireNode[] = [];
  const stack = [...nodes];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.role === 'iframe') found.push(node);
    if (node.children) stack.push(...node.children);
  }
  return found;
}
