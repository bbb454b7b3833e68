import { cutLine, wrap } from '../../surface/cli/layout.ts';
import type { Terminal } from '../../surface/cli/terminal.ts';
import { excerptOf } from './story-excerpt.ts';
import type { Answer, Narrator } from './story.ts';

const MAX_LINES = 9;
const INDENT = 5;

/** Writes the story to the terminal, a step at a time. */
export class PrintingNarrator implements Narrator {
  readonly #terminal: Terminal;
  #step = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  began(title: string, tool: string, input: Record<string, unknown>): void {
    const { out, style, columns } = this.#terminal;
    this.#step += 1;
    const json = Object.keys(input).length === 0 ? '' : spaced(input);
    const [first = '', ...rest] = wrap(`${tool} ${json}`, columns - INDENT - 2);
    out(`\n${style('bold', `${String(this.#step).padStart(3)}  ${title}`)}\n`);
    out(`${' '.repeat(INDENT)}${style('cyan', '→')} ${first.replace(tool, style('cyan', tool))}\n`);
    for (const line of rest) out(`${' '.repeat(INDENT + 2)}${line}\n`);
  }

  answered({ text, picture, tookMs, isError }: Answer, focus: readonly RegExp[]): void {
    const { out, style, columns } = this.#terminal;
    const room = columns - INDENT - 4;
    const arrow = style(isError ? 'red' : 'magenta', '←');
    const time = `${tookMs} ms`;
    excerptOf(text, { focus, maxLines: isError ? 40 : MAX_LINES }).forEach((part, index) => {
      const isFirst = index === 0;
      const bar = part.kind === 'gap' || part.isOfPage ? style('dim', '│') : ' ';
      const shown =
        part.kind === 'gap'
          ? `… ${part.lines} more line${part.lines === 1 ? '' : 's'}`
          : cutLine(outdent(part.text), room);
      const isFocus = part.kind === 'line' && part.isFocus;
      const gap = ' '.repeat(Math.max(2, room - shown.length - time.length));
      const tail = isFirst ? style('dim', `${gap}${time}`) : '';
      out(
        `${' '.repeat(INDENT)}${isFirst ? arrow : ' '} ${bar} ${this.#line(shown, isFocus)}${tail}\n`,
      );
    });
    if (picture) {
      const facts = `(picture, ${picture.mimeType}, ${picture.bytes} bytes)`;
      out(`${' '.repeat(INDENT + 4)}${style('dim', facts)}\n`);
    }
  }

  proved(fact: string): void {
    const { out, style } = this.#terminal;
    out(`${' '.repeat(INDENT)}${style('green', '✓')} ${fact}\n`);
  }

  #line(text: string, isFocus: boolean): string {
    const { style } = this.#terminal;
    if (!isFocus) return style('dim', text);
    return text.replace(/\[ref=\w+\]/g, (ref) => style('yellow', ref));
  }
}

/** A deep line keeps a hint of its depth, and room for its text. */
function outdent(line: string): string {
  const text = line.trimStart();
  return `${' '.repeat(Math.min(2, line.length - text.length))}${text}`;
}

/** JSON on one line with spaces, so that it reads and wraps. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) | (?=[\]}])/g, '$1');
}
