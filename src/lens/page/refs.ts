import type { Candidate, Refusal } from '../wire.ts';
import { present, wasBornAfter } from './births.ts';
import { deepQuery, isConnected } from './flat-tree.ts';
import { Look } from './look.ts';
import { guessName } from './guess.ts';
import { contentOf, nameOf } from './name.ts';
import { Near } from './near.ts';
import { isField, shownRole } from './state.ts';
import { cut, identityText } from './text.ts';

/** What an element means to a reader: its role, its name and what it stands next to. */
export interface Print {
  readonly role: string;
  readonly name: string;
  readonly near: string;
}

interface Entry {
  readonly number: number;
  readonly weak: WeakRef<Element>;
  readonly print: Print;
  readonly tag: string;
  readonly key: string;
  seenAt: number;
  /** Another element with the same print was seen: a replacement cannot be told from it. */
  twins: boolean;
}

/** Entries of elements that are gone are dropped beyond this many. */
const MAX_ENTRIES = 20_000;

/** What one pass over the document needs to name and place elements. */
export class Pass {
  readonly look = new Look();
  readonly near = new Near();
  readonly prints = new Map<string, number>();
}

export class LensRefusal extends Error {
  constructor(refusal: Refusal) {
    super(`LENS:${JSON.stringify(refusal)}`);
    this.name = 'LensRefusal';
  }
}

/** All refs of one document: which element each stands for, and what it meant when it was seen. */
export class Refs {
  top = 0;
  readonly #entries = new Map<number, Entry>();
  readonly #current = new WeakMap<Element, Entry>();

  raise(base: number): void {
    if (base > this.top) this.top = base;
  }

  /** The number of an element; a new one when its meaning has changed since it got its last. */
  number(element: Element, role: string, name: string, pass: Pass): number {
    const print: Print = { role, name: identityText(name), near: pass.near.of(element, name) };
    const known = this.#current.get(element);
    const text = `${role}\u0000${print.name}\u0000${print.near}`;
    const first = pass.prints.get(text);
    if (known && samePrint(known.print, print)) {
      known.seenAt = present();
      this.#noteTwin(known, first, text, pass);
      return known.number;
    }
    const entry: Entry = {
      number: ++this.top,
      weak: new WeakRef(element),
      print,
      tag: element.localName,
      key: keyOf(element),
      seenAt: present(),
      twins: false,
    };
    this.#entries.set(entry.number, entry);
    this.#current.set(element, entry);
    this.#noteTwin(entry, first, text, pass);
    if (this.#entries.size > MAX_ENTRIES) this.#prune();
    return entry.number;
  }

  /** A number for an element met outside a scan. */
  pick(element: Element, pass: Pass): number {
    const { role, name } = describe(element, pass);
    return this.number(element, role, name, pass);
  }

  #noteTwin(entry: Entry, first: number | undefined, text: string, pass: Pass): void {
    if (first === undefined) {
      pass.prints.set(text, entry.number);
      return;
    }
    if (first === entry.number) return;
    entry.twins = true;
    const other = this.#entries.get(first);
    if (other) other.twins = true;
  }

  /** The element of a scan's target: as `check`, but a changed meaning does no harm when looking. */
  lookup(number: number): Element | undefined {
    const element = this.#entries.get(number)?.weak.deref();
    return element && isConnected(element) ? element : undefined;
  }

