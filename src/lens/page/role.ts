import { flatParent } from './flat-tree.ts';

/** Roles a person acts on; they always carry a ref. */
export const CONTROL_ROLES: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'combobox',
  'gridcell',
  'link',
  'listbox',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'scrollbar',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
  'treeitem',
]);

/** Roles that carry text or structure a reader orients by; numbered when named. */
export const CONTENT_ROLES: ReadonlySet<string> = new Set([
  'article',
  'cell',
  'columnheader',
  'gridcell',
  'heading',
  'img',
  'listitem',
  'main',
  'navigation',
  'region',
  'rowheader',
  'row',
  'list',
  'table',
]);

export const LANDMARK_ROLES: ReadonlySet<string> = new Set([
  'banner',
  'complementary',
  'contentinfo',
  'form',
  'main',
  'navigation',
  'region',
  'search',
]);

/** Roles named from their content when nothing else names them. */
export const NAMED_BY_CONTENT: ReadonlySet<string> = new Set([
  'button',
  'cell',
  'checkbox',
  'columnheader',
  'gridcell',
  'heading',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'row',
  'rowheader',
  'switch',
  'tab',
  'tooltip',
  'treeitem',
  'DisclosureTriangle',
]);

/** Roles whose children are presentational: what is inside is part of the one control. */
export const LEAF_ROLES: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'img',
  'math',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'option',
  'progressbar',
  'radio',
  'scrollbar',
  'separator',
  'slider',
  'switch',
  'tab',
]);

/** Roles that ARIA forbids to name; an `aria-label` on them is not heard. */
export const NAMELESS_ROLES: ReadonlySet<string> = new Set([
  'caption',
  'code',
  'definition',
  'deletion',
  'emphasis',
  'generic',
  'insertion',
  'mark',
  'none',
  'paragraph',
  'presentation',
  'strong',
  'subscript',
  'suggestion',
  'superscript',
  'term',
  'time',
]);

const VALID = new Set([
  'alert',
  'alertdialog',
  'application',
  'article',
  'banner',
  'blockquote',
  'button',
  'caption',
  'cell',
  'checkbox',
  'code',
  'columnheader',
  'combobox',
  'complementary',
  'contentinfo',
  'definition',
  'deletion',
  'dialog',
  'directory',
  'document',
  'emphasis',
  'feed',
  'figure',
  'form',
  'generic',
  'graphics-document',
  'graphics-object',
  'graphics-symbol',
  'grid',
  'gridcell',
  'group',
  'heading',
  'img',
  'image',
  'insertion',
  'link',
  'list',
  'listbox',
  'listitem',
  'log',
  'main',
  'mark',
  'marquee',
  'math',
  'menu',
  'menubar',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'navigation',
  'none',
  'note',
  'option',
  'paragraph',
  'presentation',
  'progressbar',
  'radio',
  'radiogroup',
  'region',
  'row',
  'rowgroup',
  'rowheader',
  'scrollbar',
  'search',
  'searchbox',
  'separator',
  'slider',
  'spinbutton',
  'status',
  'strong',
  'subscript',
  'suggestion',
  'superscript',
  'switch',
  'tab',
  'table',
  'tablist',
  'tabpanel',
  'term',
  'textbox',
  'time',
  'timer',
  'toolbar',
  'tooltip',
  'tree',
  'treegrid',
  'treeitem',
]);

const GLOBAL_ARIA = [
  'aria-atomic',
  'aria-busy',
  'aria-controls',
  'aria-current',
  'aria-describedby',
  'aria-details',
  'aria-dropeffect',
  'aria-flowto',
  'aria-grabbed',
  'aria-keyshortcuts',
  'aria-label',
  'aria-labelledby',
  'aria-live',
  'aria-owns',
  'aria-relevant',
  'aria-roledescription',
];

const PLAIN: Readonly<Record<string, string>> = {
  address: 'group',
  article: 'article',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  datalist: 'listbox',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dt: 'term',
  em: 'emphasis',
  embed: 'plugin',
  fieldset: 'group',
  figure: 'figure',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  iframe: 'iframe',
  frame: 'iframe',
  ins: 'insertion',
  main: 'main',
  mark: 'mark',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  object: 'plugin',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  strong: 'strong',
  sub: 'subscript',
  summary: 'DisclosureTriangle',
  sup: 'superscript',
  table: 'table',
  tbody: 'rowgroup',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  thead: 'rowgroup',
  time: 'time',
  ul: 'list',
  canvas: 'canvas',
  video: 'video',
  audio: 'audio',
  svg: 'img',
};

const INPUTS: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  color: 'button',
  file: 'button',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  date: 'textbox',
  'datetime-local': 'textbox',
  month: 'textbox',
  time: 'textbox',
  week: 'textbox',
  hidden: '',
};

/**
 * The role of an element by WAI-ARIA and HTML-AAM, '' for one without meaning of its own
 * (`generic`, `none`, `presentation`).
 */
export function roleOf(element: Element): string {
  const explicit = element.getAttribute('role');
  if (explicit) {
    for (const token of explicit.toLowerCase().split(/\s+/)) {
      if (!VALID.has(token)) continue;
      if (token === 'none' || token === 'presentation') {
        if (hasGlobalAria(element) || isFocusable(element)) break;
        return '';
      }
      if (token === 'generic') return '';
      if (token === 'image') return 'img';
      if ((token === 'region' || token === 'form') && !hasAuthorName(element)) break;
      return token;
    }
  }
  return implicitRole(element);
}

