import type { Locator, Page } from 'playwright-core';
import { sleep, within } from '../kernel/deadline.ts';
import { firstLine, isOrielError, OrielError } from '../kernel/errors.ts';
import type { Condition, ConditionOf, ConditionResult, ElementState } from '../model/condition.ts';
import type { Journal } from './journal.ts';
import { redactUrl } from './secrets.ts';

const POLL_MS = 100;
/** How long an element that was just there may take to answer; it may be gone again. */
const ASK_MS = 1_000;

/** The page that conditions are checked on. */
export interface Checked {
  readonly page: Page;
  readonly journal: Journal;
  /** The Playwright selector that a target means. */
  readonly selector: (target: string) => string;
}

/**
 * Checks all conditions, again and again until all hold or `waitMs` is over.
 *
 * @throws `bad_input` for a condition that says nothing, or a pattern that is none.
 */
export async function checkConditions(
  checked: Checked,
  conditions: readonly Condition[],
  waitMs: number,
  signal: AbortSignal,
): Promise<ConditionResult[]> {
  for (const condition of conditions) validate(condition);
  const endsAt = performance.now() + waitMs;
  for (;;) {
    const results: ConditionResult[] = [];
    for (const condition of conditions) {
      const { holds, found } = await check(checked, condition, signal);
      results.push({ kind: condition.kind, holds, expected: inWords(condition), found });
    }
    const left = endsAt - performance.now();
    if (left <= 0 || results.every((result) => result.holds)) return results;
    await sleep(Math.min(POLL_MS, left), signal);
  }
}

type Finding = Pick<ConditionResult, 'holds' | 'found'>;

async function check(
  { page, journal, selector }: Checked,
  condition: Condition,
  signal: AbortSignal,
): Promise<Finding> {
  switch (condition.kind) {
    case 'url':
      return checkUrl(page.url(), condition);
    case 'element':
      return checkElement(page.locator(selector(condition.target)), condition, signal);
    case 'text':
      return checkText(page, condition, signal);
    case 'console': {
      const { level, contains, absent } = condition;
      const levels = level === undefined ? undefined : [level];
      const { total, returned } = journal.console.query({ levels, contains, limit: 1 });
      const newest = returned[0]
        ? `; newest: ${returned[0].type} ${firstLine(returned[0].text, 200)}`
        : '';
      return {
        holds: absent ? total === 0 : total > 0,
        found: `${count(total, 'entry', 'entries')}${newest}`,
      };
    }
    case 'network': {
      const { containsUrl, method, status, absent } = condition;
      const by = (wanted: string | undefined) =>
        journal.network.query({ containsUrl, method, status: wanted, limit: 1 });
      const exact = by(status === undefined ? undefined : String(status));
      const holds = absent ? exact.total === 0 : exact.total > 0;
      const newest = (exact.total > 0 ? exact : by(undefined)).returned[0];
      const what = newest
        ? `; newest: ${newest.method} ${newest.url.slice(0, 200)} (${newest.failure ?? newest.status ?? 'pending'})`
        : '';
      return { holds, found: `${count(exact.total, 'request', 'requests')}${what}` };
    }
  }
}

function checkUrl(url: string, condition: ConditionOf<'url'>): Finding {
  const { equals, contains, matches } = condition;
  const holds =
    (equals === undefined || url === equals) &&
    (contains === undefined || url.includes(contains)) &&
    (matches === undefined || toPattern(matches).test(url));
  return { holds, found: redactUrl(url.slice(0, 2_000)) };
}

async function checkText(
  page: Page,
  { contains, absent }: ConditionOf<'text'>,
  signal: AbortSignal,
): Promise<Finding> {
  // As a pattern, so that letter case counts; white space reads as a person sees it.
  const words = contains.trim().split(/\s+/);
  const wanted = new RegExp(
    words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'),
  );
  let total = 0;
  for (const frame of page.frames()) {
    total += await within(signal, frame.getByText(wanted).filter({ visible: true }).count()).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        // A frame that went away meanwhile shows nothing.
        if (frame.isDetached()) return 0;
        throw cause;
      },
    );
  }
  return {
    holds: absent ? total === 0 : total > 0,
    found: total === 0 ? 'not on the page' : `on the page, in ${count(total, 'place', 'places')}`,
  };
}

