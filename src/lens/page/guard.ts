import type { Candidate, Refusal, Verdict } from '../wire.ts';
import { flushMutations, onMutations } from './births.ts';
import { flatContains, flatParent, isConnected } from './flat-tree.ts';
import { describe, LensRefusal, Pass } from './refs.ts';
import type { Refs } from './refs.ts';
import { valueOf } from './state.ts';
import { isElement, isInput, isSelect } from './kind.ts';

/**
 * The second look, at delivery. Playwright resolves a locator, then waits until the element can
 * be acted on; what it meant at first may not be what it means when the event arrives. The guard
 * stands on `window` in the isolated world, before Playwright's own interceptor, and stops the
 * events of a gesture whose target has changed its meaning.
 */
const POINTER = [
  'pointerdown',
  'mousedown',
  'pointerup',
  'mouseup',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'touchstart',
  'touchend',
  'dragstart',
] as const;
const KEYS = ['keydown', 'beforeinput', 'keypress', 'paste'] as const;
const STARTS: ReadonlySet<string> = new Set([
  'pointerdown',
  'mousedown',
  'touchstart',
  'keydown',
  'beforeinput',
  'paste',
]);
/** A person who takes over must not be held up by a call that died. */
const EXPIRES_MS = 120_000;

interface Armed {
  readonly token: number;
  readonly ref: number;
  element: Element;
  healed: boolean;
  readonly until: number;
  readonly events: string[];
  refusal: Refusal | undefined;
  hit: Candidate | undefined;
  /** Prints that the gesture's own handlers gave the element: they are the page's answer to it. */
  readonly excused: Set<string>;
  delivered: boolean;
  dispatching: Event | undefined;
  release: () => void;
}

export class Guard {
  readonly #refs: Refs;
  readonly #armed = new Map<number, Armed>();

