import type { NodeFlag, ScanCommand, WireNode } from '../wire.ts';
import { coverOf } from './covering.ts';
import { guessName } from './guess.ts';
import { isDialog, isInput, isSelect } from './kind.ts';
import { contentOf, nameOf } from './name.ts';
import type { Pass, Refs } from './refs.ts';
import { CONTENT_ROLES, CONTROL_ROLES, isFocusable, LANDMARK_ROLES } from './role.ts';
import { optionsOf, statesOf, valueOf } from './state.ts';
import { cut } from './text.ts';

const MAX_HIT_TESTS = 150;
const NAME_MAX = 160;

/** Makes the node of one element: role, name, states, value, marks, and its ref. */
export class Describer {
  readonly #command: ScanCommand;
  readonly #refs: Refs;
  readonly #pass: Pass;
  readonly #focused: Element | null;
  readonly #width = innerWidth;
  readonly #height = innerHeight;
  #hitTests = 0;

  constructor(command: ScanCommand, refs: Refs, pass: Pass, focused: Element | null) {
    this.#command = command;
    this.#refs = refs;
    this.#pass = pass;
    this.#focused = focused;
  }

  /** Undefined for what is not worth a node of its own. */
  describe(
    element: Element,
    role: string,
    facts: {
      isRendered: boolean;
      isClickable: boolean;
      isClosed: boolean;
      isNew: boolean;
      isTouched: boolean;
      inControl: boolean;
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
    if (getsRef) node.ref = this.#refs.number(element, role || 'generic', name, this.#pass);
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
}

function indexOfFrame(element: Element): number {
  const inner = (element as HTMLIFrameElement).contentWindow;
  if (!inner) return -1;
  for (let index = 0; index < window.length; index++) if (window[index] === inner) return index;
  return -1;
}