async function checkElement(
  all: Locator,
  condition: ConditionOf<'element'>,
  signal: AbortSignal,
): Promise<Finding> {
  const visible = all.filter({ visible: true });
  const [total, shown] = await within(signal, Promise.all([all.count(), visible.count()])).catch(
    (thrown: unknown) => {
      signal.throwIfAborted();
      // A ref whose element is gone, or means something else by now, matches nothing.
      if (String(thrown).includes('LENS:{')) return [0, 0] as const;
      throw badSelector(thrown) ?? thrown;
    },
  );
  const found = [`${count(total, 'match', 'matches')}, ${shown} visible`];
  const { state, attribute, value } = condition;
  let holds =
    condition.count === undefined || condition.count === (state === 'visible' ? shown : total);
  if (state === 'visible' && condition.count === undefined) holds &&= shown > 0;
  if (state === 'hidden') holds &&= shown === 0;
  const needsElement =
    (state !== undefined && state !== 'visible' && state !== 'hidden') ||
    attribute !== undefined ||
    value !== undefined;
  const needsAny = needsElement || (state === undefined && condition.count === undefined);
  if (needsAny && total === 0) return { holds: false, found: found.join('; ') };
  if (needsElement) {
    const one = (shown > 0 ? visible : all).first();
    try {
      const ask = { timeout: ASK_MS, signal };
      if (state !== undefined) holds &&= await isInState(one, state, ask, found);
      if (attribute !== undefined || value !== undefined) {
        holds &&= await hasValue(one, attribute, value, ask, found);
      }
    } catch (thrown) {
      signal.throwIfAborted();
      if (isOrielError(thrown)) throw thrown;
      return { holds: false, found: [...found, firstLine(String(thrown), 200)].join('; ') };
    }
  }
  return { holds, found: found.join('; ') };
}

interface Ask {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

async function isInState(
  element: Locator,
  state: ElementState,
  ask: Ask,
  found: string[],
): Promise<boolean> {
  const note = (is: boolean, yes: ElementState, no: ElementState) => {
    found.push(is ? yes : no);
    return state === (is ? yes : no);
  };
  switch (state) {
    case 'visible':
    case 'hidden':
      return true;
    case 'enabled':
    case 'disabled':
      return note(await element.isEnabled(ask), 'enabled', 'disabled');
    case 'checked':
    case 'unchecked':
      return note(await element.isChecked(ask), 'checked', 'unchecked');
    case 'editable':
    case 'readonly':
      return note(await element.isEditable(ask), 'editable', 'readonly');
    case 'focused': {
      const is = await element.evaluate(hasFocus, undefined, { timeout: ask.timeout });
      found.push(is ? 'focused' : 'not focused');
      return is;
    }
  }
}

async function hasValue(
  element: Locator,
  attribute: string | undefined,
  value: string | undefined,
  ask: Ask,
  found: string[],
): Promise<boolean> {
  const isPassword =
    (attribute === undefined || attribute.toLowerCase() === 'value') &&
    (await element.getAttribute('type', ask))?.toLowerCase() === 'password';
  const actual =
    attribute === undefined
      ? await element.inputValue(ask)
      : await element.getAttribute(attribute, ask);
  const shown = isPassword ? '(not shown)' : JSON.stringify(actual?.slice(0, 500) ?? null);
  found.push(`${attribute ?? 'value'} = ${shown}`);
  return value === undefined ? actual !== null : actual === value;
}

/** Runs in the page. */
function hasFocus(node: unknown): boolean {
  const element = node as { getRootNode(): { activeElement?: unknown } };
  return element.getRootNode().activeElement === element;
}

function validate(condition: Condition): void {
  if (condition.kind === 'url') {
    const { equals, contains, matches } = condition;
    if (equals === undefined && contains === undefined && matches === undefined) {
      throw new OrielError('bad_input', 'A url condition needs equals, contains or matches.', {
        hint: 'For example {"kind": "url", "contains": "/done"}.',
      });
    }
    if (matches !== undefined) toPattern(matches);
  }
}

function toPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (cause) {
    throw new OrielError('bad_input', '`matches` is no valid regular expression.', {
      hint: firstLine(String(cause)),
      cause,
    });
  }
}

function badSelector(thrown: unknown): OrielError | null {
  const text = thrown instanceof Error ? thrown.message : '';
  if (!/Unexpected token|Unknown engine|not a valid selector|Malformed|while parsing/i.test(text)) {
    return null;
  }
  return new OrielError('bad_input', `A target is not a valid selector: ${firstLine(text, 160)}`, {
    hint: 'Use a ref such as e12, or a selector: css=, text=, role=button[name="Save"], xpath=.',
    cause: thrown,
  });
}

function inWords(condition: Condition): string {
  const { kind, ...rest } = condition;
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => (value === true ? key : `${key} ${JSON.stringify(value)}`));
  return [kind, ...parts].join(' ');
}

function count(total: number, one: string, many: string): string {
  return `${total} ${total === 1 ? one : many}`;
}
