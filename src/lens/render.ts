import type { RestOfPage, SnapshotNode } from './snapshot.ts';
import { entryKey, quote, scalar } from './yaml-text.ts';

export interface RenderOptions {
  /** Most characters; Infinity for everything. */
  readonly budget: number;
  readonly depth?: number | undefined;
  readonly boxes?: boolean | undefined;
  /** Off screen is nothing to remark when everything was asked for. */
  readonly showOffscreen?: boolean | undefined;
}

export interface Rendered {
  readonly text: string;
  readonly leftOut: readonly string[];
  readonly handles: readonly string[];
  readonly truncated: boolean;
}

/** How much of each thing is said; a tighter style is tried when the budget is not met. */
interface Style {
  readonly name: number;
  readonly text: number;
  readonly href: number;
  /** Share of the budget that one run of like siblings may take. */
  readonly runShare: number;
  /** Items of a run that are shown whatever they cost. */
  readonly runMin: number;
  readonly outline: number;
}

const STYLES: readonly Style[] = [
  { name: 160, text: 1_000, href: 120, runShare: 0.5, runMin: 3, outline: 60 },
  { name: 120, text: 300, href: 80, runShare: 0.4, runMin: 3, outline: 25 },
  { name: 80, text: 120, href: 40, runShare: 0.25, runMin: 2, outline: 12 },
];
const FULL: Style = {
  name: 800,
  text: Infinity,
  href: 2_000,
  runShare: 1,
  runMin: Infinity,
  outline: Infinity,
};
/** No budget is smaller: the notes of what was left out need room. */
export const MIN_BUDGET = 200;
/** Deeper indentation costs more than it tells. */
const MAX_DEPTH = 40;

interface Line {
  readonly depth: number;
  readonly text: string;
}

/**
 * Renders a tree as Playwright's ARIA YAML. The text is valid YAML whatever the names hold, is
 * never longer than the budget, and says what was left out and how to get it.
 */
export function render(
  nodes: readonly SnapshotNode[],
  rest: readonly RestOfPage[],
  options: RenderOptions,
): Rendered {
  const budget = Math.max(MIN_BUDGET, options.budget);
  if (budget === Infinity) return new Rendering(options, FULL, Infinity).finish(nodes, rest);
  let last: Rendered | undefined;
  for (const style of STYLES) {
    const rendered = new Rendering(options, style, budget).finish(nodes, rest);
    if (rendered.text.length <= budget && !rendered.cut) return rendered;
    last = rendered;
  }
  return last as Rendered;
}

class Rendering {
  readonly #options: RenderOptions;
  readonly #style: Style;
  readonly #budget: number;
  readonly #handles = new Set<string>();
  readonly #leftOut: string[] = [];
  readonly #maxDepth: number;

  constructor(options: RenderOptions, style: Style, budget: number) {
    this.#options = options;
    this.#style = style;
    this.#budget = budget;
    this.#maxDepth = Math.min(options.depth ?? MAX_DEPTH, MAX_DEPTH);
  }

  finish(nodes: readonly SnapshotNode[], rest: readonly RestOfPage[]): Rendered & { cut: boolean } {
    const lines: Line[] = [];
    this.#list(nodes, 0, lines);
    const tail: Line[] = [];
    for (const part of rest) this.#rest(part, tail);
    const notes = this.#leftOut.length;
    let all = [...lines, ...tail];
    let cut = false;
    if (size(all) > this.#budget) {
      cut = true;
      all = this.#fit(lines, tail);
    }
    return {
      text: all.map(print).join('\n'),
      leftOut: this.#leftOut,
      handles: [...this.#handles],
      truncated: cut || notes > 0,
      cut,
    };
  }

  /** What still does not fit goes from the end of the detail; the way to the rest is kept. */
  #fit(lines: readonly Line[], tail: readonly Line[]): Line[] {
    const tailRoom = Math.floor(this.#budget * 0.3);
    const keptTail: Line[] = [];
    let used = 0;
    // The last line of a part holds its handle, so it comes before the part's headings.
    const order = [...tail].toSorted(
      (a, b) => Number(b.text.startsWith('…')) - Number(a.text.startsWith('…')),
    );
    const chosen = new Set<Line>();
    for (const line of order) {
      const cost = print(line).length + 1;
      if (used + cost > tailRoom) continue;
      used += cost;
      chosen.add(line);
    }
    for (const line of tail) if (chosen.has(line)) keptTail.push(line);
    const noteRoom = 130;
    const room = this.#budget - used - noteRoom;
    const kept: Line[] = [];
    let spent = 0;
    for (const line of lines) {
      const cost = print(line).length + 1;
      if (spent + cost > room) break;
      spent += cost;
      kept.push(line);
    }
    // A line that promised children but lost them all must not end in a colon with nothing below.
    const last = kept.at(-1);
    const after = lines[kept.length];
    if (last && after && after.depth > last.depth && last.text.endsWith(':')) {
      kept[kept.length - 1] = { depth: last.depth, text: last.text.slice(0, -1) };
    }
    const lost = lines.length - kept.length;
    const out = [...kept];
    if (lost > 0) {
      const what = `… ${lost} more lines do not fit (budget=${Math.min(this.#budget * 2, 100_000)}, query, target or full shows them)`;
      this.#leftOut.push(what.slice(2));
      out.push({ depth: 0, text: what });
    }
    out.push(...keptTail);
    while (size(out) > this.#budget && out.length > 1) out.splice(Math.max(0, out.length - 2), 1);
    return out;
  }

  #list(nodes: readonly SnapshotNode[], depth: number, lines: Line[]): void {
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (!node) continue;
      if (node.run) {
        index = this.#run(nodes, index, depth, lines);
        continue;
      }
      this.#node(node, depth, lines);
    }
  }

