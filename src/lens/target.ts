import { OrielError } from '../kernel/errors.ts';

/** What a caller points at: a ref of a snapshot, or a selector for Playwright. */
export type Target =
  | {
      readonly kind: 'ref';
      readonly prefix: string;
      readonly number: number;
      readonly text: string;
    }
  | {
      readonly kind: 'selector';
      readonly selector: string;
      readonly prefix: string;
      readonly text: string;
    };

const REF = /^@?(?:ref=)?\[?(?:ref=)?((?:f\d+)?)e(\d{1,9})\]?$/;

/**
 * Reads `e12`, `@e12`, `ref=e12`, `f1e3`; `css=`, `text=`, `role=button[name="Save"]`, `xpath=`,
 * `//…`, `label=`, `placeholder=`, `testid=`, `id=`, `alt=`, `title=`, and plain CSS.
 * @throws OrielError `bad_input`
 */
export function parseTarget(text: string): Target {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new OrielError('bad_input', 'The target is empty.', {
      hint: 'Give a ref such as e12, or a selector.',
    });
  }
  const ref = REF.exec(trimmed);
  if (ref)
    return {
      kind: 'ref',
      prefix: ref[1] ?? '',
      number: Number(ref[2]),
      text: `${ref[1] ?? ''}e${Number(ref[2])}`,
    };
  if (
    /^(?:lens\w*|internal:[\w-]+|aria-ref|_react|_vue)\s*=/.test(trimmed) ||
    />>\s*(?:lens\w*|internal:)/.test(trimmed)
  ) {
    throw new OrielError('bad_input', 'This kind of selector is not for callers.', {
      hint: 'Use a ref, css=, text=, role=, label=, testid= or xpath=.',
    });
  }
  return { kind: 'selector', selector: selectorOf(trimmed), prefix: '', text: trimmed };
}

function selectorOf(text: string): string {
  const match = /^(label|placeholder|testid|alt|title)=(.*)$/s.exec(text);
  if (match?.[1] && match[2] !== undefined) {
    const value = unquote(match[2]);
    switch (match[1]) {
      case 'label':
        return `internal:label=${value.exact ? `${JSON.stringify(value.text)}s` : `${JSON.stringify(value.text)}i`}`;
      case 'testid':
        return `internal:testid=[data-testid=${JSON.stringify(value.text)}s]`;
      default:
        return `internal:attr=[${match[1]}=${JSON.stringify(value.text)}${value.exact ? 's' : 'i'}]`;
    }
  }
  if (text.startsWith('role=')) return text.replace(/^role=\s*/, 'role=');
  return text;
}

function unquote(text: string): { text: string; exact: boolean } {
  const trimmed = text.trim();
  const match = /^(["'])(.*)\1$/s.exec(trimmed);
  return match?.[2] !== undefined
    ? { text: match[2], exact: true }
    : { text: trimmed, exact: false };
}
