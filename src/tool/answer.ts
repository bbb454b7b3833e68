import type { Content } from '../model/outcome.ts';
import type { Part } from './declaration.ts';
import { neutralise, wrapUntrusted, WRAPPER_CHARS } from './untrusted.ts';

export interface AnswerOptions {
  /** Most characters of the text of the answer, wrapper included. */
  readonly maxChars: number;
  /** Origin of page text that names none. */
  readonly origin: string | null;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Keeps the whole of what was cut and returns its path; null where nothing may be kept. */
  readonly spill: ((text: string) => Promise<string>) | null;
}

/**
 * Turns parts into what a model is shown: our own words first, then everything that came from a
 * page inside one untrusted wrapper, then pictures. What is over the budget is cut from the
 * page's part and kept in a file that the answer names.
 */
export async function composeAnswer(
  parts: readonly Part[],
  options: AnswerOptions,
): Promise<Content[]> {
  // Our own words quote what a caller passed on, and a caller may pass on what a page told it.
  const ours = neutralise(options.redact(textOf(parts, 'oriel')));
  const theirs = neutralise(options.redact(textOf(parts, 'page')));
  const origin = parts.find((part) => part.source === 'page' && part.origin !== undefined);
  const { head, body } = await fit(ours, theirs, options);
  const wrapped =
    body === ''
      ? ''
      : wrapUntrusted(
          body,
          (origin?.source === 'page' ? origin.origin : undefined) ?? options.origin ?? undefined,
        );
  const text = [head, wrapped].filter((piece) => piece !== '').join('\n');
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...parts.flatMap((part) =>
      part.source === 'image'
        ? [{ type: 'image' as const, mimeType: part.mimeType, base64: part.base64 }]
        : [],
    ),
  ];
}

async function fit(
  ours: string,
  theirs: string,
  options: AnswerOptions,
): Promise<{ head: string; body: string }> {
  const wrapper = theirs === '' ? 0 : WRAPPER_CHARS + 1;
  const total = ours.length + theirs.length + wrapper;
  if (total <= options.maxChars) return { head: ours, body: theirs };
  const whole = [ours, theirs].filter((piece) => piece !== '').join('\n');
  // The tool has done its work by now: a full disk must not turn that into a failure.
  const path = await options.spill?.(whole).catch(() => null);
  const note =
    `[cut: ${whole.length} characters in all, ` +
    `${path ? `whole in ${path}` : 'ask for less, or for a part'}]`;
  const room = options.maxChars - note.length - 1;
  const head = [cutAt(ours, theirs === '' ? room : Math.floor(room / 2)), note].join('\n');
  return { head, body: cutAt(theirs, Math.max(0, room - head.length + note.length - wrapper)) };
}

function textOf(parts: readonly Part[], source: 'oriel' | 'page'): string {
  return parts
    .flatMap((part) => (part.source === source && part.text !== '' ? [part.text] : []))
    .join('\n');
}

/** At most `max` characters, never half a surrogate pair. */
function cutAt(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, Math.max(0, max));
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
