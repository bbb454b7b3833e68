import type { NearestResult, RankedCandidate } from '../wire.ts';
import { deepQuery } from './flat-tree.ts';
import { isInput } from './kind.ts';
import { isShown, Pass } from './refs.ts';
import type { Refs } from './refs.ts';
import { shownRole } from './state.ts';

const CONTROLS =
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [role], [tabindex], [onclick], [contenteditable], [aria-label], [data-testid], h1, h2, h3, h4, h5, h6';
const SPOKEN = ['aria-label', 'title', 'alt', 'placeholder', 'name', 'id', 'class', 'data-testid'];
const MAX_LOOKED_AT = 4_000;
const MAX_TEXT = 200;
const MAX_GIVEN = 5;
/** Below this a likeness is an accident. */
const MIN_SCORE = 0.45;
const ROLE_BONUS = 0.2;

/** What is most like what a selector asked for, by its words and the role that it names. */
export function nearest(
  wanted: { readonly words: readonly string[]; readonly roles: readonly string[] },
  refs: Refs,
): NearestResult {
  const ranked: { element: Element; score: number }[] = [];
  for (const element of deepQuery(document, CONTROLS).slice(0, MAX_LOOKED_AT)) {
    const likeness = likenessOf(wanted.words, wordsOf(element));
    if (likeness < MIN_SCORE) continue;
    const bonus = wanted.roles.includes(shownRole(element)) ? ROLE_BONUS : 0;
    ranked.push({ element, score: likeness + bonus });
  }
  ranked.sort((a, b) => b.score - a.score);
  const pass = new Pass();
  const candidates: RankedCandidate[] = [];
  for (const { element, score } of ranked) {
    if (candidates.length === MAX_GIVEN) break;
    if (!isShown(element, pass)) continue;
    const candidate = refs.candidate(element, pass);
    // A link and the heading in it: the first says it.
    if (candidates.some((one) => one.name === candidate.name && one.role === candidate.role)) {
      continue;
    }
    candidates.push({ ...candidate, score: Math.round(score * 100) / 100 });
  }
  return { candidates, top: refs.top };
}

function wordsOf(element: Element): string[] {
  const said = SPOKEN.map((name) => element.getAttribute(name) ?? '');
  const isButton = isInput(element) && /^(?:button|submit|reset)$/.test(element.type);
  const value = isButton ? element.value : '';
  const labels = Array.from((element as HTMLInputElement).labels ?? []);
  const texts = [element, ...labels].map((one) => (one.textContent ?? '').slice(0, MAX_TEXT));
  return split([...said, value, ...texts].join(' '));
}

function split(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** 1 when all that was asked for is there, 0 when nothing is. */
function likenessOf(wanted: readonly string[], there: readonly string[]): number {
  if (wanted.length === 0 || there.length === 0) return 0;
  let sum = 0;
  for (const word of wanted) {
    let best = 0;
    for (const other of there) {
      best = Math.max(best, likeness(word, other));
      if (best === 1) break;
    }
    sum += best;
  }
  return sum / wanted.length;
}

function likeness(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 3 || b.length < 3) return 0;
  if (a.startsWith(b) || b.startsWith(a)) return 0.8;
  if (Math.abs(a.length - b.length) > 3) return 0;
  const shared = sharedPairs(a, b);
  return shared < 0.5 ? 0 : shared * 0.8;
}

/** Share of the pairs of letters that two words have in common. */
function sharedPairs(a: string, b: string): number {
  const pairs = new Map<string, number>();
  for (let at = 0; at < a.length - 1; at++) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < b.length - 1; at++) {
    const pair = b.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length - 2);
}
