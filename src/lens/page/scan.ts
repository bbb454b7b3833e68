import type { NodeFlag, ScanCommand, ScanResult, WireNode, WireRest } from '../wire.ts';
import { isNewborn, observe, present, wasTouched } from './births.ts';
import { coverOf } from './covering.ts';
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
import { contentOf, guessName, nameOf } from './name.ts';
import { outlineOf, tally } from './outline.ts';
import { Out } from './out.ts';
import { Pass } from './refs.ts';
import type { Refs } from './refs.ts';
import {
  CONTENT_ROLES,
  CONTROL_ROLES,
  isFocusable,
  LANDMARK_ROLES,
  LEAF_ROLES,
  NAMED_BY_CONTENT,
} from './role.ts';
import { planRuns } from './runs.ts';
import type { Entry, Handles, Marker, RunItem, View } from './runs.ts';
import { optionsOf, shownRole, statesOf, valueOf } from './state.ts';
import { cut } from './text.ts';
import { isDialog, isInput, isSelect, isText, isTextArea } from './kind.ts';

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
const MAX_HIT_TESTS = 150;
const NAME_MAX = 160;
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

export interface Finds {
  /** Elements with click listeners of their own, told by the host. */
  readonly clickable: WeakSet<Element>;
  /** Elements whose shadow tree is known to be closed. */
  readonly closed: WeakSet<Element>;
  /** Elements known to have no closed shadow tree. */
  readonly plain: WeakSet<Element>;
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
  readonly suspects: Element[] = [];
  #visited = 0;
  #emitted = 0;
  #hidden = 0;
  #hitTests = 0;
  #matches = 0;

  constructor(command: ScanCommand, refs: Refs, handles: Handles, finds: Finds, newAfter: number) {
    this.#command = command;
    this.#refs = refs;
    this.#handles = handles;
    this.#finds = finds;
    this.#newAfter = newAfter;
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
    const nodes = command.query === undefined ? out.nodes : this.#filter(out.nodes, command.query);
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
        matches: this.#matches,
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
    const isClickable = !isInvisible && role === '' && this.#isClickable(element, inControl);
    const isSuspect = !isInvisible && this.#isSuspect(element);
    if (isSuspect) this.suspects.push(element);
    const isClosed = this.#finds.closed.has(element);
    const isLabelled =
      !isInvisible && role === '' && (element.getAttribute('aria-label') ?? '').trim() !== '';

    let node: WireNode | undefined;
    if (
      !isInvisible &&
      (role !== '' || isClickable || isClosed || isLabelled || (run && !isInline))
    ) {
      node = this.#describe(element, role, {
        isRendered,
        isClickable,
        isClosed,
        isNew,
        isTouched,
        inControl,
        view: inner,
        isRun: run !== undefined,
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

  #isClickable(element: Element, inControl: boolean): boolean {
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
  #isSuspect(element: Element): boolean {
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

  #describe(
    element: Element,
    role: string,
    facts: {
      isRendered: boolean;
      isClickable: boolean;
      isClosed: boolean;
      isNew: boolean;
      isTouched: boolean;
      inControl: boolean;
      view: View;
      isRun: boolean;
    },
  ): WireNode | undefined {
    const command = this.#command;
    const look = this.#pass.look;
    const flags: NodeFlag[] = [];
    const shown = role === '' ? (facts.isClosed ? 'closed-shadow-root' : 'generic') : role;
    const isControl = CONTROL_ROLES.has(shown) || facts.isClickable;
    const needsName = isControl || shown !== 'generic';
    let name = '';
    if (needsName) {
      if (role !== '') {
        const costly =
          shown === 'row' ||
          shown === 'cell' ||
          shown === 'gridcell' ||
          shown === 'columnheader' ||
          shown === 'rowheader';
        name =
          costly && !command.contentRefs && !isFocusable(element)
            ? (element.getAttribute('aria-label') ?? '')
            : nameOf(element, shown, look);
      } else {
        name = element.getAttribute('aria-label')?.trim() || contentOf(element, look);
      }
    } else {
      name = element.getAttribute('aria-label')?.trim() ?? '';
    }
    const isVisual =
      shown === 'canvas' ||
      shown === 'video' ||
      shown === 'audio' ||
      shown === 'plugin' ||
      shown === 'iframe' ||
      facts.isClosed;
    if (!name && shown === 'img') {
      const picture = look.box(element);
      const isLarge = picture.width >= 64 && picture.height >= 64;
      if (facts.inControl || !isLarge || element.getAttribute('alt') === '') return undefined;
    }
    if (!name && (isControl || shown === 'img' || isVisual)) {
      name = guessName(element);
      if (name) flags.push('guessed');
    }
    if (shown === 'group' && !name && element.localName !== 'details') return undefined;
    if (
      command.interactive &&
      !isControl &&
      !isVisual &&
      shown !== 'dialog' &&
      shown !== 'alertdialog'
    )
      return undefined;
    const node: WireNode = { role: shown, tag: element.localName };
    if (name)
      node.name =
        command.extent === 'all' && command.query === undefined
          ? cut(name, 1_000)
          : cut(name, NAME_MAX);
    const getsRef =
      isControl ||
      isVisual ||
      shown === 'dialog' ||
      shown === 'alertdialog' ||
      shown === 'heading' ||
      shown === 'table' ||
      LANDMARK_ROLES.has(shown) ||
      (shown === 'img' && name !== '') ||
      isFocusable(element) ||
      (command.contentRefs === true && name !== '' && CONTENT_ROLES.has(shown));
    if (getsRef) node.ref = this.#refs.number(element, shown, name, this.#pass);
    const states = statesOf(element, role);
    if (isDialog(element) && element.matches(':modal')) states.push('modal');
    if (states.length > 0) node.states = states;
    const value = valueOf(element, shown);
    if (value !== undefined && value !== '') node.value = value;
    const placeholder = element.getAttribute('placeholder');
    if (placeholder && placeholder !== name && (value ?? '') === '')
      node.placeholder = cut(placeholder, 80);
    if (shown === 'link') {
      const href = element.getAttribute('href') ?? element.getAttribute('xlink:href');
      if (href !== null) node.href = href;
    }
    if (isInput(element)) node.type = element.type;
    if (isSelect(element) && !element.multiple && element.size <= 1)
      node.text = optionsOf(element, 90);
    if (shown === 'iframe') node.frame = indexOfFrame(element);
    const box = facts.isRendered && (getsRef || command.boxes) ? look.box(element) : undefined;
    if (getsRef) node.shown = box !== undefined && box.width > 0 && box.height > 0;
    if (box && (command.boxes || shown === 'iframe' || isVisual)) {
      node.box = [
        Math.round(box.x),
        Math.round(box.y),
        Math.round(box.width),
        Math.round(box.height),
      ];
    }
    if (element === this.#focused) flags.push('active');
    if (facts.isClickable) flags.push('clickable');
    if (look.style(element).cursor === 'pointer' && shown !== 'link' && look.hasOwnPointer(element))
      flags.push('pointer');
    if (facts.isNew) flags.push('new');
    if (facts.isTouched) flags.push('touched');
    if (box && getsRef) {
      const onScreen =
        box.bottom > 0 && box.top < this.#height && box.right > 0 && box.left < this.#width;
      if (!onScreen && box.width * box.height > 0) flags.push('offscreen');
      else if (isControl && this.#hitTests < MAX_HIT_TESTS && box.width * box.height > 0) {
        this.#hitTests++;
        if (coverOf(element, box)) flags.push('covered');
      }
    }
    if (flags.length > 0) node.flags = flags;
    return node;
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

  /** Keeps what a query asks for, with the structure above it. */
  #filter(nodes: readonly WireNode[], query: string): WireNode[] {
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
        this.#matches++;
        // A row or item is shown whole: its controls are why it was looked for.
        return ITEMS.has(node.role) || children.length === 0 ? node : { ...node, children };
      }
      if (children.length === 0) return undefined;
      return ITEMS.has(node.role) ? node : { ...node, children };
    };
    return nodes.flatMap((node) => keep(node) ?? []);
  }
}

