import { byIds, flatChildren } from './flat-tree.ts';
import type { Look } from './look.ts';
import { isEditingHost, NAMED_BY_CONTENT, NAMELESS_ROLES, roleOf } from './role.ts';
import { squeeze } from './text.ts';
import { isElement, isInput, isSelect, isSvg, isText, isTextArea } from './kind.ts';

/** Deeper than any label a person wrote; below it the plain text of the element stands in. */
const MAX_DEPTH = 200;
/** No name is longer; what is beyond it is not read either. */
const MAX_NAME = 2_000;

interface Pass {
  readonly look: Look;
  readonly visited: Set<Element>;
  /** Inside the target of a reference: hidden content counts. */
  readonly byReference: boolean;
  depth: number;
}

/** The accessible name by accname 1.2, white space squeezed, '' for none. */
export function nameOf(element: Element, role: string, look: Look): string {
  if (NAMELESS_ROLES.has(role)) return '';
  const pass: Pass = { look, visited: new Set(), byReference: false, depth: 0 };
  const authored = authoredName(element, pass);
  if (authored) return squeeze(authored);
  const native = nativeName(element, role, pass);
  if (native !== undefined && squeeze(native)) return squeeze(native);
  if (NAMED_BY_CONTENT.has(role) || element.localName === 'summary') {
    const content = squeeze(contentText(element, pass));
    if (content) return content;
  }
  return squeeze(tooltip(element, role));
}

/** Name of an element without a role: what it says. */
export function contentOf(element: Element, look: Look): string {
  return squeeze(contentText(element, { look, visited: new Set(), byReference: false, depth: 0 }));
}

function authoredName(element: Element, pass: Pass): string {
  if (element.hasAttribute('aria-labelledby')) {
    const parts: string[] = [];
    for (const target of byIds(element, element.getAttribute('aria-labelledby'))) {
      parts.push(
        textOf(
          target,
          {
            look: pass.look,
            visited: new Set(target === element ? [] : [element]),
            byReference: true,
            depth: pass.depth + 1,
          },
          true,
        ),
      );
    }
    const text = squeeze(parts.join(' '));
    if (text) return text;
  }
  return (element.getAttribute('aria-label') ?? '').trim();
}

/** What HTML itself gives: labels, captions, alternatives, the value of a button. */
function nativeName(element: Element, role: string, pass: Pass): string | undefined {
  switch (element.localName) {
    case 'input': {
      const input = element as HTMLInputElement;
      switch (input.type) {
        case 'submit':
        case 'reset':
        case 'button': {
          const label = labelText(input, pass);
          if (label) return label;
          if (input.value) return input.value;
          if (input.title) return input.title;
          return input.type === 'submit' ? 'Submit' : input.type === 'reset' ? 'Reset' : '';
        }
        case 'image':
          return labelText(input, pass) || input.alt || input.title || input.value || 'Submit';
        case 'file':
          return labelText(input, pass) || input.title || 'Choose File';
        default:
          return labelText(input, pass) || input.title || placeholderOf(input);
      }
    }
    case 'textarea':
    case 'select':
    case 'meter':
    case 'progress':
    case 'output':
      return (
        labelText(element as HTMLInputElement, pass) ||
        (element as HTMLElement).title ||
        placeholderOf(element)
      );
    case 'button':
      return labelText(element as HTMLButtonElement, pass) || undefined;
    case 'img':
    case 'area':
      return element.getAttribute('alt') ?? undefined;
    case 'optgroup':
    case 'track':
      return element.getAttribute('label') ?? undefined;
    case 'option':
      return element.getAttribute('label') || undefined;
    case 'fieldset':
      return childText(element, 'legend', pass);
    case 'table':
      return childText(element, 'caption', pass);
    case 'figure':
      return childText(element, 'figcaption', pass);
    case 'iframe':
      return (element as HTMLElement).title;
    case 'svg':
      return childText(element, 'title', pass);
    default:
      if (isEditingHost(element)) return element.getAttribute('aria-placeholder') ?? undefined;
      if (isSvg(element) && role !== '') return childText(element, 'title', pass);
      return undefined;
  }
}

function placeholderOf(element: Element): string {
  return element.getAttribute('placeholder') || element.getAttribute('aria-placeholder') || '';
}

function labelText(element: HTMLInputElement | HTMLButtonElement, pass: Pass): string {
  const labels = element.labels;
  if (!labels || labels.length === 0) return '';
  const parts: string[] = [];
  for (const label of labels) {
    if (pass.visited.has(label)) continue;
    const inner: Pass = {
      look: pass.look,
      visited: new Set([element]),
      byReference: false,
      depth: pass.depth + 1,
    };
    parts.push(textOf(label, inner, true));
  }
  return squeeze(parts.join(' '));
}

