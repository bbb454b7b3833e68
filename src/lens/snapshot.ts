import type { NodeFlag, WireFold } from './wire.ts';

/** One node of a snapshot, in reading order. */
export interface SnapshotNode {
  /** ARIA role; `text` for text, `fold` for what was left out of a run, `generic` for the rest. */
  readonly role: string;
  readonly name?: string;
  readonly tag?: string;
  /** `e12`, in a frame `f1e12`. */
  readonly ref?: string;
  /** As in the text: `checked`, `level=2`. */
  readonly states: readonly string[];
  readonly flags: readonly NodeFlag[];
  readonly value?: string;
  readonly placeholder?: string;
  /** As written in the page. */
  readonly href?: string;
  /** Absolute. */
  readonly url?: string;
  /** Of a text node, or of a node whose only content is text; of a closed select, its options. */
  readonly text?: string;
  /** `type` of an input. */
  readonly type?: string;
  /** x, y, width, height in CSS pixels of its frame's viewport. */
  readonly box?: readonly [number, number, number, number];
  /** Its box is larger than nothing. */
  readonly visible: boolean;
  readonly children: readonly SnapshotNode[];
  /** On `fold` nodes. */
  readonly fold?: WireFold;
  /** On items of a run. */
  readonly run?: { readonly handle: string; readonly index: number; readonly noun: string };
  /** On iframes: why nothing of them is shown. */
  readonly note?: string;
}

/** A part of the page that is not described node by node. */
export interface RestOfPage {
  /** Opens it: `expand`. */
  readonly handle: string;
  /** `behind` a modal dialog; `rest` when there were too many nodes. */
  readonly where: 'above' | 'below' | 'beside' | 'behind' | 'rest';
  readonly links: number;
  readonly buttons: number;
  readonly fields: number;
  readonly elements: number;
  readonly outline: readonly SnapshotNode[];
  readonly moreOutline: number;
}

export interface SnapshotOptions {
  /** Most characters of `text`; 6,000 unless told. */
  readonly budget?: number | undefined;
  /** Words that must all occur, or a regular expression between slashes; the whole page is searched. */
  readonly query?: string | undefined;
  /** Ref of the part to describe; a heading stands for its section. */
  readonly target?: string | undefined;
  /** Handle that an earlier snapshot gave: `r3`, `r3.29`. */
  readonly expand?: string | undefined;
  /** Controls only. */
  readonly interactive?: boolean | undefined;
  /** The whole page, whatever its size; `text` is not cut. */
  readonly full?: boolean | undefined;
  /** Adds `[box=x,y,w,h]`. */
  readonly boxes?: boolean | undefined;
  /** Levels of nesting in the text. */
  readonly depth?: number | undefined;
  /** `aria` gives Playwright's own ARIA snapshot, cut at the budget. */
  readonly format?: 'lens' | 'aria' | undefined;
  /** Also numbers content roles: cells, list items, rows. */
  readonly contentRefs?: boolean | undefined;
  /** Most milliseconds for one frame to answer; 1,500 unless told. */
  readonly frameTimeoutMs?: number | undefined;
}

export interface Snapshot {
  readonly url: string;
  readonly title: string;
  /** ARIA YAML, never longer than the budget (unless `full`). */
  readonly text: string;
  readonly tree: readonly SnapshotNode[];
  readonly rest: readonly RestOfPage[];
  /** Something that is there is not in `text`. */
  readonly truncated: boolean;
  /** What was left out and how to get it, one sentence each; also in `text`. */
  readonly leftOut: readonly string[];
  /** Handles that `expand` takes. */
  readonly handles: readonly string[];
  /** A modal dialog is open; the rest of the page is behind it. */
  readonly modal: boolean;
  /** Why the snapshot is empty, when it is. */
  readonly empty?: string;
  readonly viewport: {
    readonly width: number;
    readonly height: number;
    readonly scrollX: number;
    readonly scrollY: number;
    readonly scrollHeight: number;
  };
  readonly stats: {
    /** In the page, summed over frames. */
    readonly pageMs: number;
    readonly totalMs: number;
    readonly nodes: number;
    readonly visited: number;
    readonly refs: number;
    readonly frames: number;
    readonly framesSilent: number;
    readonly hidden: number;
    /** Of a query. */
    readonly matches: number;
    readonly chars: number;
    readonly lines: number;
  };
  /** Refs of an earlier snapshot that still show, when they were asked for. */
  readonly alive: ReadonlySet<string>;
}