const ITEMS = new Set(['row', 'listitem', 'article', 'option', 'treeitem']);
const ATTACHABLE = new Set(['div', 'span', 'section']);
const EVERYWHERE: View = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

function isRunItem(entry: Entry): entry is RunItem {
  return 'item' in entry && 'run' in entry;
}

function isMarker(entry: Entry): entry is Marker {
  return 'fold' in entry;
}

function isWithin(box: DOMRect, view: View): boolean {
  return (
    box.bottom > view.top && box.top < view.bottom && box.right > view.left && box.left < view.right
  );
}

function intersect(view: View, box: DOMRect): View {
  return {
    left: Math.max(view.left, box.left),
    top: Math.max(view.top, box.top),
    right: Math.min(view.right, box.right),
    bottom: Math.min(view.bottom, box.bottom),
  };
}

function whereIs(box: DOMRect): WireRest['where'] {
  if (box.bottom <= 0) return 'above';
  if (box.top >= innerHeight) return 'below';
  return 'beside';
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

/** Clipped to nothing: the ways text is kept for screen readers only. */
function isTiny(box: DOMRect): boolean {
  return box.width <= 1 || box.height <= 1;
}

function isClippedAway(style: CSSStyleDeclaration): boolean {
  const clip = style.clipPath;
  if (clip !== 'none' && /^inset\((?:50|100)%|^circle\(0/.test(clip)) return true;
  return /^rect\((?:0px|1px), (?:0px|1px), (?:0px|1px)/.test(style.clip);
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

function topModal(pass: Pass): Element | undefined {
  const open = deepQuery(document, 'dialog, [aria-modal=true]').filter((element) => {
    if (isDialog(element) && element.matches(':modal')) return true;
    if (element.getAttribute('aria-modal') !== 'true' || pass.look.isHidden(element)) return false;
    const box = element.getBoundingClientRect();
    return box.width * box.height > 0 && Number(pass.look.style(element).opacity) > 0.02;
  });
  return open.at(-1);
}

function indexOfFrame(element: Element): number {
  const inner = (element as HTMLIFrameElement).contentWindow;
  if (!inner) return -1;
  for (let index = 0; index < window.length; index++) if (window[index] === inner) return index;
  return -1;
}

/** Where this document's window stands among its parent's frames; -1 at the top. */
function frameIndex(): number {
  if (parent === window) return -1;
  for (let index = 0; index < parent.length; index++) if (parent[index] === window) return index;
  return -1;
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
