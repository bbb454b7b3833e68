/**
 * Characters that a terminal, a JSON reader or a reader's eye could trip over: controls, line
 * separators, direction overrides, and marks that show nothing.
 */
const ESCAPED =
  // eslint-disable-next-line no-control-regex -- these are the characters to escape
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;

/** Words that YAML 1.1 or 1.2 readers take for something other than a string. */
const RESERVED = /^(?:true|false|yes|no|on|off|null|y|n|~)$/i;
const PLAIN_VALUE = /^[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f0-9 ,.()/_+'!?;€£$%&=-]*$/;

/** Lone surrogates become the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** A string in double quotes that both JSON and YAML read back exactly. */
export function quote(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    ESCAPED,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value after `key: `, plain where YAML reads it back as the same string. */
export function scalar(text: string): string {
  const isPlain =
    PLAIN_VALUE.test(text) &&
    !RESERVED.test(text) &&
    !/\s$/.test(text) &&
    !/ #|: |:$/.test(text) &&
    !text.includes("'");
  return isPlain ? text : quote(text);
}

/** A key or a list entry `role "name" [attributes]`, quoted as a whole where YAML needs it. */
export function entryKey(text: string): string {
  return /: |:$| #|^[^A-Za-z/…]|\t/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
