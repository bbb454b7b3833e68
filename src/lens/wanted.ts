/** What a selector asks for, in words that a page could say. */
export interface Wanted {
  readonly words: readonly string[];
  readonly roles: readonly string[];
}

/** What belongs to the language of selectors: names of engines, attributes and functions. */
const SYNTAX = /[@:]?[\w-]+\s*(?:\(\s*\))?\s*[~|^$*!]?=|[:/]*[\w-]+\(|[\w-]+::/g;
/** Tags that say nothing of what they hold, and words that stand alone in selectors. */
const GRAMMAR = new Set(
  'div span ul ol li td tr th table p i b s em svg path html body section nth child of and or visible hover focus checked disabled first last not is has'.split(
    ' ',
  ),
);
const ROLES: Readonly<Record<string, readonly string[]>> = {
  a: ['link'],
  link: ['link'],
  button: ['button'],
  btn: ['button'],
  input: ['textbox', 'searchbox', 'spinbutton', 'checkbox', 'radio'],
  textbox: ['textbox', 'searchbox'],
  textarea: ['textbox'],
  searchbox: ['searchbox', 'textbox'],
  select: ['combobox', 'listbox'],
  combobox: ['combobox'],
  listbox: ['listbox'],
  option: ['option'],
  checkbox: ['checkbox', 'switch'],
  radio: ['radio'],
  switch: ['switch', 'checkbox'],
  tab: ['tab'],
  heading: ['heading'],
  menuitem: ['menuitem'],
  slider: ['slider'],
};
const MAX_WORDS = 12;

/** Reads a selector of any kind for the words in it. */
export function wantedOf(selector: string): Wanted {
  const words = new Set<string>();
  const roles = new Set<string>();
  const all = selector
    .replace(SYNTAX, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  for (const word of all ?? []) {
    const named = Object.hasOwn(ROLES, word) ? ROLES[word] : undefined;
    if (named) for (const role of named) roles.add(role);
    else if (!GRAMMAR.has(word) && words.size < MAX_WORDS) words.add(word);
  }
  return { words: [...words], roles: [...roles] };
}
