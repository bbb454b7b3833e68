/**
 * What the in-page half and the host half say to each other. Types only: both sides compile it,
 * one with DOM types and one with Node types.
 */

/** A half-open range of a run of like siblings, by the handle that opens it. */
export interface WireFold {
  /** Handle of the whole run or region, `r3`; `r3.29` starts at its 29th item. */
  readonly handle: string;
  /** Index of the first item that is left out. */
  readonly from: number;
  /** How many are left out. */
  readonly count: number;
  /** What they are, in the plural: "rows", "items". */
  readonly noun: string;
}

export type NodeFlag =
  | 'active'
  | 'clickable'
  | 'covered'
  | 'guessed'
  | 'new'
  | 'offscreen'
  | 'pointer'
  /** Changed since the last scan, by script: shown, hidden, rewritten. */
  | 'touched';

export interface WireNode {
  /** ARIA role, `text` for text, `fold` for what was left out of a run. */
  role: string;
  name?: string;
  tag?: string;
  /** Number of the ref, unique within the document and above every number of earlier ones. */
  ref?: number;
  /** Rendered in brackets as they stand: `checked`, `level=2`. */
  states?: string[];
  flags?: NodeFlag[];
  /** Value of a field, never of a password. */
  value?: string;
  placeholder?: string;
  href?: string;
  /** For `text` nodes, and for nodes whose only content is text. */
  text?: string;
  children?: WireNode[];
  /** x, y, width, height in CSS pixels of its frame's viewport. */
  box?: [number, number, number, number];
  /** Whether the box is larger than nothing. */
  shown?: boolean;
  /** `input` type, when there is one. */
  type?: string;
  /** Index of an iframe in its window's `frames`; -1 when it is not listed there. */
  frame?: number;
  fold?: WireFold;
  /** Handle of the run whose item this node is, and its index there. */
  run?: { readonly handle: string; readonly index: number; readonly noun: string };
}

/** What lies outside the part that was scanned in detail. */
export interface WireRest {
  readonly handle: string;
  readonly where: 'above' | 'below' | 'beside' | 'behind' | 'rest';
  readonly links: number;
  readonly buttons: number;
  readonly fields: number;
  readonly elements: number;
  readonly outline: WireNode[];
  /** Headings and landmarks beyond those in `outline`. */
  readonly moreOutline: number;
}

export interface ScanCommand {
  readonly kind: 'scan';
  /** Refs minted from here on are above this number. */
  readonly base: number;
  /** `view` stops at the viewport; `all` walks the whole document. */
  readonly extent: 'view' | 'all';
  /** Most nodes to describe; what is beyond goes to `rest`. */
  readonly maxNodes: number;
  readonly interactive?: boolean;
  /** Also name and number content roles (cells, list items, rows). */
  readonly contentRefs?: boolean;
  readonly boxes?: boolean;
  /** Words, or a regular expression between slashes. */
  readonly query?: string;
  /** Ref number of the subtree to scan. */
  readonly target?: number;
  /** Handle to open, `r3` or `r3.29`. */
  readonly expand?: string;
  /** Ref numbers of an earlier snapshot: the answer names those that are still there. */
  readonly known?: readonly number[];
  /** The same snapshot again: what was new to the scan before is new to this one. */
  readonly again?: boolean;
}

export interface ScanResult {
  readonly doc: string;
  readonly url: string;
  readonly title: string;
  readonly readyState: string;
  readonly nodes: WireNode[];
  readonly rest: WireRest[];
  /** Highest ref number minted. */
  readonly top: number;
  readonly stats: {
    readonly ms: number;
    readonly visited: number;
    readonly emitted: number;
    /** Parts with text that no person can see, left out. */
    readonly hidden: number;
    readonly matches: number;
  };
  readonly modal: boolean;
  readonly viewport: {
    width: number;
    height: number;
    scrollX: number;
    scrollY: number;
    scrollHeight: number;
  };
  readonly frameIndex: number;
  /** Those of `known` whose element is still in the page and shows. */
  readonly alive?: readonly number[];
  /** Elements whose shadow tree may be closed; the host finds out. */
  readonly suspects: number;
}

/** How a ref or a match is shown in an error. */
export interface Candidate {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  /** Text of the row, item or section it stands in. */
  readonly near: string;
  readonly visible: boolean;
}

export interface Refusal {
  readonly code: 'stale_ref' | 'changed_ref' | 'ambiguous_ref' | 'not_found';
  readonly ref: number;
  /** What the ref stood for. */
  readonly was?: { readonly role: string; readonly name: string; readonly near: string };
  /** What the element is now. */
  readonly now?: Candidate;
  readonly candidates: readonly Candidate[];
  readonly top: number;
}

export interface Verdict {
  /** `unknown`: this document was not armed, so the page has navigated since. */
  readonly state: 'idle' | 'delivered' | 'missed' | 'refused' | 'unknown';
  readonly events: readonly string[];
  /** Set when the event landed elsewhere. */
  readonly hit?: Candidate | undefined;
  readonly refusal?: Refusal | undefined;
  readonly healed: boolean;
  /** Value that stands in the field now; never of a password. */
  readonly value?: string | undefined;
  readonly target?: Candidate | undefined;
  /** Whether the element is still part of the document. */
  readonly connected: boolean;
  readonly top: number;
}

export interface PulseResult {
  readonly doc: string;
  /** Changes that count, since the action began. */
  readonly changes: number;
  readonly sinceMs: number;
  readonly readyState: string;
}

/** A candidate with how like it is to what was asked for; 1 is all of its words. */
export interface RankedCandidate extends Candidate {
  readonly score: number;
}

export interface NearestResult {
  readonly candidates: readonly RankedCandidate[];
  readonly top: number;
}

export type Command =
  | ScanCommand
  | { readonly kind: 'verdict'; readonly token: number; readonly base: number }
  | { readonly kind: 'pulse' }
  | {
      readonly kind: 'nearest';
      readonly words: readonly string[];
      readonly roles: readonly string[];
      readonly base: number;
    }
  | { readonly kind: 'mark' }
  | { readonly kind: 'cover'; readonly ref: number; readonly base: number };

/** What covers an element at the point where a click would land. */
export interface CoverResult {
  readonly covered: boolean;
  readonly by?: Candidate | undefined;
  /** Controls inside what covers, most likely to remove it first. */
  readonly ways: readonly Candidate[];
  /** Ancestor dialog or overlay of what covers, named when it can be. */
  readonly moving: boolean;
  readonly top: number;
}
