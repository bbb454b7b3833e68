import { flatParent } from './flat-tree.ts';
import { roleOf } from './role.ts';
import { identityText, squeeze } from './text.ts';

const ITEM_ROLES = new Set(['row', 'listitem', 'article', 'treeitem', 'option', 'menuitem']);
const BOUNDARY = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'dialog',
  'alertdialog',
  'toolbar',
  'menubar',
  'tablist',
  'menu',
]);
const MAX_TEXT = 5_000;
const MAX_CLIMB = 60;

/**
 * What a control stands next to: the text of its row, item or card, else the heading above it.
 * Two buttons named "Delete" are told apart by it.
 */
export class Near {
  readonly #items = new Map<Element, string>();
  readonly #headings = new Map<Node, Element[]>();

  /** '' when nothing but the page itself surrounds the element. */
  of(element: Element, name: string): string {
    const own = identityText(name);
    let climbed = 0;
    let root = element.getRootNode();
    let heading = this.#headingBefore(element);
    for (let at = flatParent(element); at && climbed < MAX_CLIMB; at = flatParent(at), climbed++) {
      if (at === document.body || at === document.documentElement) break;
      if (isItem(at)) {
        const text = this.#itemText(at);
        if (text !== '' && text !== own) return text;
      }
      const role = at.localName === 'div' && !at.hasAttribute('role') ? '' : roleOf(at);
      if (at.parentNode !== null && at.getRootNode() !== root) {
        root = at.getRootNode();
        heading = this.#headingBefore(at);
      }
      if (heading && at.contains(heading)) return identityText(heading.textContent ?? '');
      if (BOUNDARY.has(role)) return squeeze(at.getAttribute('aria-label') ?? '');
    }
    return '';
  }

  #itemText(item: Element): string {
    let text = this.#items.get(item);
    if (text === undefined) {
      text = identityText(
        `${item.getAttribute('aria-label') ?? ''} ${(item.textContent ?? '').slice(0, MAX_TEXT)}`,
      );
      this.#items.set(item, text);
    }
    return text;
  }

  /** The last heading before an element in its own tree: of all before it the nearest. */
  #headingBefore(element: Element): Element | undefined {
    const root = element.getRootNode() as Document | ShadowRoot;
    let headings = this.#headings.get(root);
    if (!headings) {
      headings = [...(root.querySelectorAll?.('h1,h2,h3,h4,h5,h6,legend,[role=heading]') ?? [])];
      this.#headings.set(root, headings);
    }
    let low = 0;
    let high = headings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const heading = headings[middle] as Element;
      const order = heading.compareDocumentPosition(element);
      const isBefore =
        (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
        (order & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low > 0 ? headings[low - 1] : undefined;
  }
}

/** A row, list item or article; or one of several siblings that look alike, as cards do. */
function isItem(element: Element): boolean {
  const tag = element.localName;
  if (tag === 'tr' || tag === 'li' || tag === 'article') return true;
  if (element.hasAttribute('role') && ITEM_ROLES.has(roleOf(element))) return true;
  const twin = element.nextElementSibling ?? element.previousElementSibling;
  return (
    twin !== null &&
    twin.localName === tag &&
    twin.className === element.className &&
    (tag !== 'div' && tag !== 'span' && tag !== 'section' && tag !== 'p' && tag !== 'dd'
      ? tag.includes('-')
      : true)
  );
}
