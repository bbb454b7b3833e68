import { OrielError } from '../kernel/errors.ts';
import { quote, wellFormed } from './yaml-text.ts';
import type { Candidate, Refusal } from './wire.ts';

/** A candidate as an error carries it: the ref with its frame. */
export interface RefCandidate {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  readonly near: string;
  readonly visible: boolean;
}

/** The refusal inside a Playwright error, undefined when it is another error. */
export function refusalIn(thrown: unknown): Refusal | undefined {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const at = message.indexOf('LENS:{');
  if (at < 0) return undefined;
  const end = message.indexOf('\n', at);
  try {
    return JSON.parse(message.slice(at + 5, end < 0 ? undefined : end)) as Refusal;
  } catch {
    return undefined;
  }
}

/**
 * A refusal as an error. Names in `details` are page text: whoever shows them wraps them as such.
 */
export function refusalError(refusal: Refusal, prefix: string, shownRef: string): OrielError {
  const candidates = refusal.candidates.map((one) => withPrefix(one, prefix));
  const now = refusal.now ? withPrefix(refusal.now, prefix) : undefined;
  const pageText = evidence(refusal, now, candidates);
  const details = {
    ref: shownRef,
    ...(refusal.was ? { was: refusal.was } : {}),
    ...(now ? { now } : {}),
    candidates,
  };
  switch (refusal.code) {
    case 'changed_ref':
      return new OrielError(
        'changed_ref',
        `${shownRef} no longer means what it meant: the page has changed that element since you saw it. Nothing was done.`,
        {
          hint: `Read what it is now${now ? ` (it is ${now.ref})` : ''} and act on the ref that you mean.`,
          details,
          pageText,
        },
      );
    case 'ambiguous_ref':
      return new OrielError(
        'ambiguous_ref',
        `${shownRef} is gone, and ${candidates.length} elements are just like it. Nothing was done.`,
        {
          hint: `Choose one of ${candidates.map((one) => one.ref).join(', ')}.`,
          details,
          pageText,
        },
      );
    default:
      return new OrielError('stale_ref', `${shownRef} is not in the page any more.`, {
        hint:
          candidates.length > 0
            ? `Alike: ${candidates.map((one) => one.ref).join(', ')}; otherwise take a new browser_snapshot.`
            : 'Take a browser_snapshot and use a ref of it.',
        details,
        pageText,
      });
  }
}

const MAX_LISTED = 10;

/** What a caller needs to choose by, in the words of the page; undefined when there is nothing. */
function evidence(
  { was }: Refusal,
  now: RefCandidate | undefined,
  candidates: readonly RefCandidate[],
): string | undefined {
  const lines = [
    ...(was ? [`was: ${inWords(was)}`] : []),
    ...(now ? [`is now: ${candidateText(now)}`] : []),
    ...(candidates.length > 0 ? [listCandidates(candidates)] : []),
  ];
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** A line for each, at most ten, and how many more there are. */
export function listCandidates(candidates: readonly RefCandidate[]): string {
  const more = candidates.length - MAX_LISTED;
  return [
    ...candidates.slice(0, MAX_LISTED).map((one) => `- ${candidateText(one)}`),
    ...(more > 0 ? [`- … ${more} more`] : []),
  ].join('\n');
}

function candidateText(candidate: RefCandidate): string {
  return `${inWords(candidate)} [ref=${candidate.ref}]${candidate.visible ? '' : ' [hidden]'}`;
}

function inWords({ role, name, near }: { role: string; name: string; near: string }): string {
  return `${role} ${quote(clip(name))}${near === '' ? '' : ` near ${quote(clip(near))}`}`;
}

function clip(text: string): string {
  return text.length > 120 ? `${wellFormed(text.slice(0, 119))}…` : text;
}

export function withPrefix(candidate: Candidate, prefix: string): RefCandidate {
  return { ...candidate, ref: `${prefix}e${candidate.ref}` };
}
