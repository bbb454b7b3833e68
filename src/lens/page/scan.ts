import type { NodeFlag, ScanCommand, ScanResult, WireNode, WireRest } from '../wire.ts';
import { isNewborn, observe, present, wasTouched } from './births.ts';
import { Clickables } from './clickable.ts';
import type { Finds } from './clickable.ts';
import { Describer } from './describe.ts';
import {
  byIds,
  deepQuery,
  elementAt,
  flatChildren,
  flatContains,
  flatParent,
  focusedElement,
  noteHost,
  shadowOf,
} from './flat-tree.ts';
import { isInput, isSelect, isTextArea } from './kind.ts';
import { frameIndex, topModal } from './layers.ts';
import { Out } from './out.ts';
import { outlineOf, tally } from './outline.ts';
import { filterNodes } from './query.ts';
import { Pass } from './refs.ts';
import type { Refs } from './refs.ts';
import { CONTROL_ROLES, LEAF_ROLES, NAMED_BY_CONTENT } from './role.ts';
import { planRuns } from './runs.ts';
import type { Entry, Handles, Marker, RunItem } from './runs.ts';
import { shownRole } from './state.ts';
import { EVERYWHERE, intersect, isClippedAway, isTiny, isWithin, whereIs } from './view.ts';
import type { View } from './view.ts';

const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'meta',
  'link',
  'title',
  'base',
  'source',
  'track',
  'param',
  'wbr',
  'datalist',
]);
/** Phrases inside a line of text; they would only break it. */
const PHRASES = new Set([
  'strong',
  'emphasis',
  'code',
  'mark',
  'subscript',
  'superscript',
  'deletion',
  'insertion',
  'time',
  'term',
  'rowgroup',
  'caption',
  'separator',
  'definition',
  'blockquote',
  'none',
]);
/** Nothing is lost when such a node holds nothing. */
const EMPTY_DROPPED = new Set([
  'listitem',
  'paragraph',
  'list',
  'group',
  'generic',
  'figure',
  'article',
  'status',
  'log',
  'alert',
  'banner',
  'contentinfo',
  'complementary',
  'document',
  'note',
  'directory',
  'feed',
  'timer',
  'toolbar',
  'menu',
  'menubar',
  'tablist',
  'radiogroup',
  'tabpanel',
  'search',
  'form',
  'region',
  'navigation',
]);
const OPEN_LAYERS = 'dialog[open], [role=dialog], [role=alertdialog], [popover]:popover-open';
/** Beyond this depth of described nodes the rest waits behind a handle. */
const MAX_NESTING = 24;
/** In a search or a full listing, what is deeper stands beside its parent instead of below it. */
const FLAT_NESTING = 60;
/** How far beyond the viewport is still "near", as a share of its size. */
const MARGIN = 0.15;
const SAMPLES = 4;

interface Level {
  readonly entries: ArrayLike<Entry>;
  at: number;
  readonly out: Out;
  readonly element: Element;
  readonly node: WireNode | undefined;
  /** Where `node` goes when its level is done. */
  readonly parentOut: Out | undefined;
  readonly isBlock: boolean;
  readonly view: View;
  readonly isMuted: boolean;
  /** Text of a label whose field is described: it is the field's name already. */
  readonly isSaid: boolean;
  /** Inside a named control: parts without a role of their own are part of it. */
  readonly inControl: boolean;
  readonly isNew: boolean;
  readonly isTouched: boolean;
  readonly nesting: number;
}

/** One walk over the flat tree. Writes nothing, and asks each element's style and box once. */
export class Scan {
  readonly #command: ScanCommand;
  readonly #refs: Refs;
  readonly #handles: Handles;
  readonly #finds: Finds;
  readonly #pass = new Pass();
  readonly #forced = new Set<Element>();
  readonly #owned = new Map<Element, Element>();
  readonly #layers = new Set<Element>();
  readonly #rest = new Map<WireRest['where'], Element[]>();
  readonly #focused = focusedElement();
  readonly #scrollX = scrollX;
  readonly #scrollY = scrollY;
  readonly #width = innerWidth;
  readonly #height = innerHeight;
  readonly #newAfter: number;
  readonly #clickables: Clickables;
  readonly #describer: Describer;
  readonly suspects: Element[] = [];
  #visited = 0;
  #emitted = 0;
  #hidden = 0;

