import type { Locator } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { Acted, ActTarget } from '../model/act-target.ts';
import { doingOn } from './doing.ts';
import { putFiles } from './upload.ts';

export interface TypeOptions {
  /** Replace what stands in the field, instead of adding to its end. */
  readonly clear: boolean;
  /** Key by key, for pages that listen to keys. */
  readonly slowly: boolean;
  readonly submit: boolean;
}

export interface FieldState {
  readonly acted: Acted;
  /** What stands in the field; null where it is not to be shown. */
  readonly value: string | null;
}

export async function type(
  target: ActTarget,
  text: string,
  options: TypeOptions,
  signal: AbortSignal,
): Promise<FieldState> {
  const { locator } = target;
  const { result: value, acted } = await doingOn('typing', target, signal, async () => {
    const wait = { timeout: 0, signal };
    if (options.clear && !options.slowly) {
      await locator.fill(text, wait);
    } else {
      if (options.clear) await locator.fill('', wait);
      else await moveToEnd(locator, wait);
      await locator.pressSequentially(text, wait);
    }
    const stands = await readField(locator, signal);
    if (options.submit) await locator.press('Enter', wait);
    return stands;
  });
  return { acted, value };
}

/** What a field can be set to: text, a choice, choices, on or off, paths of files. */
export type FieldValue = string | number | boolean | readonly string[];

/** Makes files that may be handed to the page of the paths a caller gave; refuses all others. */
export type StageFiles = (paths: readonly string[]) => Promise<readonly string[]>;

/**
 * Sets a field of any kind: text, number, date, range, colour, select, checkbox, radio,
 * contenteditable, file.
 *
 * @throws `bad_input` when the field does not take such a value.
 */
export async function setField(
  target: ActTarget,
  value: FieldValue,
  stage: StageFiles,
  signal: AbortSignal,
): Promise<FieldState> {
  const { locator } = target;
  const { result, acted } = await doingOn('fill', target, signal, async () => {
    const kind = await locator.evaluate(kindOfField, undefined, { timeout: 0, signal });
    const wait = { timeout: 0, signal };
    if (kind === 'checkbox' || kind === 'radio') {
      await locator.setChecked(toBoolean(value, kind), wait);
    } else if (kind === 'select') {
      await selectOptions(locator, Array.isArray(value) ? value : [String(value)], signal);
    } else if (kind === 'file') {
      const given = Array.isArray(value) ? (value as readonly string[]) : [String(value)];
      await putFiles(locator, await stage(given), signal);
    } else {
      await locator.fill(Array.isArray(value) ? value.join(', ') : String(value), wait);
    }
    const stands = await readField(locator, signal);
    if (stands !== null) requireTaken(kind, String(value), stands);
    return stands;
  });
  return { acted, value: result };
}

/** `End` would only reach the end of the line that the caret is in, which starts as the first. */
async function moveToEnd(
  locator: Locator,
  wait: { timeout: number; signal: AbortSignal },
): Promise<void> {
  await locator.press('ControlOrMeta+a', wait);
  await locator.press('ArrowRight', wait);
}

/** Browsers turn a value that such a field does not take into nothing, or into black. */
function requireTaken(kind: string, wanted: string, stands: string): void {
  const form = FORMS[kind];
  if (form === undefined) return;
  const isTaken =
    kind === 'color' ? wanted.toLowerCase() === stands : wanted === '' || stands !== '';
  if (isTaken) return;
  throw new OrielError('bad_input', `A ${kind} field does not take ${JSON.stringify(wanted)}.`, {
    hint: `Give it as ${form}.`,
  });
}

/** What fields of a fixed form take. */
const FORMS: Readonly<Record<string, string>> = {
  date: '2026-12-31',
  time: '13:45',
  'datetime-local': '2026-12-31T13:45',
  month: '2026-12',
  week: '2026-W53',
  color: '#1a2b3c',
};

/** Chooses options by value or label. @returns The values that are now chosen. */
export async function select(
  target: ActTarget,
  values: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly acted: Acted; readonly values: string[] }> {
  const { result, acted } = await doingOn('select', target, signal, () =>
    selectOptions(target.locator, values, signal),
  );
  return { acted, values: result };
}

/** Presses a key or chord, such as `Enter` or `Control+a`, on an element. */
export async function pressOn(target: ActTarget, key: string, signal: AbortSignal): Promise<Acted> {
  const { acted } = await doingOn('key press', target, signal, () =>
    target.locator.press(key, { timeout: 0, signal }),
  );
  return acted;
}

async function selectOptions(
  locator: Locator,
  values: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing = await locator.evaluate(findMissing, values as string[], {
    timeout: 0,
    signal,
  });
  if (missing === null) {
    throw new OrielError('bad_input', 'The target is not a <select>.', {
      hint: 'Click it to open its list, then click the option.',
    });
  }
  if (missing.wanted.length > 0) {
    throw new OrielError(
      'not_found',
      `The list has no option ${JSON.stringify(missing.wanted[0])}.`,
      {
        hint: 'Choose one of its options, by value or label.',
        pageText: `options: ${missing.there.join(', ')}`,
      },
    );
  }
  return locator.selectOption([...values], { timeout: 0, signal });
}

function toBoolean(value: FieldValue, kind: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'on' || value === 'checked') return true;
  if (value === 'false' || value === 'off' || value === 'unchecked') return false;
  throw new OrielError(
    'bad_input',
    `A ${kind} takes true or false, not ${JSON.stringify(value)}.`,
    {
      hint: 'Give true to check it and false to uncheck it.',
    },
  );
}

/** The field's value, or null for a password. */
async function readField(locator: Locator, signal: AbortSignal): Promise<string | null> {
  return locator.evaluate(valueOfField, undefined, { timeout: 0, signal });
}

interface FieldElement {
  readonly localName: string;
  readonly type?: string;
  readonly value?: string;
  readonly checked?: boolean;
  readonly innerText: string;
  readonly isContentEditable: boolean;
  readonly options?: Iterable<{ value: string; label: string }>;
  readonly selectedOptions?: Iterable<{ label: string }>;
  readonly files?: Iterable<{ name: string }> | null;
}

/** Runs in the page. */
function kindOfField(node: unknown): string {
  const element = node as FieldElement;
  if (element.localName === 'select') return 'select';
  return element.localName === 'input' ? (element.type ?? 'text') : element.localName;
}

/** Runs in the page. */
function valueOfField(node: unknown): string | null {
  const element = node as FieldElement;
  if (element.type === 'password') return null;
  if (element.type === 'checkbox' || element.type === 'radio') {
    return element.checked ? 'checked' : 'unchecked';
  }
  if (element.selectedOptions) {
    return Array.from(element.selectedOptions, (option) => option.label).join(', ');
  }
  if (element.files) return Array.from(element.files, (file) => file.name).join(', ');
  return element.value ?? element.innerText;
}

/** Runs in the page: wanted options that are not there; null when it is no select. */
function findMissing(
  node: unknown,
  wanted: string[],
): { wanted: string[]; there: string[] } | null {
  const { options } = node as FieldElement;
  if (!options) return null;
  const all = Array.from(options);
  return {
    wanted: wanted.filter(
      (value) =>
        !all.some((option) => option.value === value || option.label.trim() === value.trim()),
    ),
    there: all.slice(0, 30).map((option) => option.label.trim()),
  };
}
