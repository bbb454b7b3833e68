import { flatParent, shadowOf } from './flat-tree.ts';

/**
 * Computed styles and boxes, each asked for once a pass. The browser lays the page out on the
 * first question; nothing here writes, so the layout stays valid for the rest of the pass.
 */
export class Look {
  readonly #styles = new Map<Element, CSSStyleDeclaration>();
  readonly #hidden = new Map<Element, boolean>();
  readonly #grounds = new Map<Element, Colour | undefined>();
  readonly #boxes = new Map<Element, DOMRect>();
  #pseudo: boolean | undefined;

  style(element: Element): CSSStyleDeclaration {
    let style = this.#styles.get(element);
    if (!style) {
      style = getComputedStyle(element);
      this.#styles.set(element, style);
    }
    return style;
  }

  box(element: Element): DOMRect {
    let box = this.#boxes.get(element);
    if (!box) {
      box = element.getBoundingClientRect();
      this.#boxes.set(element, box);
    }
    return box;
  }

  /** Hidden from everyone: not rendered, or invisible. */
  isHidden(element: Element): boolean {
    const known = this.#hidden.get(element);
    if (known !== undefined) return known;
    const style = this.style(element);
    let hidden = style.display === 'none' || style.visibility !== 'visible';
    if (!hidden && style.display === 'contents') hidden = false;
    else if (!hidden) hidden = !element.checkVisibility({ checkVisibilityCSS: true });
    this.#hidden.set(element, hidden);
    return hidden;
  }

  /**
   * Whether generated content is worth asking for. Style sheets that can be read and mention no
   * `content` rule settle it for the whole document; a sheet of another origin leaves it open.
   */
  mayHavePseudo(element: Element): boolean {
    if (shadowOf(element) || element.getRootNode() !== document) return true;
    return (this.#pseudo ??= documentMayHavePseudo());
  }

  /** Own `cursor: pointer`, not one that came down from the parent. */
  hasOwnPointer(element: Element): boolean {
    if (this.style(element).cursor !== 'pointer') return false;
    const parent = flatParent(element);
    return !parent || this.style(parent).cursor !== 'pointer';
  }

  /** Text that is drawn, but that no eye can read: no size, no colour, or the ground's colour. */
  isUnreadable(element: Element): boolean {
    const style = this.style(element);
    const { fontSize, textIndent } = style;
    if (fontSize.startsWith('0') || (textIndent !== '0px' && parseFloat(textIndent) < -500))
      return true;
    const colour = parseColour(style.color);
    if (!colour) return false;
    const isGone = colour[3] < 0.05 || near(colour, this.#ground(element));
    return (
      isGone &&
      style.textShadow === 'none' &&
      style.getPropertyValue('-webkit-text-fill-color') === style.color
    );
  }

  /** The colour behind an element, undefined where a picture or a blend decides. */
  #ground(element: Element): Colour | undefined {
    const chain: Element[] = [];
    let ground: Colour | undefined = WHITE;
    for (let at: Element | null = element; at; at = flatParent(at)) {
      if (this.#grounds.has(at)) {
        ground = this.#grounds.get(at);
        break;
      }
      chain.push(at);
      const own = this.#ownGround(at);
      if (own !== 'through') {
        ground = own;
        break;
      }
    }
    for (const at of chain) this.#grounds.set(at, ground);
    return ground;
  }

  #ownGround(element: Element): Colour | undefined | 'through' {
    const style = this.style(element);
    const colour = parseColour(style.backgroundColor);
    if (!colour || style.backgroundImage !== 'none') return undefined;
    if (colour[3] > 0.95) return colour;
    if (colour[3] > 0.05) return undefined;
    // Painted apart from its ancestors, so what is behind it is not known from them.
    return style.position === 'fixed' || style.position === 'absolute' ? undefined : 'through';
  }
}

const WHITE: Colour = [255, 255, 255, 1];
type Colour = readonly [number, number, number, number];
const colours = new Map<string, Colour | undefined>();

function parseColour(text: string): Colour | undefined {
  if (colours.has(text)) return colours.get(text);
  const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  const colour: Colour | undefined = match
    ? [
        Number(match[1]),
        Number(match[2]),
        Number(match[3]),
        match[4] === undefined ? 1 : Number(match[4]),
      ]
    : undefined;
  if (colours.size < 500) colours.set(text, colour);
  return colour;
}

function near(a: Colour, b: Colour | undefined): boolean {
  return (
    b !== undefined && Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) <= 6
  );
}

function documentMayHavePseudo(): boolean {
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    try {
      const rules = sheet.cssRules;
      if (rules.length > 2_000) return true;
      for (const rule of rules) if (/::?(before|after)/.test(rule.cssText)) return true;
    } catch {
      return true;
    }
  }
  return false;
}