  constructor(command: ScanCommand, refs: Refs, handles: Handles, finds: Finds, newAfter: number) {
    this.#command = command;
    this.#refs = refs;
    this.#handles = handles;
    this.#finds = finds;
    this.#newAfter = newAfter;
    this.#clickables = new Clickables(finds, this.#pass);
    this.#describer = new Describer(command, refs, this.#pass, this.#focused);
  }

  run(doc: string): ScanResult {
    const started = performance.now();
    const command = this.#command;
    observe(document);
    present();
    this.#refs.raise(command.base);
    const out = new Out();
    let isModal = false;
    if (document.documentElement) {
      this.#collectOwned(document);
      if (command.expand !== undefined) this.#expand(command.expand, out);
      else if (command.target !== undefined) this.#target(command.target, out);
      else isModal = this.#page(out);
    }
    out.flush();
    const { nodes, matches } =
      command.query === undefined
        ? { nodes: out.nodes, matches: 0 }
        : filterNodes(out.nodes, command.query);
    const rest = command.query === undefined ? this.#describeRest() : [];
    return {
      doc,
      url: location.href,
      title: document.title,
      readyState: document.readyState,
      nodes,
      rest,
      top: this.#refs.top,
      stats: {
        ms: Math.round((performance.now() - started) * 10) / 10,
        visited: this.#visited,
        emitted: this.#emitted,
        hidden: this.#hidden,
        matches,
      },
      modal: isModal,
      viewport: {
        width: innerWidth,
        height: innerHeight,
        scrollX: Math.round(scrollX),
        scrollY: Math.round(scrollY),
        scrollHeight: document.documentElement?.scrollHeight ?? 0,
      },
      frameIndex: frameIndex(),
      ...(command.known ? { alive: this.#alive(command.known) } : {}),
      suspects: this.suspects.length,
    };
  }

  #page(out: Out): boolean {
    const root = document.documentElement;
    const view = this.#command.extent === 'view' ? this.#viewport() : EVERYWHERE;
    const modal = topModal(this.#pass);
    if (modal) {
      this.#walk(modal, out, view, 0);
      if (this.#command.extent === 'all') {
        this.#layers.add(modal);
        this.#walk(root, out, view, 0);
      } else {
        this.#layers.add(modal);
        this.#putAside(document.body ?? root, 'behind');
      }
      return true;
    }
    if (this.#command.extent === 'view') {
      for (const layer of deepQuery(document, OPEN_LAYERS)) {
        if (
          this.#pass.look.isHidden(layer) ||
          [...this.#layers].some((other) => flatContains(other, layer))
        )
          continue;
        const box = layer.getBoundingClientRect();
        if (box.width * box.height === 0) continue;
        this.#walk(layer, out, EVERYWHERE, 0);
        this.#layers.add(layer);
      }
      this.#forceVisible();
    }
    this.#walk(root, out, view, 0);
    return false;
  }

  #expand(handle: string, out: Out): void {
    const region = this.#handles.open(handle);
    if (!region)
      throw new Error(
        `LENS:${JSON.stringify({ code: 'stale_ref', ref: 0, candidates: [], top: this.#refs.top, handle })}`,
      );
    const isRun = region.noun !== 'parts';
    let index = 0;
    for (const item of region.items) {
      if (this.#emitted >= this.#command.maxNodes) break;
      const before = out.nodes.length;
      this.#walk(item, out, EVERYWHERE, 0);
      out.flush();
      if (isRun) {
        for (const node of out.nodes.slice(before))
          node.run = { handle: region.handle, index: region.from + index, noun: region.noun };
      }
      index++;
    }
    const left = region.items.length - index;
    if (left > 0) {
      out.push({
        role: 'fold',
        fold: { handle: region.handle, from: region.from + index, count: left, noun: region.noun },
      });
    }
  }

  #target(number: number, out: Out): void {
    const element = this.#refs.lookup(number);
    if (!element) {
      // Throws what is known of it.
      this.#walk(this.#refs.check(number).element, out, EVERYWHERE, 0);
      return;
    }
    this.#walk(element, out, EVERYWHERE, 0);
    if (shownRole(element) !== 'heading') return;
    // A heading stands for its section: what follows it, up to the next of its rank.
    const rank = (at: Element) =>
      Number(/^h([1-6])$/.exec(at.localName)?.[1] ?? at.getAttribute('aria-level') ?? 7);
    const own = rank(element);
    for (let at = element.nextElementSibling; at; at = at.nextElementSibling) {
      if (shownRole(at) === 'heading' && rank(at) <= own) break;
      this.#walk(at, out, EVERYWHERE, 0);
    }
  }

  #viewport(): View {
    const x = this.#width * MARGIN;
    const y = this.#height * MARGIN;
    return { left: -x, top: -y, right: this.#width + x, bottom: this.#height + y };
  }

  /** Whatever shows at some point of the viewport is walked, wherever it hangs in the tree. */
  #forceVisible(): void {
    const force = (element: Element | null) => {
      for (let at = element; at && !this.#forced.has(at); at = flatParent(at)) this.#forced.add(at);
    };
    force(this.#focused);
    for (let row = 0; row < SAMPLES; row++) {
      for (let column = 0; column < SAMPLES; column++) {
        force(
          elementAt(((column + 0.5) * innerWidth) / SAMPLES, ((row + 0.5) * innerHeight) / SAMPLES),
        );
      }
    }
  }

  #collectOwned(root: Document | ShadowRoot): void {
    for (const owner of root.querySelectorAll('[aria-owns]')) {
      for (const owned of byIds(owner, owner.getAttribute('aria-owns'))) {
        if (!this.#owned.has(owned) && !owned.contains(owner)) this.#owned.set(owned, owner);
      }
    }
  }

  #walk(root: Element, out: Out, view: View, nesting: number): void {
    const stack: Level[] = [];
    const enter = (
      element: Element,
      parent: Level | undefined,
      run: RunItem['run'] | undefined,
    ) => {
      const level = this.#enter(
        element,
        parent,
        parent?.out ?? out,
        parent?.view ?? view,
        parent?.nesting ?? nesting,
        run,
      );
      if (level) stack.push(level);
    };
    enter(root, undefined, undefined);
    for (let level = stack.at(-1); level; level = stack.at(-1)) {
      if (level.at >= level.entries.length) {
        stack.pop();
        this.#leave(level);
        continue;
      }
      const entry = level.entries[level.at++] as Entry;
      const kind = (entry as Node).nodeType;
      if (kind === Node.ELEMENT_NODE) {
        enter(entry as Element, level, undefined);
      } else if (kind === Node.TEXT_NODE) {
        this.#text(entry as Text, level);
      } else if (kind !== undefined) {
        continue;
      } else if (isRunItem(entry)) {
        level.out.flush();
        const before = level.out.nodes.length;
        enter(entry.item, level, entry.run);
        if (stack.at(-1) === level && level.out.nodes.length > before) {
          for (const node of level.out.nodes.slice(before)) node.run = entry.run;
        }
      } else if (isMarker(entry)) {
        level.out.push({ role: 'fold', fold: entry.fold });
      }
    }
  }

  #text(text: Text, level: Level): void {
    if (level.isSaid || this.#command.interactive) return;
    if (level.isMuted) {
      if (text.data.trim() !== '') this.#hidden++;
      return;
    }
    const flags: NodeFlag[] = [];
    if (level.isNew || this.#isNewborn(text)) flags.push('new');
    if (level.isTouched || this.#isTouched(text)) flags.push('touched');
    level.out.text(text.data, flags);
  }

  #isNewborn(node: Node): boolean {
    return this.#newAfter >= 0 && isNewborn(node, this.#newAfter);
  }

  #isTouched(node: Node): boolean {
    return this.#newAfter >= 0 && wasTouched(node, this.#newAfter);
  }

  #enter(
    element: Element,
    parent: Level | undefined,
    out: Out,
    view: View,
    nesting: number,
    run: RunItem['run'] | undefined,
  ): Level | undefined {
    const tag = element.localName;
    if (SKIPPED.has(tag)) return undefined;
    if (this.#layers.has(element)) return undefined;
    if (this.#owned.size > 0 && parent) {
      const owner = this.#owned.get(element);
      if (owner && owner !== parent.element) return undefined;
    }
    this.#visited++;
    const look = this.#pass.look;
    const style = look.style(element);
    const display = style.display;
    if (display === 'none') {
      if (element.firstChild) this.#hidden++;
      return undefined;
    }
    if (element.getAttribute('aria-hidden') === 'true' || element.hasAttribute('inert')) {
      if (element.firstChild) this.#hidden++;
      return undefined;
    }
    const isRendered = display !== 'contents';
    const isInline = display.startsWith('inline') || display === 'contents';
    const isView = this.#command.extent === 'view' && view !== EVERYWHERE;
    let inner = view;
    const position = style.position;
    const isApart = position === 'fixed' || position === 'absolute';
    const isScrolling = !isInline && style.overflow !== 'visible';
    if (isRendered && isView && (!isInline || tag === 'img' || isApart)) {
      const box = look.box(element);
      if (isApart) inner = this.#viewport();
      const isOut = box.width > 0 && box.height > 0 && !isWithin(box, inner);
      if (isOut && !run && !this.#forced.has(element) && this.#isFarOff(element, box, inner)) {
        if (isApart && this.#isUnreachable(element)) this.#hidden++;
        else this.#putAside(element, whereIs(box));
        out.flush();
        return undefined;
      }
      if (isScrolling && tag !== 'body' && tag !== 'html') inner = intersect(inner, box);
    }
    if (this.#emitted >= this.#command.maxNodes && !this.#forced.has(element)) {
      this.#putAside(element, 'rest');
      return undefined;
    }
    const isInvisible = style.visibility !== 'visible' || style.contentVisibility === 'hidden';
    const isNew = (parent?.isNew ?? false) || this.#isNewborn(element);
    const isTouched = (parent?.isTouched ?? false) || this.#isTouched(element);
    let role = isInvisible ? '' : shownRole(element);
    if (role !== '' && PHRASES.has(role) && !element.hasAttribute('tabindex')) role = '';
    const inControl = parent?.inControl ?? false;
    const isClickable =
      !isInvisible && role === '' && this.#clickables.isClickable(element, inControl);
    const isSuspect = !isInvisible && this.#clickables.isSuspect(element);
    if (isSuspect) this.suspects.push(element);
    const isClosed = this.#finds.closed.has(element);
    const isLabelled =
      !isInvisible && role === '' && (element.getAttribute('aria-label') ?? '').trim() !== '';

    let node: WireNode | undefined;
    if (
      !isInvisible &&
      (role !== '' || isClickable || isClosed || isLabelled || (run && !isInline))
    ) {
      node = this.#describer.describe(element, role, {
        isRendered,
        isClickable,
        isClosed,
        isNew,
        isTouched,
        inControl,
      });
    }
    if (node && run) node.run = run;
    if (node && nesting >= MAX_NESTING && this.#command.extent === 'view') {
      const handle = this.#handles.ofRoots([element]);
      out.push({ role: 'fold', fold: { handle, from: 0, count: 1, noun: 'deeper part' } });
      return undefined;
    }

    const isBlock = !isInline && display !== 'table-cell';
    if (isBlock || node) out.flush();
    if (node && isOpaque(element, role)) {
      this.#emitted++;
      out.push(node);
      return undefined;
    }
    const isMuted =
      isInvisible ||
      (style.opacity !== '1' && Number(style.opacity) < 0.02) ||
      (parent?.isMuted === true && !isShownAgain(style, parent)) ||
      (isRendered &&
        ((isScrolling && isTiny(look.box(element))) ||
          (isApart && (isClippedAway(style) || this.#isUnreachable(element))))) ||
      this.#isUnreadable(element);
    const isFlat = node !== undefined && nesting >= FLAT_NESTING;
    if (node && isFlat) out.push(node);
    const isControl =
      node !== undefined && (LEAF_ROLES.has(role) || role === 'link' || isClickable);
    const entries = this.#entries(element, inner);
    if (node) this.#emitted++;
    return {
      entries,
      at: 0,
      out: node && !isFlat ? new Out() : out,
      element,
      node: isFlat ? undefined : node,
      parentOut: node && !isFlat ? out : undefined,
      isBlock,
      view: inner,
      isMuted,
      isSaid: (parent?.isSaid ?? false) || this.#isSaidElsewhere(element, parent?.node),
      inControl: inControl || isControl,
      isNew,
      isTouched,
      nesting: node ? nesting + 1 : nesting,
    };
  }

  /** Left of or above where any scrolling leads. */
  #isUnreachable(element: Element): boolean {
    const box = this.#pass.look.box(element);
    if (box.width === 0 || box.height === 0) return false;
    return box.right + this.#scrollX <= 0 || box.bottom + this.#scrollY <= 0;
  }

  /** A label, caption or legend is the name of something that is described with it. */
  #isSaidElsewhere(element: Element, parent: WireNode | undefined): boolean {
    switch (element.localName) {
      case 'label':
        return this.#isShownField((element as HTMLLabelElement).control);
      case 'caption':
      case 'legend':
      case 'figcaption':
        return (
          parent?.name !== undefined &&
          /^(table|fieldset|figure)$/.test(parent.tag ?? '') &&
          element.querySelector('a, button, input') === null
        );
      default:
        return false;
    }
  }

  #isShownField(field: HTMLElement | null): boolean {
    return (
      field !== null &&
      !this.#pass.look.isHidden(field) &&
      !field.hasAttribute('aria-label') &&
      !field.hasAttribute('aria-labelledby')
    );
  }

  #isUnreadable(element: Element): boolean {
    let hasText = false;
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === Node.TEXT_NODE && (child as Text).data.trim() !== '') {
        hasText = true;
        break;
      }
    }
    return hasText && this.#pass.look.isUnreadable(element);
  }

  #entries(element: Element, view: View): ArrayLike<Entry> {
    const shadow = shadowOf(element);
    if (shadow) {
      observe(shadow);
      noteHost(element);
      this.#collectOwned(shadow);
    }
    let children = flatChildren(element);
    if (element.localName === 'details' && !(element as HTMLDetailsElement).open) {
      const summary = element.querySelector(':scope > summary');
      if (element.childNodes.length > (summary ? 1 : 0)) this.#hidden++;
      return summary ? [summary] : [];
    }
    if (element.hasAttribute('aria-owns')) {
      const owned = byIds(element, element.getAttribute('aria-owns')).filter(
        (one) => this.#owned.get(one) === element,
      );
      children = [
        ...Array.from(children).filter((child) => !owned.includes(child as Element)),
        ...owned,
      ];
    }
    if (this.#command.extent === 'all') return children;
    return planRuns(element, children, view, this.#handles) ?? children;
  }

  #leave(level: Level): void {
    const { node, out, parentOut } = level;
    if (level.isBlock || node) out.flush();
    if (!node || !parentOut) return;
    const children = out.nodes;
    const said = node.name ?? '';
    if (
      node.ref === undefined &&
      node.name === undefined &&
      children.length === 0 &&
      EMPTY_DROPPED.has(node.role)
    ) {
      this.#emitted--;
      return;
    }
    if (
      node.role === 'generic' &&
      node.ref === undefined &&
      node.name === undefined &&
      (children.length === 1 || !node.run)
    ) {
      for (const child of children) if (node.run) child.run = node.run;
      for (const child of children) parentOut.push(child);
      this.#emitted--;
      return;
    }
    const isNamedByContent = NAMED_BY_CONTENT.has(node.role) || node.role === 'generic';
    if (
      said !== '' &&
      isNamedByContent &&
      !level.element.hasAttribute('aria-label') &&
      !level.element.hasAttribute('aria-labelledby')
    ) {
      // The name has said it all, unless something inside can be used by itself.
      const kept = children.filter(
        (child) =>
          child.ref !== undefined &&
          (CONTROL_ROLES.has(child.role) || child.flags?.includes('clickable')),
      );
      if (kept.length > 0) node.children = kept;
      else if (node.value !== undefined && node.value === said) delete node.value;
    } else if (node.value !== undefined && (node.role === 'textbox' || node.role === 'searchbox')) {
      // An editor's text is its value.
      const kept = children.filter((child) => child.ref !== undefined);
      if (kept.length > 0) node.children = kept;
    } else if (children.length === 1 && children[0]?.role === 'text') {
      if (children[0].text !== said) {
        node.text = children[0].text ?? '';
        for (const flag of children[0].flags ?? [])
          if (!node.flags?.includes(flag)) (node.flags ??= []).push(flag);
      }
    } else if (children.length > 0) {
      node.children = children;
    }
    parentOut.push(node);
  }

  /** The box is out of view, and so is what it lets overflow. */
  #isFarOff(element: Element, box: DOMRect, view: View): boolean {
    const height = Math.max(box.height, element.scrollHeight);
    const width = Math.max(box.width, element.scrollWidth);
    return (
      box.top + height <= view.top ||
      box.top >= view.bottom ||
      box.left + width <= view.left ||
      box.left >= view.right
    );
  }

  #putAside(element: Element, where: WireRest['where']): void {
    const list = this.#rest.get(where);
    if (list) list.push(element);
    else this.#rest.set(where, [element]);
  }

  #describeRest(): WireRest[] {
    const rest: WireRest[] = [];
    for (const [where, roots] of this.#rest) {
      const sums = tally(roots, this.#pass);
      const outline = outlineOf(roots, this.#pass, this.#refs);
      rest.push({
        handle: this.#handles.ofRoots(roots),
        where,
        ...sums,
        outline: outline.nodes,
        moreOutline: outline.more,
      });
    }
    return rest;
  }

  #alive(known: readonly number[]): number[] {
    return known.filter((number) => {
      const element = this.#refs.lookup(number);
      return element !== undefined && element.checkVisibility({ checkVisibilityCSS: true });
    });
  }
}

function isRunItem(entry: Entry): entry is RunItem {
  return 'item' in entry && 'run' in entry;
}

function isMarker(entry: Entry): entry is Marker {
  return 'fold' in entry;
}

/** Nothing inside is described: it is not ours to see, or it is one thing. */
function isOpaque(element: Element, role: string): boolean {
  return (
    role === 'iframe' ||
    role === 'canvas' ||
    role === 'audio' ||
    role === 'plugin' ||
    role === 'video' ||
    role === 'img' ||
    isInput(element) ||
    isTextArea(element) ||
    (isSelect(element) && !element.multiple && element.size <= 1)
  );
}

function isShownAgain(style: CSSStyleDeclaration, parent: Level): boolean {
  return (
    parent.isMuted &&
    getComputedStyle(parent.element).visibility !== 'visible' &&
    style.visibility === 'visible'
  );
}
