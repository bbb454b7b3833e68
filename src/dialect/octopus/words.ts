import { isOrielError, type OrielError } from '../../kernel/errors.ts';
import type { Failure } from '../dialect.ts';

const LOOK_AGAIN = 'Take a new browser_snapshot and use a reference of its elements.';
/** Where the native advice speaks of what these tools do not have. */
const ADVICE: Readonly<Partial<Record<OrielError['code'], string>>> = {
  stale_ref: LOOK_AGAIN,
  changed_ref: LOOK_AGAIN,
  ambiguous_ref: LOOK_AGAIN,
  gone: 'Open the page again with browser_navigate.',
};

/** The shape of every failure. */
export interface FailureValue extends Readonly<Record<string, unknown>> {
  readonly success: false;
  readonly error: string;
  readonly message: string;
}

/** A failure in the words of Octopus. */
export function failureOf({ error, name, tool, input }: Failure): FailureValue {
  if (tool === null) {
    const text = `Unknown browser tool: ${name.slice(0, 80)}`;
    return { success: false, error: text, message: error.hint ?? text };
  }
  const { session_id: made } = error.details ?? {};
  const known = typeof made === 'string' ? { session_id: made } : {};
  return { success: false, ...textsOf(error, name, input), ...known };
}

function textsOf(
  error: OrielError,
  name: string,
  input: unknown,
): { readonly error: string; readonly message: string } {
  if (isMissingSession(error)) {
    return {
      error: 'Session not found',
      message: `Session ${sessionIdIn(input)} does not exist`,
    };
  }
  if (isSessionLimit(error)) {
    return {
      error: `Maximum sessions reached: ${String(error.details?.['max'])}`,
      message: 'Close a session with browser_close, or wait until one has been idle for too long.',
    };
  }
  const text = [error.message, error.pageText].filter(Boolean).join(' ');
  const advice = ADVICE[error.code] ?? error.hint;
  return { error: text, message: [`${name} failed.`, advice].filter(Boolean).join(' ') };
}

export function isMissingSession(error: unknown): boolean {
  return isOrielError(error, 'not_found') && error.details?.['session'] !== undefined;
}

/** Whether a session could not be made because there are too many. */
export function isSessionLimit(error: unknown): boolean {
  return isOrielError(error, 'over_limit') && error.details?.['max'] !== undefined;
}

function sessionIdIn(input: unknown): string {
  const id = (input as { readonly session_id?: unknown } | null)?.session_id;
  return typeof id === 'string' ? id.slice(0, 200) : '';
}
