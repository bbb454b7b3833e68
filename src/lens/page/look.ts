import { flatParent, shadowOf } from './flat-tree.ts';

/**
 * Computed styles and boxes, each asked for once a pass. The browser lays the page out on the
 * first question; nothing here writes, so the layout stays valid for the rest of the pass.
 */
export class Look {
  readonly #styles = new Map<Element, CSSStyleDeclaration>();
  readonly #transparent = new Map<Element, boolean>();
  readonly #hidden = new Map<Element, boolean>();
  #pseudo: boolean | undefined;

  style(element: Element): CSSStyleDeclaration {
    let style = this.#styles.get(element);
    if (!style) {
      style = getComputedStyle(element);
      this.#styles.set(element, style);
    }
    return style;
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

  /** No ancestor lets it through: opacity 0 somewhere above. */
  isTransparent(element: Element): boolean {
    const chain: Element[] = [];
    let verdict = false;
    for (let at: Element | null = element; at; at = flatParent(at)) {
      const known = this.#transparent.get(at);
      if (known !== undefined) {
        verdict = known;
        break;
      }
      chain.push(at);
      if (Number(this.style(at).opacity) < 0.02) {
        verdict = true;
        break;
      }
    }
    for (const at of chain) this.#transparent.set(at, verdict);
    return verdict;
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
    if (parseFloat(style.fontSize) < 1) return true;
    const indent = parseFloat(style.textIndent);
    if (indent < -500) return true;
    const colour = parseColour(style.color);
    if (!colour) return false;
    if (style.getPropertyValue('-webkit-text-fill-color') !== style.color) return false;
    if (colour[3] < 0.05) return style.textShadow === 'none';
    const ground = this.#ground(element);
    return ground !== undefined && near(colour, ground) && style.textShadow === 'none';
  }

  /** The colour behind an element, undefined where a picture or a blend decides. */
  #ground(element: Element): Colour | undefined {
    for (let at: Element | null = element; at; at = flatParent(at)) {
      const style = this.style(at);
      if (style.backgroundImage !== 'none') return undefined;
      const colour = parseColour(style.backgroundColor);
      if (!colour) return undefined;
      if (colour[3] > 0.95) return colour;
      if (colour[3] > 0.05) return undefined;
      // Painted apart from its ancestors, so what is behind it is not known from them.
      if (style.position === 'fixed' || style.position === 'absolute') return undefined;
    }
    return [255, 255, 255, 1];
  }
}

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

function near(a: Colour, b: Colour): boolean {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) <= 6;
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
