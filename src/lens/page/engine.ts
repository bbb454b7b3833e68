import type { Command, PulseResult, ScanResult } from '../wire.ts';
import { observe, present, pulse, structureCount, wasBornAfter } from './births.ts';
import { cover } from './covering.ts';
import { adoptRoot, forgetHosts, shadowHosts } from './flat-tree.ts';
import { Guard } from './guard.ts';
import { nearest } from './nearest.ts';
import { Pass, Refs } from './refs.ts';
import { nameOf } from './name.ts';
import { Handles } from './runs.ts';
import { Scan } from './scan.ts';
import type { Finds } from './clickable.ts';
import { describe, isShown } from './refs.ts';
import { isElement } from './kind.ts';

/** The state of one document, in a world the page cannot see. */
class Lens {
  readonly doc = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  readonly document = document;
  readonly refs = new Refs();
  readonly handles = new Handles();
  readonly guard = new Guard(this.refs);
  readonly finds: Finds = { clickable: new WeakSet(), closed: new WeakSet(), plain: new WeakSet() };
  suspects: readonly Element[] = [];
  /** Mutations that had happened when the action began. */
  baseline = 0;
  #seenAt = -1;
  #seenBefore = -1;

  constructor() {
    observe(document);
  }

  run(command: Command): unknown {
    switch (command.kind) {
      case 'scan':
        return this.#scan(command);
      case 'verdict':
        this.refs.raise(command.base);
        return this.guard.verdict(command.token);
      case 'mark':
        this.mark();
        return true;
      case 'pulse':
        return this.pulse();
      case 'nearest':
        this.refs.raise(command.base);
        return nearest(command, this.refs);
      case 'cover': {
        this.refs.raise(command.base);
        const element = this.refs.lookup(command.ref);
        return element
          ? cover(element, this.refs)
          : { covered: false, ways: [], moving: false, top: this.refs.top };
      }
    }
  }

  #scan(command: Extract<Command, { kind: 'scan' }>): ScanResult {
    const seenAt = command.again ? this.#seenBefore : this.#isFresh() ? -1 : this.#seenAt;
    const scan = new Scan(command, this.refs, this.handles, this.finds, seenAt);
    const result = scan.run(this.doc);
    this.suspects = scan.suspects;
    this.#seenBefore = seenAt;
    this.#seenAt = present();
    return result;
  }

  #structure = -1;

  /** Forgets what a changed tree makes wrong. */
  refresh(): void {
    const now = structureCount();
    if (now !== this.#structure) forgetHosts();
    this.#structure = now;
  }

  /** Rewritten from the root: all of it is new, so nothing is worth a mark. */
  #isFresh(): boolean {
    return this.#seenAt >= 0 && document.body !== null && wasBornAfter(document.body, this.#seenAt);
  }

  #lastToken = 0;

  arm(ref: number, token: number): Element {
    if (token !== this.#lastToken) this.mark();
    this.#lastToken = token;
    return this.guard.arm(ref, token);
  }

  mark(): void {
    this.baseline = pulse().mutations;
  }

  pulse(): PulseResult {
    const { mutations, sinceMs } = pulse();
    return {
      doc: this.doc,
      changes: mutations - this.baseline,
      sinceMs,
      readyState: document.readyState,
    };
  }

  /**
   * Waits until the page has settled: at once when nothing stirs within two frames, else when
   * nothing that counts has changed for `quietMs`.
   */
  async quiet(quietMs: number, budgetMs: number, isBusy: boolean): Promise<string> {
    const started = performance.now();
    await frame();
    await task();
    if (!isBusy && pulse().mutations === this.baseline) return 'idle';
    for (;;) {
      const { sinceMs } = pulse();
      const left = budgetMs - (performance.now() - started);
      if (left <= 0) return 'budget';
      if (sinceMs >= quietMs) return 'quiet';
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, quietMs - sinceMs + 1)));
    }
  }

  /** Open shadow trees, which the host's look for listeners does not enter by itself. */
  shadowRoots(): ShadowRoot[] {
    this.refresh();
    return shadowHosts()
      .flatMap((host) => host.shadowRoot ?? [])
      .slice(0, MAX_SHADOW_ROOTS);
  }

  /** For the host's tools that hand in elements. */
  markClickable(element: Element): void {
    this.finds.clickable.add(element);
  }

  markClosed(element: Element): void {
    this.finds.closed.add(element);
  }

  markPlain(element: Element): void {
    this.finds.plain.add(element);
  }

  adopt(root: ShadowRoot): void {
    adoptRoot(root);
    observe(root);
  }

  /** One match of a selector, as an error would list it. */
  pick(element: Element, base: number): object {
    this.refs.raise(base);
    const pass = new Pass();
    const role = describe(element, pass).role;
    return {
      ...this.refs.candidate(element, pass),
      visible: isShown(element, pass),
      tag: element.localName,
      // Without guesses: what assistive technology would be told.
      spoken:
        role === 'generic'
          ? (element.getAttribute('aria-label') ?? '').trim()
          : nameOf(element, role, pass.look),
      top: this.refs.top,
    };
  }
}

function frame(): Promise<void> {
  // A hidden page draws no frames; a timer stands in.
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 50);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, 34);
    });
  });
}

function task(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

const holder = globalThis as { orielLens?: Lens };

/**
 * The lens of this document, made at first need. Playwright evaluates the engine in the page's
 * own world as well; there nobody asks it anything, so nothing of it shows there.
 */
function current(): Lens {
  let lens = holder.orielLens;
  // The window may have been given another document: then nothing of the former holds.
  if (lens?.document !== document) {
    lens = new Lens();
    Object.defineProperty(holder, 'orielLens', { value: lens, configurable: true, writable: true });
  }
  lens.refresh();
  return lens;
}

function answer(value: unknown): Element {
  const data = document.createElement('data');
  data.textContent = JSON.stringify(value);
  return data;
}

/** Matches of one selector; the engine is called for each, and all calls give the same element. */
let batch: { token: string; data: Element; matches: object[]; count: number } | undefined;

function pickInto(lens: Lens, element: Element, base: number, token: string): Element {
  if (batch?.token !== token) {
    batch = { token, data: document.createElement('data'), matches: [], count: 0 };
  }
  batch.count++;
  if (batch.matches.length < MAX_PICKED) batch.matches.push(lens.pick(element, base));
  batch.data.textContent = JSON.stringify({ count: batch.count, matches: batch.matches });
  return batch.data;
}

const MAX_PICKED = 100;
const MAX_SHADOW_ROOTS = 100;

/** Playwright's selector engine; what it evaluates to is registered under a name. */
const engine = {
  queryAll(root: Document | Element | ShadowRoot, body: string): Element[] {
    const lens = current();
    const ref = /^e(\d+)(?:~(\d+))?$/.exec(body);
    if (ref?.[1]) {
      const number = Number(ref[1]);
      return [ref[2] ? lens.arm(number, Number(ref[2])) : lens.refs.check(number).element];
    }
    const pick = /^pick:(\d+):(\w+)$/.exec(body);
    if (pick?.[2]) return isElement(root) ? [pickInto(lens, root, Number(pick[1]), pick[2])] : [];
    return [answer(lens.run(JSON.parse(decodeURIComponent(body)) as Command))];
  },
  query(root: Document | Element | ShadowRoot, body: string): Element | undefined {
    return engine.queryAll(root, body)[0];
  },
};

export { engine };
