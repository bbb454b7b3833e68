import { CONTROL_ROLES, isEditingHost, roleOf } from './role.ts';
import { cut, mend, squeeze } from './text.ts';
import { isInput, isMedia, isMeter, isOption, isProgress, isSelect, isTextArea } from './kind.ts';

const FIELD_ROLES = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'spinbutton',
  'slider',
  'listbox',
]);
const MAX_VALUE = 2_000;

/** States in the order a reader expects them, as they stand in brackets. */
export function statesOf(element: Element, role: string): string[] {
  if (!element.hasAttributes() && role !== 'heading' && !FORM_TAGS.has(element.localName))
    return [];
  const aria = ariaOf(element);
  const states: string[] = [];
  const input = isInput(element) ? element : undefined;
  const isControl = CONTROL_ROLES.has(role);

  if (CHECKABLE.has(role)) {
    if (input && (input.type === 'checkbox' || input.type === 'radio')) {
      if (input.indeterminate) states.push('checked=mixed');
      else if (input.checked) states.push('checked');
    } else {
      pushTristate(states, 'checked', aria['checked']);
    }
  }
  if (isOption(element) ? element.selected : aria['selected'] === 'true' && SELECTABLE.has(role)) {
    states.push('selected');
  }
  if (role === 'button') pushTristate(states, 'pressed', aria['pressed']);
  const expanded =
    element.localName === 'summary'
      ? String((element.parentElement as HTMLDetailsElement | null)?.open ?? false)
      : aria['expanded'];
  if (expanded === 'true') states.push('expanded');
  else if (expanded === 'false') states.push('expanded=false');
  if (isControl || role === 'group') {
    if (isDisabled(element)) states.push('disabled');
    if (isReadOnly(element) || aria['readonly'] === 'true') states.push('readonly');
    const isRequired = (element as HTMLInputElement).required || aria['required'] === 'true';
    if (isRequired) states.push('required');
    const isInvalid =
      aria['invalid'] !== undefined && aria['invalid'] !== 'false' && aria['invalid'] !== '';
    if (isInvalid || (isField(role) && matches(element, ':user-invalid'))) states.push('invalid');
  }
  if (role === 'heading') {
    const level = aria['level'] ?? /^h([1-6])$/.exec(element.localName)?.[1] ?? '2';
    if (/^\d{1,3}$/.test(level)) states.push(`level=${level}`);
  } else if (role === 'treeitem' && /^\d{1,3}$/.test(aria['level'] ?? '')) {
    states.push(`level=${aria['level']}`);
  }
  const current = aria['current'];
  if (current && current !== 'false')
    states.push(current === 'true' ? 'current' : `current=${token(current)}`);
  const popup = aria['haspopup'];
  if (popup && popup !== 'false' && role !== 'combobox') {
    states.push(popup === 'true' ? 'haspopup' : `haspopup=${token(popup)}`);
  }
  const sort = aria['sort'];
  if (sort && sort !== 'none') states.push(`sort=${token(sort)}`);
  if (input?.type === 'password') states.push(input.value ? 'password=filled' : 'password');
  if (input?.type === 'file' && input.files?.length) states.push(`files=${input.files.length}`);
  if (isMedia(element)) states.push(element.paused ? 'paused' : 'playing');
  if (aria['busy'] === 'true') states.push('busy');
  return states;
}

const CHECKABLE = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const SELECTABLE = new Set([
  'option',
  'tab',
  'row',
  'gridcell',
  'columnheader',
  'rowheader',
  'treeitem',
]);
/** Tags whose state is not in their attributes alone. */
const FORM_TAGS = new Set([
  'input',
  'textarea',
  'select',
  'option',
  'button',
  'summary',
  'fieldset',
  'video',
  'audio',
]);

function ariaOf(element: Element): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = {};
  for (const name of element.getAttributeNames()) {
    if (name.startsWith('aria-')) found[name.slice(5)] = element.getAttribute(name) ?? '';
  }
  return found;
}

function token(text: string): string {
  return /^[\w-]{1,20}$/.test(text) ? text : 'true';
}

function pushTristate(states: string[], name: string, value: string | undefined): void {
  if (value === 'true') states.push(name);
  else if (value === 'mixed') states.push(`${name}=mixed`);
}

function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

export function isDisabled(element: Element): boolean {
  return matches(element, ':disabled') || element.closest('[aria-disabled=true]') !== null;
}

function isReadOnly(element: Element): boolean {
  return (isInput(element) || isTextArea(element)) && element.readOnly;
}

export function isField(role: string): boolean {
  return FIELD_ROLES.has(role) || role === 'checkbox' || role === 'radio' || role === 'switch';
}

/** The value as it stands, trailing spaces included; undefined where there is none to show. */
export function valueOf(element: Element, role: string): string | undefined {
  if (isInput(element)) {
    switch (element.type) {
      case 'password':
      case 'checkbox':
      case 'radio':
      case 'button':
      case 'submit':
      case 'reset':
      case 'image':
      case 'hidden':
        return undefined;
      case 'file':
        return element.files?.length
          ? [...element.files].map((file) => file.name).join(', ')
          : undefined;
      default:
        return bounded(element.value);
    }
  }
  if (isTextArea(element)) return bounded(element.value);
  if (isSelect(element)) {
    return bounded([...element.selectedOptions].map((option) => squeeze(option.label)).join(', '));
  }
  if (role === 'progressbar' || role === 'meter') {
    if (isProgress(element)) return element.position < 0 ? undefined : String(element.value);
    if (isMeter(element)) return String(element.value);
  }
  const text = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
  if (text !== null && /^(slider|spinbutton|progressbar|meter|scrollbar)$/.test(role))
    return bounded(text);
  if (isEditingHost(element)) return bounded((element as HTMLElement).innerText.replace(/\n$/, ''));
  if (role === 'textbox' || role === 'searchbox')
    return bounded(squeeze(element.textContent ?? ''));
  return undefined;
}

function bounded(value: string): string {
  return mend(value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value);
}

/** What can be chosen in a closed list, in one line. */
export function optionsOf(select: HTMLSelectElement, max: number): string {
  let line = '';
  let shown = 0;
  for (const option of select.options) {
    const label = cut(squeeze(option.label), 40);
    if (line.length + label.length > max && shown > 0) break;
    line += `${line ? ' | ' : ''}${label}`;
    shown++;
  }
  const left = select.options.length - shown;
  return left > 0 ? `${line} | … ${left} more` : line;
}

/** Role with what the lens adds: a summary acts as a button. */
export function shownRole(element: Element): string {
  const role = roleOf(element);
  return role === 'DisclosureTriangle' ? 'button' : role;
}
