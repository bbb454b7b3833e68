/**
 * The flat tree: what a person sees is composed of shadow trees and slotted nodes, so parents and
 * children here are those of layout, not of the DOM.
 */

/** Shadow roots that the browser keeps closed, handed in by the host. */
const adoptedRoots = new WeakMap<Element, ShadowRoot>();

export function adoptRoot(root: ShadowRoot): void {
  adoptedRoots.set(root.host, root);
}

export function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? adoptedRoots.get(element) ?? null;
}

/** Parent in the flat tree; the host of a shadow root, the slot of a slotted node. */
export function flatParent(node: Node): Element | null {
  const slot = (node as Element).assignedSlot;
  if (slot) return slot;
  const parent = node.parentNode;
  if (!parent) return null;
  if (parent.nodeType === Node.ELEMENT_NODE) return parent as Element;
  return parent.nodeType === Node.DOCUMENT_FRAGMENT_NODE
    ? ((parent as ShadowRoot).host ?? null)
    : null;
}

/** Children in the flat tree, before `aria-owns`. */
export function flatChildren(node: Element): ArrayLike<Node> {
  const shadow = shadowOf(node);
  if (shadow) return shadow.childNodes;
  if (node.localName === 'slot') {
    const assigned = (node as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return node.childNodes;
}

export function isConnected(element: Element): boolean {
  return element.isConnected && element.ownerDocument === document;
}

/** Whether `ancestor` contains `node` in the flat tree; a node contains itself. */
export function flatContains(ancestor: Element, node: Element | null): boolean {
  for (let at: Element | null = node; at; at = flatParent(at)) {
    if (at === ancestor) return true;
  }
  return false;
}

/** Elements by ids of an attribute, looked up in the tree of the element that carries it. */
export function byIds(element: Element, ids: string | null): Element[] {
  if (!ids) return [];
  const root = element.getRootNode() as Document | ShadowRoot;
  const found: Element[] = [];
  for (const id of ids.split(/\s+/)) {
    if (!id) continue;
    const target = root.getElementById?.(id);
    if (target && !found.includes(target)) found.push(target);
  }
  return found;
}

/** Hosts of shadow roots, looked for once until the structure changes; most documents have none. */
let hosts: Element[] | undefined;

/** The structure of the page has changed since the hosts were looked for. */
export function forgetHosts(): void {
  hosts = undefined;
}

/** A host that was met on the way; its root may have been attached to an element long there. */
export function noteHost(element: Element): void {
  if (hosts && !hosts.includes(element)) hosts.push(element);
}

export function shadowHosts(): readonly Element[] {
  if (hosts) return hosts;
  const found: Element[] = [];
  const roots: (Document | ShadowRoot)[] = [document];
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const element of root.querySelectorAll('*')) {
      const shadow = shadowOf(element);
      if (!shadow) continue;
      found.push(element);
      roots.push(shadow);
    }
  }
  return (hosts = found);
}

/** All elements below `root` that match, in it and in every shadow root that can be seen. */
export function deepQuery(root: Document | Element, selector: string): Element[] {
  const found = [...root.querySelectorAll(selector)];
  for (const host of shadowHosts()) {
    if (root !== document && !flatContains(root as Element, host)) continue;
    const shadow = shadowOf(host);
    if (shadow) found.push(...shadow.querySelectorAll(selector));
  }
  return found;
}

/** The deepest focused element, through shadow roots. */
export function focusedElement(): Element | null {
  let at: Element | null = document.activeElement;
  while (at) {
    const inner: Element | null = shadowOf(at)?.activeElement ?? null;
    if (!inner) break;
    at = inner;
  }
  return at === document.body || at === document.documentElement ? null : at;
}

/** The topmost element at a point, through shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  let at = document.elementFromPoint(x, y);
  while (at) {
    const inner: Element | null = shadowOf(at)?.elementFromPoint(x, y) ?? null;
    if (!inner || inner === at || !(inner.getRootNode() as ShadowRoot).host) break;
    if ((inner.getRootNode() as ShadowRoot).host !== at) break;
    at = inner;
  }
  return at;
}
