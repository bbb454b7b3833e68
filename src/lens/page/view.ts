import type { WireRest } from '../wire.ts';

/** A part of the viewport's plane, in CSS pixels. */
export interface View {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const EVERYWHERE: View = {
  left: -Infinity,
  top: -Infinity,
  right: Infinity,
  bottom: Infinity,
};

export function isWithin(box: DOMRect, view: View): boolean {
  return (
    box.bottom > view.top && box.top < view.bottom && box.right > view.left && box.left < view.right
  );
}

export function intersect(view: View, box: DOMRect): View {
  return {
    left: Math.max(view.left, box.left),
    top: Math.max(view.top, box.top),
    right: Math.min(view.right, box.right),
    bottom: Math.min(view.bottom, box.bottom),
  };
}

export function whereIs(box: DOMRect): WireRest['where'] {
  if (box.bottom <= 0) return 'above';
  if (box.top >= innerHeight) return 'below';
  return 'beside';
}

/** Clipped to nothing: the ways text is kept for screen readers only. */
export function isTiny(box: DOMRect): boolean {
  return box.width <= 1 || box.height <= 1;
}

export function isClippedAway(style: CSSStyleDeclaration): boolean {
  const clip = style.clipPath;
  if (clip !== 'none' && /^inset\((?:50|100)%|^circle\(0/.test(clip)) return true;
  return /^rect\((?:0px|1px), (?:0px|1px), (?:0px|1px)/.test(style.clip);
}
