import type { Candidate, CoverResult } from '../wire.ts';
import { deepQuery, elementAt, flatContains, flatParent } from './flat-tree.ts';
import { Pass } from './refs.ts';
import type { Refs } from './refs.ts';
import { roleOf } from './role.ts';

/** What a click in the middle of an element would land on, if not on it. */
export function coverOf(element: Element, box: DOMRect): Element | undefined {
  const left = Math.max(box.left, 0);
  const right = Math.min(box.right, innerWidth);
  const top = Math.max(box.top, 0);
  const bottom = Math.min(box.bottom, innerHeight);
  if (right <= left || bottom <= top) return undefined;
  const hit = elementAt((left + right) / 2, (top + bottom) / 2);
  if (!hit || flatContains(element, hit) || flatContains(hit, element)) return undefined;
  const label = hit.closest('label');
  if (label && (label.control === element || flatContains(label, element))) return undefined;
  return hit;
}

const WAYS = 'button, a[href], [role=button], [role=link], input[type=submit], input[type=button]';
const CLOSING =
  /close|dismiss|accept|agree|allow|ok|got it|reject|decline|deny|no thanks|not now|skip|cancel|continue|schlie|akzept|ablehn|fermer|aceptar|cerrar|×|✕|✖/i;

/** Tells what covers an element, and which of its controls may take it away. */
export function cover(element: Element, refs: Refs): CoverResult {
  const pass = new Pass();
  let box = element.getBoundingClientRect();
  if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) {
    return { covered: false, ways: [], moving: false, top: refs.top };
  }
  const hit = coverOf(element, box);
  if (!hit) return { covered: false, ways: [], moving: false, top: refs.top };
  const overlay = overlayOf(hit, element, pass);
  const ways: Candidate[] = deepQuery(overlay, WAYS)
    .filter((way) => !pass.look.isHidden(way))
    .slice(0, 30)
    .map((way) => refs.candidate(way, pass))
    .toSorted((a, b) => Number(CLOSING.test(b.name)) - Number(CLOSING.test(a.name)))
    .slice(0, 3);
  box = overlay.getBoundingClientRect();
  const moving = overlay
    .getAnimations({ subtree: false })
    .some((animation) => animation.playState === 'running');
  return { covered: true, by: refs.candidate(overlay, pass), ways, moving, top: refs.top };
}

/** The outermost part that lies over the element and does not hold it: the dialog, not its text. */
function overlayOf(hit: Element, element: Element, pass: Pass): Element {
  let overlay = hit;
  for (let at: Element | null = hit; at && !flatContains(at, element); at = flatParent(at)) {
    const role = roleOf(at);
    if (role === 'dialog' || role === 'alertdialog') return at;
    const position = pass.look.style(at).position;
    if (
      position === 'fixed' ||
      position === 'absolute' ||
      position === 'sticky' ||
      at.hasAttribute('popover')
    )
      overlay = at;
  }
  return overlay;
}
