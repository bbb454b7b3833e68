import type { Page, Selectors } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import { toNodes, walkNodes } from './assemble.ts';
import { Channel } from './channel.ts';
import { FRAME_TIMEOUT_MS, FrameScans } from './frame-scans.ts';
import { Frames } from './frames.ts';
import { Located } from './located.ts';
import { PAGE_SCRIPT } from './page-script.generated.ts';
import { refusalError, refusalIn, withPrefix } from './refusal.ts';
import type { RefCandidate } from './refusal.ts';
import { render } from './render.ts';
import { scanCommandOf } from './scan-command.ts';
import { settle } from './settle.ts';
import type { Settled } from './settle.ts';
import { Sight } from './sight.ts';
import type { RestOfPage, Snapshot, SnapshotNode, SnapshotOptions } from './snapshot.ts';
import { parseTarget } from './target.ts';
import { Traffic } from './traffic.ts';
import type { CoverResult, PulseResult, ScanResult } from './wire.ts';

export const DEFAULT_BUDGET = 6_000;
/** A page that has changed within this long may be about to change again. */
const STIRS_MS = 150;

/** Engines are registered for a whole process, each under its own name. */
const registered = new WeakMap<Selectors, string[]>();

/** What covers an element, and which controls may take it away. */
export interface Cover {
  readonly covered: boolean;
  readonly by?: RefCandidate;
  readonly ways: readonly RefCandidate[];
  /** What covers is being animated: waiting may help. */
  readonly moving: boolean;
}

interface Watched {
  readonly frames: Frames;
  readonly sight: Sight;
  readonly traffic: Traffic;
  token: number;
  /** How the last action ended, until the next begins. */
  settled: Settled | undefined;
  /** The document that was scanned last. */
  doc: string;
}

/**
 * Seeing a page: snapshots, refs that keep their identity, what changed, and when a page has
 * settled. One Lens serves all pages of the browsers that know its engine.
 */
export class Lens {
  readonly #channel: Channel;
  readonly #pages = new WeakMap<Page, Watched>();

  private constructor(engine: string) {
    this.#channel = new Channel(engine);
  }

  /**
   * Registers the in-page half with Playwright and gives the lens. Call it before the first page
   * is used; after `connectOverCDP` ask for a `fresh` name, since the browser's own context does
   * not know the engines registered before.
   */
  static async register(
    selectors: Selectors,
    options: { readonly fresh?: boolean } = {},
  ): Promise<Lens> {
    const names = registered.get(selectors) ?? [];
    registered.set(selectors, names);
    const [first] = names;
    if (first !== undefined && !options.fresh) return new Lens(first);
    const name = names.length === 0 ? 'lens' : `lens${names.length + 1}`;
    names.push(name);
    await selectors.register(name, PAGE_SCRIPT, { contentScript: true });
    return new Lens(name);
  }

  /** Begins to watch a page's frames and requests. Everything else here does it at first need. */
  watch(page: Page): void {
    this.#watched(page);
  }