  constructor(refs: Refs) {
    this.#refs = refs;
    for (const type of [...POINTER, ...KEYS]) {
      addEventListener(type, (event) => this.#inspect(event), { capture: true, passive: false });
    }
    onMutations(() => this.#excuse());
  }

  /**
   * Resolves a ref for an action. Asked again for the same token when Playwright retries.
   * @throws LensRefusal
   */
  arm(ref: number, token: number): Element {
    const known = this.#armed.get(token);
    if (known?.refusal) throw new LensRefusal(known.refusal);
    const { element, healed } = this.#refs.check(ref);
    if (known) {
      known.healed ||= healed;
      if (known.element !== element) {
        known.release();
        known.element = element;
        known.release = this.#guardValue(known);
      }
      return element;
    }
    for (const [other, armed] of this.#armed) {
      if (armed.until < performance.now()) this.#disarm(other);
    }
    const armed: Armed = {
      token,
      ref,
      element,
      healed,
      until: performance.now() + EXPIRES_MS,
      events: [],
      refusal: undefined,
      hit: undefined,
      excused: new Set(),
      delivered: false,
      dispatching: undefined,
      release: () => {},
    };
    armed.release = this.#guardValue(armed);
    this.#armed.set(token, armed);
    return element;
  }

  /** What became of the action; the guard of this token stands down. */
  verdict(token: number): Verdict {
    const armed = this.#armed.get(token);
    if (!armed) {
      return { state: 'unknown', events: [], healed: false, connected: false, top: this.#refs.top };
    }
    this.#disarm(token);
    const pass = new Pass();
    const connected = isConnected(armed.element);
    const { role } = describe(armed.element, pass);
    return {
      state: armed.refusal
        ? 'refused'
        : armed.delivered
          ? 'delivered'
          : armed.hit
            ? 'missed'
            : 'idle',
      events: armed.events,
      hit: armed.delivered ? undefined : armed.hit,
      refusal: armed.refusal,
      healed: armed.healed,
      value: connected ? valueOf(armed.element, role) : undefined,
      target: connected ? this.#refs.candidate(armed.element, pass) : undefined,
      connected,
      top: this.#refs.top,
    };
  }

  #disarm(token: number): void {
    this.#armed.get(token)?.release();
    this.#armed.delete(token);
  }

  #inspect(event: Event): void {
    if (this.#armed.size === 0 || !event.isTrusted) return;
    const path = event.composedPath();
    for (const armed of this.#armed.values()) {
      if (armed.until < performance.now()) continue;
      const reaches = this.#reaches(path, armed.element);
      if (!reaches) {
        const [first] = path;
        if (STARTS.has(event.type) && isElement(first) && !armed.delivered) {
          armed.hit = this.#refs.candidate(nameable(first), new Pass());
        }
        continue;
      }
      // Once refused, the rest of the gesture is stopped as well.
      armed.refusal ??= this.#changed(armed);
      if (armed.refusal) {
        event.preventDefault();
        event.stopImmediatePropagation();
        continue;
      }
      armed.delivered = true;
      armed.dispatching = event;
      if (armed.events.length < 20 && armed.events.at(-1) !== event.type)
        armed.events.push(event.type);
    }
  }

  #changed(armed: Armed): Refusal | undefined {
    flushMutations();
    const pass = new Pass();
    const refusal = this.#refs.compare(armed.ref, armed.element, pass);
    if (refusal && armed.excused.has(this.#text(armed.element, pass))) return undefined;
    return refusal;
  }

  /** A change made while our event is on its way is the page's answer to it, not a swap. */
  #excuse(): void {
    for (const armed of this.#armed.values()) {
      if (!armed.dispatching || armed.refusal) continue;
      if (armed.dispatching.eventPhase === Event.NONE) {
        armed.dispatching = undefined;
        continue;
      }
      if (armed.excused.size < 20) armed.excused.add(this.#text(armed.element, new Pass()));
    }
  }

  #text(element: Element, pass: Pass): string {
    const { role, name } = describe(element, pass);
    return `${role}\u0000${name}\u0000${pass.near.of(element, name)}`;
  }

  /** Whether an event on this path is one for the element, as a person would see it. */
  #reaches(path: readonly EventTarget[], element: Element): boolean {
    if (path.includes(element)) return true;
    const [first] = path;
    if (!isElement(first)) return false;
    // Closed shadow trees are cut out of the path; the flat tree still leads to their hosts.
    if (flatContains(element, first)) return true;
    const label = (element as HTMLInputElement).labels;
    if (label && [...label].some((one) => path.includes(one))) return true;
    const owner = element.closest('button, a[href], [role=button], [role=link], label');
    return owner !== null && path.includes(owner) && (owner as HTMLLabelElement).control !== element
      ? owner.contains(element)
      : false;
  }

  /**
   * Playwright sets the value of date, colour and range inputs and the choice of a select from
   * its own script in this very world, without an event that could be stopped before. An own
   * property on this world's view of the element stands in its way; the page has another view.
   */
  #guardValue(armed: Armed): () => void {
    const element = armed.element;
    if (!(isInput(element) || isSelect(element))) return () => {};
    const prototype = isInput(element) ? HTMLInputElement.prototype : HTMLSelectElement.prototype;
    const native = Object.getOwnPropertyDescriptor(prototype, 'value');
    if (!native?.get || !native.set) return () => {};
    const { get, set } = native;
    Object.defineProperty(element, 'value', {
      configurable: true,
      get: () => get.call(element) as string,
      set: (value: string) => {
        armed.refusal ??= this.#changed(armed);
        if (armed.refusal) throw new LensRefusal(armed.refusal);
        armed.delivered = true;
        set.call(element, value);
      },
    });
    return () => {
      delete (element as { value?: string }).value;
    };
  }
}

/** The nearest element that says what it is, for "the click went to …". */
function nameable(element: Element): Element {
  for (let at: Element | null = element; at; at = flatParent(at)) {
    if (
      at.matches(
        'dialog, [role], button, a[href], input, select, textarea, iframe, canvas, video, nav, header, footer, aside, [aria-label], [id]',
      )
    )
      return at;
  }
  return element;
}
