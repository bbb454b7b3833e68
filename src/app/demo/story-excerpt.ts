/** A line of an answer worth showing, or the count of lines left out between two of them. */
export type Excerpt =
  | {
      readonly kind: 'line';
      readonly text: string;
      readonly isOfPage: boolean;
      readonly isFocus: boolean;
    }
  | { readonly kind: 'gap'; readonly lines: number };

export interface ExcerptOptions {
  readonly focus: readonly RegExp[];
  /** Most lines to show, gaps aside. */
  readonly maxLines: number;
}

/** How `call()` marks what came from a page. */
const BEGIN = /^\[page content (\w+).*\]$/;
const END = /^\[end of page content (\w+)\]$/;
/** Address and title are worth a line each, whatever is looked for. */
const FACT = /^(?:url|title|navigated|opened|closed|dialog|download): /;
const HEAD_LINES = 3;

/** Shortens an answer to the lines that are looked for, the facts and a few of its first lines. */
export function excerptOf(text: string, { focus, maxLines }: ExcerptOptions): Excerpt[] {
  const lines = markLines(text).map((line) => ({
    ...line,
    isFocus: focus.some((pattern) => pattern.test(line.text)),
  }));
  const isShort = lines.length <= maxLines;
  const hasFocus = lines.some((line) => line.isFocus);
  let room = maxLines;
  const excerpt: Excerpt[] = [];
  let skipped = 0;
  lines.forEach((line, index) => {
    const isHead = !line.isOfPage || (!hasFocus && index < HEAD_LINES + 2);
    const isShown = isShort || isHead || line.isFocus || FACT.test(line.text);
    if (!isShown || room === 0) {
      skipped += 1;
      return;
    }
    if (skipped > 0) excerpt.push({ kind: 'gap', lines: skipped });
    skipped = 0;
    room -= 1;
    excerpt.push({ kind: 'line', ...line });
  });
  if (skipped > 0) excerpt.push({ kind: 'gap', lines: skipped });
  return excerpt;
}

function markLines(text: string): { text: string; isOfPage: boolean }[] {
  const marked: { text: string; isOfPage: boolean }[] = [];
  let boundary: string | undefined;
  for (const line of text.split('\n')) {
    const begins = boundary === undefined ? BEGIN.exec(line)?.[1] : undefined;
    const ends = boundary !== undefined && END.exec(line)?.[1] === boundary;
    if (begins !== undefined) boundary = begins;
    else if (ends) boundary = undefined;
    else if (line.trim() !== '') marked.push({ text: line, isOfPage: boundary !== undefined });
  }
  return marked;
}
