import type { WireNode } from '../wire.ts';
import { deepQuery } from './flat-tree.ts';
import { nameOf } from './name.ts';
import type { Pass, Refs } from './refs.ts';
import { LANDMARK_ROLES } from './role.ts';
import { shownRole, statesOf } from './state.ts';

const LINKS = 'a[href], [role=link]';
const BUTTONS =
  'button, summary, [role=button], input[type=button], input[type=submit], input[type=reset], input[type=image]';
const FIELDS =
  'input:not([type=hidden]):not([type=button]):not([type=submit]):not([type=reset]):not([type=image]), select, textarea, [role=textbox], [role=combobox], [role=checkbox], [role=radio], [role=switch], [role=slider], [contenteditable]:not([contenteditable=false])';
const SIGNPOSTS =
  'h1, h2, h3, [role=heading], main, nav, header, footer, aside, search, section[aria-label], section[aria-labelledby], form[aria-label], [role=main], [role=navigation], [role=region], [role=search], [role=banner], [role=contentinfo], [role=complementary], [role=dialog]';
const MAX_SIGNPOSTS = 60;

/** Beyond this many the rest is taken to be visible: a count, not a promise. */
const MAX_CHECKS = 400;
let checksLeft = 0;

export interface Tally {
  links: number;
  buttons: number;
  fields: number;
  elements: number;
}

/** Counts what a person could use in parts that are not described one by one. */
export function tally(roots: readonly Element[], pass: Pass): Tally {
  checksLeft = MAX_CHECKS;
  const sum: Tally = { links: 0, buttons: 0, fields: 0, elements: 0 };
  for (const root of roots) {
    sum.links += count(root, LINKS, pass);
    sum.buttons += count(root, BUTTONS, pass);
    sum.fields += count(root, FIELDS, pass);
    sum.elements += root.getElementsByTagName('*').length + 1;
  }
  return sum;
}

function count(root: Element, selector: string, pass: Pass): number {
  let found = root.matches(selector) && !pass.look.isHidden(root) ? 1 : 0;
  for (const element of deepQuery(root, selector)) {
    if (checksLeft-- <= 0 || element.checkVisibility({ checkVisibilityCSS: true })) found++;
  }
  return found;
}

/** Landmarks and headings of parts that are not described: a table of contents. */
export function outlineOf(
  roots: readonly Element[],
  pass: Pass,
  refs: Refs,
): { nodes: WireNode[]; more: number } {
  const nodes: WireNode[] = [];
  let more = 0;
  for (const root of roots) {
    const found = root.matches(SIGNPOSTS)
      ? [root, ...deepQuery(root, SIGNPOSTS)]
      : deepQuery(root, SIGNPOSTS);
    for (const element of found) {
      const role = shownRole(element);
      if (role !== 'heading' && role !== 'dialog' && !LANDMARK_ROLES.has(role)) continue;
      if (!element.checkVisibility({ checkVisibilityCSS: true })) continue;
      if (nodes.length >= MAX_SIGNPOSTS) {
        more++;
        continue;
      }
      const name = nameOf(element, role, pass.look);
      if (!name && role === 'heading') continue;
      nodes.push({
        role,
        ...(name ? { name } : {}),
        tag: element.localName,
        ref: refs.number(element, role, name, pass),
        states: statesOf(element, role),
        flags: ['offscreen'],
      });
    }
  }
  return { nodes, more };
}
