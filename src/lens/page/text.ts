/** White space as a reader sees it: runs are one space, ends are cut. Lone surrogates are mended. */
export function squeeze(text: string): string {
  if (PLAIN_TEXT.test(text)) return text;
  return mend(text.replace(/[\s\u200b\u00ad]+/g, ' ').trim());
}

const PLAIN_TEXT = /^(?:[!-~]+(?: [!-~]+)*)?$/;

export function mend(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${mend(text.slice(0, max - 1)).trimEnd()}…`;
}

const UNITS =
  's|sec|secs|seconds?|m|min|mins|minutes?|h|hr|hrs|hours?|d|days?|w|weeks?|months?|y|years?';
/**
 * What ticks by itself and says nothing of which thing this is: clock times, ages, prices with
 * decimals, percentages, counts in brackets. Whole numbers stay, they are often the identity.
 */
const VOLATILE = new RegExp(
  [
    String.raw`\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\b`,
    String.raw`[-+]?[$€£¥]?\s?\d[\d,]*\.\d+\s?[%$€£¥]?`,
    String.raw`[-+]?\d+\s?%`,
    String.raw`\(\s?\d+\+?\s?\)`,
    String.raw`\b(?:\d+|an?|one)\s?(?:${UNITS})\s+ago\b`,
    String.raw`\bjust now\b`,
  ].join('|'),
  'gi',
);

/** The part of a text that tells one thing from another. */
export function identityText(text: string): string {
  return squeeze(squeeze(text).replace(VOLATILE, ' ')).slice(0, 500);
}
