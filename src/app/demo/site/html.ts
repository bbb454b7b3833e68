/** Markup that is safe to put into a page as it stands. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | false | null | undefined | readonly Html[];

/** Builds markup from a template; every value that is not {@link Html} is escaped. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Html {
  let markup = strings[0] ?? '';
  values.forEach((value, index) => {
    markup += render(value) + (strings[index + 1] ?? '');
  });
  return { markup };
}

function render(value: Piece): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'object') {
    return 'markup' in value ? value.markup : value.map((piece) => piece.markup).join('');
  }
  return escapeHtml(String(value));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Marks markup of our own making as safe. Never call it with what a visitor sent. */
export function trusted(markup: string): Html {
  return { markup };
}