  /** Prints the items of one run from `start` on, folds what is too much; gives the last index used. */
  #run(nodes: readonly SnapshotNode[], start: number, depth: number, lines: Line[]): number {
    const run = nodes[start]?.run;
    let end = start;
    while (end + 1 < nodes.length && nodes[end + 1]?.run?.handle === run?.handle) end++;
    const room = this.#budget * this.#style.runShare;
    let spent = 0;
    let shownItems = 0;
    let lastIndex = -1;
    for (let index = start; index <= end; index++) {
      const node = nodes[index];
      if (!node?.run) continue;
      const item: Line[] = [];
      this.#node(node, depth, item);
      const cost = size(item);
      const isNext = node.run.index !== lastIndex;
      const isActive = node.flags.includes('active');
      if (isNext && shownItems >= this.#style.runMin && spent + cost > room && !isActive) {
        const follows = nodes[end + 1];
        const beyond = follows?.fold?.handle === node.run.handle ? follows.fold.count : 0;
        const lastOfRun = nodes[end]?.run?.index ?? node.run.index;
        this.#fold(
          node.run.handle,
          node.run.index,
          lastOfRun - node.run.index + 1 + beyond,
          node.run.noun,
          depth,
          lines,
        );
        return beyond > 0 ? end + 1 : end;
      }
      if (isNext) shownItems++;
      lastIndex = node.run.index;
      spent += cost;
      lines.push(...item);
    }
    return end;
  }

  #fold(
    handle: string,
    from: number,
    count: number,
    noun: string,
    depth: number,
    lines: Line[],
  ): void {
    const key = from > 0 ? `${handle}.${from}` : handle;
    this.#handles.add(key);
    const what = noun === 'deeper part' ? `deeper content` : `${count} more ${noun}`;
    this.#leftOut.push(`${what} (expand=${key})`);
    lines.push({ depth, text: `… ${what} (expand=${key})` });
  }

  #node(node: SnapshotNode, depth: number, lines: Line[]): void {
    if (node.fold) {
      this.#fold(node.fold.handle, node.fold.from, node.fold.count, node.fold.noun, depth, lines);
      return;
    }
    if (node.role === 'text') {
      lines.push({ depth, text: `text: ${scalar(this.#clip(node.text ?? '', this.#style.text))}` });
      return;
    }
    if (this.#isWrapper(node)) {
      const [only] = node.children;
      if (only) {
        this.#node(only, depth, lines);
        return;
      }
    }
    const key = this.#key(node);
    const details: Line[] = [];
    if (node.href !== undefined && node.href !== '') {
      details.push({
        depth: depth + 1,
        text: `/url: ${scalar(this.#clip(node.href, this.#style.href))}`,
      });
    }
    if (node.placeholder !== undefined) {
      details.push({
        depth: depth + 1,
        text: `/placeholder: ${scalar(this.#clip(node.placeholder, 80))}`,
      });
    }
    const isSelect = node.tag === 'select' && node.text !== undefined;
    if (isSelect && node.text !== '') {
      details.push({ depth: depth + 1, text: `/options: ${scalar(node.text ?? '')}` });
    }
    if (node.note !== undefined)
      details.push({ depth: depth + 1, text: `text: ${scalar(node.note)}` });
    const inline = node.value !== undefined ? node.value : isSelect ? undefined : node.text;
    if (node.children.length > 0) {
      if (depth + 1 >= this.#maxDepth) {
        this.#leftOut.push(
          `content of ${node.role}${node.ref ? ` (target=${node.ref})` : ' (full or a larger depth)'}`,
        );
        details.push({
          depth: depth + 1,
          text: `… deeper content${node.ref ? ` (target=${node.ref})` : ' (depth or full)'}`,
        });
      } else {
        this.#list(node.children, depth + 1, details);
      }
    }
    if (details.length === 0) {
      const text =
        inline === undefined ? key : `${key}: ${scalar(this.#clip(inline, this.#style.text))}`;
      lines.push({ depth, text });
      return;
    }
    lines.push({ depth, text: `${key}:` });
    if (inline !== undefined)
      details.splice(details.findIndex((line) => !line.text.startsWith('/')) >>> 0, 0, {
        depth: depth + 1,
        text: `text: ${scalar(this.#clip(inline, this.#style.text))}`,
      });
    lines.push(...details);
  }

  /** A cell or item around one thing says nothing that the thing does not. */
  #isWrapper(node: SnapshotNode): boolean {
    return (
      this.#style !== FULL &&
      (node.role === 'cell' ||
        node.role === 'gridcell' ||
        node.role === 'listitem' ||
        node.role === 'paragraph' ||
        node.role === 'generic') &&
      node.ref === undefined &&
      node.name === undefined &&
      node.text === undefined &&
      node.children.length === 1 &&
      node.children[0]?.role !== 'text' &&
      node.children[0]?.run === undefined &&
      node.children[0]?.fold === undefined
    );
  }

  #key(node: SnapshotNode): string {
    let key = node.role;
    if (node.name !== undefined && node.name !== '')
      key += ` ${quote(this.#clip(node.name, this.#style.name))}`;
    for (const state of node.states) key += ` [${state}]`;
    if (node.flags.includes('active')) key += ' [active]';
    if (node.ref !== undefined) key += ` [ref=${node.ref}]`;
    if (node.flags.includes('clickable') || node.flags.includes('pointer'))
      key += ' [cursor=pointer]';
    if (node.flags.includes('guessed')) key += ' [name=guessed]';
    if (node.flags.includes('new')) key += ' [new]';
    if (node.flags.includes('covered')) key += ' [covered]';
    if (node.flags.includes('offscreen') && this.#options.showOffscreen !== false)
      key += ' [offscreen]';
    if (this.#options.boxes && node.box) key += ` [box=${node.box.join(',')}]`;
    else if (node.box && (node.role === 'canvas' || node.role === 'closed-shadow-root'))
      key += ` [box=${node.box.join(',')}]`;
    return entryKey(key);
  }

  #rest(part: RestOfPage, lines: Line[]): void {
    const shown = part.outline.slice(0, this.#style.outline);
    for (const node of shown) lines.push({ depth: 0, text: this.#key(node) });
    const counts = [
      plural(part.links, 'link'),
      plural(part.buttons, 'button'),
      plural(part.fields, 'field'),
    ].filter((text) => text !== '');
    const hidden = part.outline.length - shown.length + part.moreOutline;
    if (hidden > 0) counts.push(plural(hidden, 'heading'));
    if (counts.length === 0) counts.push(plural(part.elements, 'element'));
    const where = {
      above: 'above',
      below: 'below',
      beside: 'scrolled out of view',
      behind: 'behind the dialog',
      rest: 'more',
    }[part.where];
    const what = `${where}: ${counts.join(', ')} (expand=${part.handle})`;
    this.#handles.add(part.handle);
    this.#leftOut.push(what);
    // `: ` would make the line a mapping.
    lines.push({ depth: 0, text: `… ${what.replace(': ', ' ')}` });
  }

  #clip(text: string, max: number): string {
    return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
  }
}

function plural(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function print(line: Line): string {
  return `${'  '.repeat(line.depth)}- ${line.text}`;
}

function size(lines: readonly Line[]): number {
  let sum = 0;
  for (const line of lines) sum += line.depth * 2 + 3 + line.text.length;
  return sum;
}

/** A ref as it stands in the text. */
export function refsIn(text: string): string[] {
  const refs: string[] = [];
  for (const line of text.split('\n')) {
    const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    const match = /\[ref=((?:f\d+)?e\d+)\]/.exec(bare);
    if (match?.[1]) refs.push(match[1]);
  }
  return refs;
}
