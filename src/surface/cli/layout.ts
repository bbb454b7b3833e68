/** Splits `text` at spaces into lines of at most `width` characters; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((piece) => piece !== '')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

export interface Row {
  readonly term: string;
  readonly text: string;
}

export interface RowLayout {
  /** Width of the whole, indent included. */
  readonly columns: number;
  readonly indent: number;
  /** Width of the first column; a longer term takes a line of its own. */
  readonly termWidth: number;
  readonly styleTerm: (term: string) => string;
}

/** Two columns: terms, and beside them their texts, wrapped. No line ends in a newline. */
export function layRows(rows: readonly Row[], layout: RowLayout): string[] {
  const { columns, indent, termWidth, styleTerm } = layout;
  const margin = ' '.repeat(indent);
  const textAt = indent + termWidth + 2;
  return rows.flatMap(({ term, text }) => {
    const lines = wrap(text, Math.max(20, columns - textAt));
    const first = margin + styleTerm(term) + ' '.repeat(Math.max(2, termWidth + 2 - term.length));
    const isTooLong = term.length > termWidth;
    const head = isTooLong ? [margin + styleTerm(term)] : [`${first}${lines.shift() ?? ''}`];
    return [
      ...head.map((line) => line.trimEnd()),
      ...lines.map((line) => ' '.repeat(textAt) + line),
    ];
  });
}

/** The first column's width for `terms`: the longest that is not above `max`. */
export function widthOf(terms: readonly string[], max: number): number {
  return Math.max(0, ...terms.map((term) => term.length).filter((length) => length <= max));
}

/** At most `width` characters, cut with `…`. */
export function cutLine(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}
