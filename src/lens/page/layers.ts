import { deepQuery } from './flat-tree.ts';
import { isDialog } from './kind.ts';
import type { Pass } from './refs.ts';

/** The modal dialog on top, which makes everything else unreachable. */
export function topModal(pass: Pass): Element | undefined {
  const open = deepQuery(document, 'dialog, [aria-modal=true]').filter((element) => {
    if (isDialog(element) && element.matches(':modal')) return true;
    if (element.getAttribute('aria-modal') !== 'true' || pass.look.isHidden(element)) return false;
    const box = element.getBoundingClientRect();
    return box.width * box.height > 0 && Number(pass.look.style(element).opacity) > 0.02;
  });
  return open.at(-1);
}

/** Where this document's window stands among its parent's frames; -1 at the top. */
export function frameIndex(): number {
  if (parent === window) return -1;
  for (let index = 0; index < parent.length; index++) if (parent[index] === window) return index;
  return -1;
}
