import { flatParent, shadowOf } from './flat-tree.ts';
import { isText } from './kind.ts';
import type { Pass } from './refs.ts';
import { shownRole } from './state.ts';

export interface Finds {
  /** Elements with click listeners of their own, told by the host. */
  readonly clickable: WeakSet<Element>;
  /** Elements whose shadow tree is known to be closed. */
  readonly closed: WeakSet<Element>;
  /** Elements known to have no closed shadow tree. */
  readonly plain: WeakSet<Element>;
}

const ATTACHABLE = new Set(['div', 'span', 'section']);
/** Tells which elements without a role a person would click. */
export class Clickables {
  readonly #finds: Finds;
  readonly #pass: Pass;

  constructor(finds: Finds, pass: Pass) {
    this.#finds = finds;
    this.#pass = pass;
  }

  isClickable(element: Element, inControl: boolean): boolean {
    if (this.#finds.clickable.has(element)) {
      return (
        element !== document.body &&
        element !== document.documentElement &&
        !(inControl && !this.#finds.clickable.has(element)) &&
        !this.#holdsControls(element)
      );
    }
    if (inControl) return this.#finds.clickable.has(element);
    if (element.localName === 'label') return false;
    const tabIndex = element.getAttribute('tabindex');
    if (
      tabIndex !== null &&
      Number(tabIndex) >= 0 &&
      element !== document.body &&
      !isScroller(element, this.#pass)
    )
      return true;
    if (element.hasAttribute('onclick')) return true;
    const look = this.#pass.look;
    if (look.style(element).cursor !== 'pointer') return false;
    if (element === document.body || element === document.documentElement) return false;
    if (look.hasOwnPointer(element)) return !isBar(element) && !this.#holdsControls(element);
    // Part of a bar whose parts act by themselves.
    const parent = flatParent(element);
    return (
      parent !== null &&
      look.hasOwnPointer(parent) &&
      !this.#finds.clickable.has(parent) &&
      shownRole(parent) === '' &&
      isBar(parent)
    );
  }

  /** A group around real controls is no control: its parts are. */
  #holdsControls(element: Element): boolean {
    return (
      element.querySelector(
        'a[href], button, input, select, textarea, [role=button], [role=link]',
      ) !== null && (element.textContent ?? '').length > 200
    );
  }

  /** Something is drawn here that we cannot look into. */
  isSuspect(element: Element): boolean {
    const isCustom = element.localName.includes('-');
    if (!isCustom && (element.firstChild !== null || !ATTACHABLE.has(element.localName)))
      return false;
    if (this.#finds.plain.has(element) || this.#finds.closed.has(element)) return false;
    if (shadowOf(element)) return false;
    const box = this.#pass.look.box(element);
    if (box.width * box.height === 0) return false;
    for (const child of element.children) {
      if (child.getClientRects().length > 0) return false;
    }
    return true;
  }
}

/** A row of words that each act by themselves: the group has the cursor, its parts the meaning. */
function isBar(element: Element): boolean {
  if (element.childElementCount < 2) return false;
  for (const child of element.children) {
    if (child.childElementCount > 0 || !/^(span|div|i|b|em|li|label)$/.test(child.localName))
      return false;
    const text = (child.textContent ?? '').trim();
    if (text === '' || text.length > 24 || text.split(/\s+/).length > 3) return false;
  }
  for (const child of element.childNodes)
    if (isText(child) && child.data.trim() !== '') return false;
  return true;
}

function isScroller(element: Element, pass: Pass): boolean {
  return (
    element.scrollHeight > element.clientHeight + 1 &&
    /auto|scroll/.test(pass.look.style(element).overflow) &&
    element.childElementCount > 0
  );
}