function childText(element: Element, tag: string, pass: Pass): string | undefined {
  for (const child of element.children) {
    if (child.localName !== tag) continue;
    return textOf(
      child,
      {
        look: pass.look,
        visited: new Set([element]),
        byReference: tag === 'title',
        depth: pass.depth + 1,
      },
      true,
    );
  }
  return undefined;
}

function tooltip(element: Element, role: string): string {
  if (role === 'generic' || role === '') return '';
  return element.getAttribute('title') ?? '';
}

/** Text alternative of one element met while another is named. */
function textOf(element: Element, pass: Pass, isStart = false): string {
  if (pass.visited.has(element)) return '';
  pass.visited.add(element);
  if (pass.depth > MAX_DEPTH) return element.textContent ?? '';
  const tag = element.localName;
  if (tag === 'script' || tag === 'style' || tag === 'template' || tag === 'noscript') return '';
  const isHidden = element.getAttribute('aria-hidden') === 'true' || pass.look.isHidden(element);
  if (isHidden && !pass.byReference) return '';
  const role = roleOf(element);
  if (!isStart || pass.byReference) {
    // A control inside another's name counts with its value, whatever it is called itself.
    const value = embeddedValue(element, role, pass);
    if (value !== undefined) return value;
  }
  if (!NAMELESS_ROLES.has(role) && !pass.byReference) {
    const authored = authoredName(element, pass);
    if (authored) return authored;
  } else {
    const label = element.getAttribute('aria-label')?.trim();
    if (label) return label;
  }
  if (
    tag !== 'label' &&
    tag !== 'legend' &&
    tag !== 'fieldset' &&
    tag !== 'table' &&
    tag !== 'figure'
  ) {
    const native =
      tag === 'button' || tag === 'option' ? undefined : nativeName(element, role, pass);
    if (native) return native;
  }
  const content = contentText(element, pass);
  if (squeeze(content)) return content;
  return tooltip(element, role === '' ? 'span' : role);
}

/** The value of a control inside a label: "Flash the screen [3] times". */
function embeddedValue(element: Element, role: string, pass: Pass): string | undefined {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      if (isInput(element)) return element.type === 'password' ? '' : element.value;
      if (isTextArea(element)) return element.value;
      return contentText(element, pass);
    case 'combobox':
    case 'listbox': {
      if (isSelect(element)) {
        return [...element.selectedOptions].map((option) => option.label).join(' ');
      }
      if (isInput(element)) return element.value;
      const chosen = element.querySelectorAll('[role=option][aria-selected=true]');
      return [...chosen].map((option) => option.textContent ?? '').join(' ');
    }
    case 'slider':
    case 'spinbutton':
    case 'progressbar':
    case 'meter':
    case 'scrollbar':
      return (
        element.getAttribute('aria-valuetext') ??
        element.getAttribute('aria-valuenow') ??
        (element as HTMLInputElement).value?.toString() ??
        ''
      );
    default:
      return undefined;
  }
}

function contentText(element: Element, pass: Pass): string {
  let text = pseudoText(element, '::before', pass);
  const owned = element.hasAttribute('aria-owns')
    ? byIds(element, element.getAttribute('aria-owns'))
    : [];
  pass.depth++;
  // What unfolds from an item is not what the item is called.
  const isTreeItem = /^(treeitem|menuitem)$/.test(element.getAttribute('role') ?? '');
  for (const child of [...Array.from(flatChildren(element)), ...owned]) {
    if (text.length > MAX_NAME) break;
    if (isText(child)) {
      text += child.data;
    } else if (isElement(child)) {
      if (isTreeItem && /^(group|tree|menu)$/.test(child.getAttribute('role') ?? '')) continue;
      const inner = textOf(child, pass);
      if (!inner && child.localName !== 'br') continue;
      text += isInline(child, pass) ? inner : ` ${inner} `;
    }
  }
  pass.depth--;
  return text + pseudoText(element, '::after', pass);
}

function isInline(element: Element, pass: Pass): boolean {
  if (element.localName === 'br') return false;
  const display = pass.look.style(element).display;
  return display === 'inline' || display === 'contents';
}

function pseudoText(element: Element, which: '::before' | '::after', pass: Pass): string {
  if (!pass.look.mayHavePseudo(element)) return '';
  const content = getComputedStyle(element, which).content;
  if (!content || content === 'none' || content === 'normal') return '';
  const alternative = /\/\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(content);
  if (alternative) return unescapeCss(alternative[1] ?? '');
  let text = '';
  for (const match of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)) {
    text += match[2] ? (element.getAttribute(match[2]) ?? '') : unescapeCss(match[1] ?? '');
  }
  return text;
}

function unescapeCss(text: string): string {
  return text
    .replace(/\\([0-9a-fA-F]{1,6})\s?/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16) || 0xfffd),
    )
    .replace(/\\(.)/g, '$1')
    .replace(/[\ue000-\uf8ff]/g, '');
}
