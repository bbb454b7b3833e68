import type { OrielError } from '../kernel/errors.ts';

/** An element as errors about refs name it. */
interface Element {
  readonly ref?: unknown;
  readonly role?: unknown;
  readonly name?: unknown;
  readonly near?: unknown;
}

/**
 * What of the page belongs to a failure, as text that must be wrapped: what it quotes, what the
 * element was and is, and the candidates to choose from. Empty when there is none.
 */
export function pageEvidence({ pageText, details }: OrielError): string {
  const { was, now, candidates } = details ?? {};
  return [
    pageText ?? '',
    isElement(was) ? `was: ${lineOf(was)}` : '',
    isElement(now) ? `is: ${lineOf(now)}` : '',
    ...(Array.isArray(candidates)
      ? candidates.filter(isElement).map((one) => `- ${lineOf(one)}`)
      : []),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && 'role' in value;
}

function lineOf({ ref, role, name, near }: Element): string {
  return (
    `${String(role)} ${JSON.stringify(name ?? '')}` +
    (typeof ref === 'string' ? ` [ref=${ref}]` : '') +
    (typeof near === 'string' && near !== '' ? ` near ${JSON.stringify(near)}` : '')
  );
}