  #watched(page: Page): Watched {
    let watched = this.#pages.get(page);
    if (!watched) {
      watched = {
        frames: new Frames(page),
        sight: new Sight(page),
        traffic: new Traffic(page),
        token: 0,
        settled: undefined,
        doc: '',
      };
      this.#pages.set(page, watched);
      void watched.sight.warm();
    }
    return watched;
  }

  /**
   * Describes a page within a budget of characters.
   * @throws OrielError `stale_ref` for a target or handle that is gone, `bad_input`, `timeout`,
   * the signal's reason, `gone` when the page closes meanwhile.
   */
  async snapshot(
    page: Page,
    options: SnapshotOptions = {},
    signal: AbortSignal = NEVER,
  ): Promise<Snapshot> {
    const target = await this.#refOf(page, options.target, signal);
    return this.#snapshot(
      page,
      target === undefined ? options : { ...options, target },
      [],
      signal,
    );
  }

  /** The ref of what a target means, for looking at it. */
  async #refOf(
    page: Page,
    target: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (target === undefined || parseTarget(target).kind === 'ref') return target;
    const { ref } = await this.locate(page, target, signal);
    if (ref === undefined) {
      throw new OrielError('not_found', `Nothing on the page matches ${target}.`, {
        hint: 'Take a browser_snapshot of the whole page, or search it with query.',
      });
    }
    return ref;
  }

  /** A snapshot to compare with an earlier one by {@link delta}. */
  async snapshotAfter(
    page: Page,
    before: Snapshot,
    options: SnapshotOptions = {},
    signal: AbortSignal = NEVER,
  ): Promise<Snapshot> {
    const known: string[] = [];
    for (const node of walkNodes(before.tree)) if (node.ref !== undefined) known.push(node.ref);
    return this.#snapshot(page, options, known, signal);
  }

  async #snapshot(
    page: Page,
    options: SnapshotOptions,
    known: readonly string[],
    signal: AbortSignal,
  ): Promise<Snapshot> {
    const startedAt = performance.now();
    const watched = this.#watched(page);
    const budget = options.full ? Infinity : (options.budget ?? DEFAULT_BUDGET);
    const scan = new FrameScans(this.#channel, watched.frames, options, known, signal);
    const { prefix, command } = scanCommandOf(options);
    const frame = watched.frames.frame(prefix);
    if (!frame) {
      throw new OrielError(
        'stale_ref',
        `The frame of ${options.target ?? options.expand ?? 'the target'} is gone.`,
        { hint: 'Take a new browser_snapshot.' },
      );
    }
    let top: ScanResult;
    // Asked beside the scan: in the common case nothing new comes of it, and no time is lost.
    const learning = watched.sight.learnListeners();
    try {
      top = await scan.frame(frame, command);
      const isFirst = watched.doc !== top.doc;
      watched.doc = top.doc;
      const learnt = [
        await within(signal, learning),
        // The lens came to this document only with the scan, so nothing could be learnt before.
        isFirst && (await within(signal, watched.sight.learnListeners())),
        top.suspects > 0 && (await within(signal, watched.sight.learnClosedRoots())),
      ];
      if (learnt.includes(true)) top = await scan.frame(frame, { ...command, again: true });
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal && options.expand !== undefined && refusal.ref === 0) {
        throw new OrielError(
          'stale_ref',
          `Nothing is behind the handle ${options.expand} any more.`,
          { hint: 'Take a new browser_snapshot.' },
        );
      }
      if (refusal) throw refusalError(refusal, prefix, options.target ?? '');
      throw scanError(error, signal);
    }
    const content = await scan.assemble(frame, top, 0);
    const state = watched.frames.state(frame);
    const rest: RestOfPage[] = top.rest
      .map((part) => ({
        handle: `${state.prefix}${part.handle}`,
        where: part.where,
        links: part.links,
        buttons: part.buttons,
        fields: part.fields,
        elements: part.elements,
        outline: toNodes(part.outline, state.prefix, top.url, new Map()),
        moreOutline: part.moreOutline,
      }))
      .filter(
        (part) =>
          part.links + part.buttons + part.fields + part.outline.length > 0 || part.elements > 0,
      );
    return this.#finish(page, options, budget, content, rest, top, scan, startedAt, signal);
  }

  async #finish(
    page: Page,
    options: SnapshotOptions,
    budget: number,
    content: readonly SnapshotNode[],
    rest: readonly RestOfPage[],
    top: ScanResult,
    scan: FrameScans,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    let rendered = render(content, rest, {
      budget,
      depth: options.depth,
      boxes: options.boxes,
      showOffscreen: !options.full,
    });
    if (options.format === 'aria') {
      const yaml = await within(
        signal,
        page.locator('body').ariaSnapshot({ timeout: FRAME_TIMEOUT_MS * 4 }),
      );
      const text = yaml.length > budget ? cutLines(yaml, budget) : yaml;
      rendered = {
        text,
        leftOut: text === yaml ? [] : [`${yaml.length - text.length} more characters (full)`],
        handles: [],
        truncated: text !== yaml,
      };
    }
    let text = rendered.text;
    const empty = text === '' ? emptyReason(top, options) : undefined;
    if (empty !== undefined) text = `- … ${empty}`;
    let nodes = 0;
    let refs = 0;
    for (const node of walkNodes(content)) {
      nodes++;
      if (node.ref !== undefined) refs++;
    }
    return {
      url: top.url,
      title: top.title,
      text,
      tree: content,
      rest,
      truncated: rendered.truncated,
      leftOut: rendered.leftOut,
      handles: rendered.handles,
      modal: top.modal,
      ...(empty === undefined ? {} : { empty }),
      viewport: top.viewport,
      stats: {
        pageMs: scan.pageMs,
        totalMs: Math.round((performance.now() - startedAt) * 10) / 10,
        nodes,
        visited: scan.visited,
        refs,
        frames: scan.frames,
        framesSilent: scan.silent,
        hidden: scan.hidden,
        matches: scan.matches,
        chars: text.length,
        lines: text === '' ? 0 : text.split('\n').length,
      },
      alive: scan.alive,
    };
  }

  /**
   * Resolves a ref or selector to a Playwright locator. Acting through it is guarded: ask
   * {@link Located.verdict} after every action, whether it succeeded or threw.
   * @throws OrielError `stale_ref`, `changed_ref`, `ambiguous_ref`, `not_found`, `bad_input`
   */
  async locate(page: Page, target: string, signal: AbortSignal = NEVER): Promise<Located> {
    const watched = this.#watched(page);
    begin(watched);
    return Located.resolve(
      this.#channel,
      watched.frames,
      parseTarget(target),
      ++watched.token,
      () => this.#isAtWork(page, watched, signal),
      signal,
    );
  }

  /** Still loading, asking for something, or changing. */
  async #isAtWork(page: Page, { traffic }: Watched, signal: AbortSignal): Promise<boolean> {
    if (traffic.isAwaiting) return true;
    try {
      const { readyState, sinceMs } = await this.#channel.run<PulseResult>(
        page.mainFrame(),
        { kind: 'pulse' },
        FRAME_TIMEOUT_MS,
        signal,
      );
      return readyState !== 'complete' || sinceMs < STIRS_MS;
    } catch {
      signal.throwIfAborted();
      return true;
    }
  }

  /**
   * The Playwright selector that a target means, for looking only: nothing is guarded.
   * @throws OrielError `bad_input`
   */
  selector(target: string): string {
    const parsed = parseTarget(target);
    if (parsed.kind === 'selector') return parsed.selector;
    if (parsed.prefix === '') return `${this.#channel.engine}=e${parsed.number}`;
    throw new OrielError('bad_input', `${parsed.text} is in a frame, which cannot be asked so.`, {
      hint: 'Take a browser_snapshot with this ref as its target.',
    });
  }

  /** Marks the beginning of an action that has no target, so that {@link settle} knows its effects. */
  async mark(page: Page, signal: AbortSignal = NEVER): Promise<void> {
    const watched = this.#watched(page);
    begin(watched);
    await this.#channel
      .run(page.mainFrame(), { kind: 'mark' }, FRAME_TIMEOUT_MS, signal)
      .catch(() => {});
  }

  /**
   * Waits until what the last action started is over, at most `budgetMs`. Asked again about the
   * same action it tells again, at once.
   */
  async settle(page: Page, budgetMs: number, signal: AbortSignal = NEVER): Promise<Settled> {
    const watched = this.#watched(page);
    const { sight, traffic } = watched;
    return (watched.settled ??= await settle(page, sight, traffic, budgetMs, signal));
  }

  /** What covers an element at the point where a click would land. */
  async cover(page: Page, ref: string, signal: AbortSignal = NEVER): Promise<Cover> {
    const watched = this.#watched(page);
    const target = parseTarget(ref);
    if (target.kind !== 'ref') throw new OrielError('bad_input', `${ref} is not a ref.`);
    const frame = watched.frames.frame(target.prefix);
    if (!frame)
      throw new OrielError('stale_ref', `The frame of ${target.text} is gone.`, {
        hint: 'Take a new browser_snapshot.',
      });
    const state = watched.frames.state(frame);
    const result = await this.#channel.run<CoverResult>(
      frame,
      { kind: 'cover', ref: target.number, base: state.top },
      FRAME_TIMEOUT_MS,
      signal,
    );
    state.top = Math.max(state.top, result.top);
    return {
      covered: result.covered,
      ...(result.by ? { by: withPrefix(result.by, target.prefix) } : {}),
      ways: result.ways.map((way) => withPrefix(way, target.prefix)),
      moving: result.moving,
    };
  }
}

const NEVER = new AbortController().signal;

function begin(watched: Watched): void {
  watched.settled = undefined;
  watched.traffic.mark();
}

function emptyReason(top: ScanResult, options: SnapshotOptions): string {
  if (options.query !== undefined) return 'nothing on this page matches the query';
  if (top.readyState !== 'complete') return 'nothing is there yet, the page is still loading';
  if (top.stats.hidden > 0) return 'everything on this page is hidden';
  if (top.url === 'about:blank') return 'the page is blank';
  return 'the page is empty';
}

function scanError(error: unknown, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  const message = error instanceof Error ? error.message : String(error);
  if (/has been closed|Target closed|crashed/i.test(message)) {
    return new OrielError('gone', 'The page was closed or has crashed.', {
      hint: 'Open a new page.',
      cause: error,
    });
  }
  if (/Timeout \d+ms exceeded/.test(message)) {
    return new OrielError('timeout', 'The page did not answer in time; its script may be busy.', {
      hint: 'Try again, or close the page.',
      cause: error,
    });
  }
  return error;
}

function cutLines(text: string, max: number): string {
  const end = text.lastIndexOf('\n', max - 20);
  return `${text.slice(0, Math.max(0, end))}\n- … more (full)`.slice(0, max);
}
