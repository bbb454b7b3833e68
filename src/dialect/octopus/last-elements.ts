import { OrielError } from '../../kernel/errors.ts';
import type { Turn } from '../turn.ts';

/** More than a server keeps sessions, whatever it is told. */
const MAX_KNOWN = 10_000;

/** What the last snapshot of a session listed. */
export interface Listed {
  /** The session's own handle: another session by the same id is not meant. */
  readonly session: string;
  readonly page: string;
  /** Our refs, in the order of `elements`. */
  readonly refs: readonly string[];
}

/** Which element `@eN` is, by session. A ref counts until the next snapshot or navigation. */
export class LastElements {
  readonly #known = new Map<string, Listed>();

  of(turn: Turn, sessionId: string): Listed | undefined {
    return this.#known.get(keyOf(turn, sessionId));
  }

  note(turn: Turn, sessionId: string, listed: Listed): void {
    this.forget(turn, sessionId);
    this.#known.set(keyOf(turn, sessionId), listed);
    for (const [oldest] of this.#known) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
  }

  forget(turn: Turn, sessionId: string): void {
    this.#known.delete(keyOf(turn, sessionId));
  }
}

function keyOf({ caller }: Turn, sessionId: string): string {
  return JSON.stringify([caller.principal, sessionId]);
}

const INDEX_REF = /^@e(\d{1,9})$/;
/** What Playwright takes for an XPath without being told. */
const XPATH = /^(?:\(*\/\/?|\.\.)/;
const ENGINE = /^(?:css|xpath|text|id|role)=/;

/** The place in `elements` that a reference names; null for a selector. */
export function indexOf(elementRef: string): number | null {
  const match = INDEX_REF.exec(elementRef.trim());
  if (match) return Number(match[1]);
  if (!elementRef.trim().startsWith('@')) return null;
  throw new OrielError('bad_input', `${JSON.stringify(elementRef)} is not a reference.`, {
    hint: 'Use @e0 of the last browser_snapshot, a CSS selector, or an XPath.',
  });
}

/** The first element that a CSS selector or an XPath matches, as native tools take it. */
export function selectorOf(elementRef: string): string {
  const text = elementRef.trim();
  if (text === '') {
    throw new OrielError('bad_input', '`element_ref` is empty.', {
      hint: 'Use @e0 of the last browser_snapshot, a CSS selector, or an XPath.',
    });
  }
  const selector = ENGINE.test(text) ? text : `${XPATH.test(text) ? 'xpath' : 'css'}=${text}`;
  return `${selector} >> nth=0`;
}