  /**
   * The element a ref stands for, if it still means what it meant. An element that was replaced
   * by exactly one like it is taken, and said to be `healed`.
   * @throws LensRefusal `stale_ref`, `changed_ref` or `ambiguous_ref`
   */
  check(number: number): { element: Element; healed: boolean } {
    const entry = this.#entries.get(number);
    if (!entry) {
      throw new LensRefusal({ code: 'stale_ref', ref: number, candidates: [], top: this.top });
    }
    const pass = new Pass();
    const element = entry.weak.deref();
    if (element && isConnected(element)) {
      const refusal = this.compare(number, element, pass);
      if (refusal) throw new LensRefusal(refusal);
      return { element, healed: false };
    }
    return { element: this.#heal(entry, pass), healed: true };
  }

  /** Why an element may not stand for a ref any more; undefined when it may. */
  compare(number: number, element: Element, pass: Pass): Refusal | undefined {
    const entry = this.#entries.get(number);
    if (!entry) return { code: 'stale_ref', ref: number, candidates: [], top: this.top };
    const { role, name } = describe(element, pass);
    const print: Print = { role, name: identityText(name), near: pass.near.of(element, name) };
    if (samePrint(entry.print, print)) return undefined;
    if (
      entry.print.role === role &&
      entry.print.name === print.name &&
      print.name !== '' &&
      isField(role) &&
      !entry.twins &&
      this.#alike(entry, pass).length === 1
    ) {
      return undefined;
    }
    const now = this.candidate(element, pass);
    const elsewhere = this.#alike(entry, pass)
      .filter(
        (other) => other !== element && pass.near.of(other, entry.print.name) === entry.print.near,
      )
      .slice(0, 5)
      .map((other) => this.candidate(other, pass));
    return {
      code: 'changed_ref',
      ref: number,
      was: wasOf(entry),
      now,
      candidates: elsewhere,
      top: this.top,
    };
  }

  #heal(entry: Entry, pass: Pass): Element {
    const alike = this.#alike(entry, pass);
    const fits = (element: Element) =>
      pass.near.of(element, entry.print.name) === entry.print.near &&
      (entry.print.name !== '' || keyOf(element) === entry.key);
    const same = alike.filter(fits);
    const [only] = same;
    if (
      same.length === 1 &&
      only &&
      !entry.twins &&
      wasBornAfter(only, entry.seenAt) &&
      !this.#current.has(only)
    ) {
      const heir: Entry = { ...entry, weak: new WeakRef(only), seenAt: present() };
      this.#entries.set(entry.number, heir);
      this.#current.set(only, heir);
      return only;
    }
    const knownHeir = only && same.length === 1 ? this.#current.get(only) : undefined;
    if (only && knownHeir && !entry.twins && wasBornAfter(only, entry.seenAt)) {
      // A later scan has numbered the replacement already; the old number leads to it as well.
      this.#entries.set(entry.number, { ...entry, weak: new WeakRef(only), seenAt: present() });
      return only;
    }
    const candidates = (same.length > 0 ? same : alike)
      .slice(0, 8)
      .map((element) => this.candidate(element, pass));
    throw new LensRefusal({
      code: same.length > 1 ? 'ambiguous_ref' : 'stale_ref',
      ref: entry.number,
      was: wasOf(entry),
      candidates,
      top: this.top,
    });
  }

  /** Elements with the same role and name, wherever they stand. */
  #alike(entry: Entry, pass: Pass): Element[] {
    const found: Element[] = [];
    for (const element of deepQuery(document, `${cssName(entry.tag)}, [role]`)) {
      if (shownRoleOf(element) !== entry.print.role || pass.look.isHidden(element)) continue;
      const { name } = describe(element, pass);
      if (identityText(name) === entry.print.name) found.push(element);
      if (found.length > 50) break;
    }
    return found;
  }

  candidate(element: Element, pass: Pass): Candidate {
    const { role, name } = describe(element, pass);
    const number = this.number(element, role, name, pass);
    return {
      ref: number,
      role,
      name: cut(name, 100),
      near: cut(this.#entries.get(number)?.print.near ?? '', 100),
      visible: isShown(element, pass),
    };
  }

  #prune(): void {
    for (const [number, entry] of this.#entries) {
      const element = entry.weak.deref();
      if (!element || !isConnected(element)) this.#entries.delete(number);
      if (this.#entries.size <= MAX_ENTRIES / 2) return;
    }
  }
}

export function isShown(element: Element, pass: Pass): boolean {
  if (pass.look.isHidden(element)) return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

function samePrint(a: Print, b: Print): boolean {
  return a.role === b.role && a.name === b.name && a.near === b.near;
}

function wasOf(entry: Entry): { role: string; name: string; near: string } {
  return {
    role: entry.print.role,
    name: cut(entry.print.name, 100),
    near: cut(entry.print.near, 100),
  };
}

/** What tells apart elements that have no name. */
function keyOf(element: Element): string {
  const get = (name: string) => element.getAttribute(name) ?? '';
  return [get('href'), get('name'), get('type'), get('placeholder'), get('class')].join('\u0000');
}

function shownRoleOf(element: Element): string {
  return shownRole(element) || 'generic';
}

/** Role and name as the lens shows them: elements without a role are `generic`, named by content. */
export function describe(element: Element, pass: Pass): { role: string; name: string } {
  const role = shownRoleOf(element);
  let name =
    role === 'generic'
      ? (element.getAttribute('aria-label')?.trim() ?? '') || contentOf(element, pass.look)
      : nameOf(element, role, pass.look);
  if (!name) name = guessName(element);
  return { role, name };
}

function cssName(tag: string): string {
  return CSS.escape(tag);
}