function implicitRole(element: Element): string {
  const tag = element.localName;
  switch (tag) {
    case 'div':
    case 'span':
      return isEditingHost(element) ? 'textbox' : '';
    case 'a':
    case 'area':
      return element.hasAttribute('href') ||
        element.hasAttributeNS('http://www.w3.org/1999/xlink', 'href')
        ? 'link'
        : '';
    case 'input':
      return inputRole(element as HTMLInputElement);
    case 'select': {
      const select = element as HTMLSelectElement;
      return select.multiple || select.size > 1 ? 'listbox' : 'combobox';
    }
    case 'img': {
      const alt = element.getAttribute('alt');
      if (alt === '' && !hasGlobalAria(element) && !isFocusable(element)) return '';
      return 'img';
    }
    case 'li': {
      const parent = flatParent(element);
      const role = parent?.getAttribute('role');
      if (role === 'none' || role === 'presentation') return '';
      return parent && /^(ul|ol|menu)$/.test(parent.localName)
        ? 'listitem'
        : role === 'list'
          ? 'listitem'
          : '';
    }
    case 'tr':
    case 'tbody':
    case 'thead':
    case 'tfoot': {
      const table = element.closest('table');
      if (isPresentational(table)) return '';
      return tag === 'tr' ? 'row' : 'rowgroup';
    }
    case 'td':
    case 'th': {
      const table = element.closest('table');
      if (isPresentational(table)) return '';
      if (tag === 'th') return headerRole(element as HTMLTableCellElement);
      return isGrid(table) ? 'gridcell' : 'cell';
    }
    case 'header':
      return isScoped(element) ? '' : 'banner';
    case 'footer':
      return isScoped(element) ? '' : 'contentinfo';
    case 'aside':
      return isScopedBySection(element) && !hasAuthorName(element) ? '' : 'complementary';
    case 'section':
      return hasAuthorName(element) ? 'region' : '';
    case 'form':
      return hasAuthorName(element) ? 'form' : '';
    case 'summary': {
      const parent = element.parentElement;
      return parent?.localName === 'details' && parent.querySelector(':scope > summary') === element
        ? 'DisclosureTriangle'
        : '';
    }
    case 'svg':
      return 'img';
    default:
      break;
  }
  const role = PLAIN[tag];
  if (role !== undefined) return role;
  return isEditingHost(element) ? 'textbox' : '';
}

function inputRole(input: HTMLInputElement): string {
  const role = INPUTS[input.type];
  const list = input.getAttribute('list');
  if (list && (role === undefined || role === 'searchbox')) {
    const root = input.getRootNode() as Document | ShadowRoot;
    if (root.getElementById?.(list)?.localName === 'datalist') return 'combobox';
  }
  return role ?? 'textbox';
}

function headerRole(cell: HTMLTableCellElement): string {
  const scope = cell.scope;
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const row = cell.parentElement;
  if (!row) return 'columnheader';
  if (row.parentElement?.localName === 'thead') return 'columnheader';
  for (const sibling of row.children) if (sibling.localName === 'td') return 'rowheader';
  return 'columnheader';
}

function isPresentational(table: Element | null): boolean {
  const role = table?.getAttribute('role');
  return role === 'none' || role === 'presentation';
}

function isGrid(table: Element | null): boolean {
  const role = table?.getAttribute('role');
  return role === 'grid' || role === 'treegrid';
}

const SECTIONING =
  'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]';

function isScoped(element: Element): boolean {
  return Boolean(element.parentElement?.closest(SECTIONING));
}

function isScopedBySection(element: Element): boolean {
  return Boolean(
    element.parentElement?.closest(
      'article, aside, nav, section, [role=article], [role=complementary], [role=navigation], [role=region]',
    ),
  );
}

export function hasAuthorName(element: Element): boolean {
  return (
    (element.getAttribute('aria-label') ?? '').trim() !== '' ||
    (element.getAttribute('aria-labelledby') ?? '') !== '' ||
    (element.getAttribute('title') ?? '').trim() !== ''
  );
}

function hasGlobalAria(element: Element): boolean {
  for (const name of GLOBAL_ARIA) if (element.hasAttribute(name)) return true;
  return false;
}

export function isEditingHost(element: Element): boolean {
  const value = element.getAttribute('contenteditable');
  return value !== null && value.toLowerCase() !== 'false';
}

/** Reachable by the keyboard or by script: what a person can focus. */
export function isFocusable(element: Element): boolean {
  if (element.hasAttribute('tabindex')) return true;
  switch (element.localName) {
    case 'button':
    case 'select':
    case 'textarea':
      return !(element as HTMLButtonElement).disabled;
    case 'input':
      return (
        !(element as HTMLInputElement).disabled && (element as HTMLInputElement).type !== 'hidden'
      );
    case 'a':
    case 'area':
      return element.hasAttribute('href');
    case 'summary':
    case 'iframe':
      return true;
    default:
      return isEditingHost(element);
  }
}
