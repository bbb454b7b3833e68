import { OrielError } from '../kernel/errors.ts';

/** What a target's text means: a ref of a snapshot, or a Playwright selector. */
export type Target =
  | { readonly kind: 'ref'; readonly ref: string }
  | { readonly kind: 'selector'; readonly selector: string };

const REF = /^(?:f\d+)*e\d+$/;

/**
 * Reads a target: `e12`, `f1e3`, `css=…`, `text=…`, `role=button[name="Save"]`, `xpath=…`, `//…`,
 * `label=…`, `testid=…`, or plain CSS.
 *
 * @throws `bad_input` for an empty target.
 */
export function parseTarget(text: string): Target {
  const trimmed = text.trim();
  if (trimmed === '') {
    throw new OrielError('bad_input', '`target` is empty.', {
      hint: 'Give a ref such as e12 from a browser_snapshot, or a selector.',
    });
  }
  const ref = trimmed.replace(/^ref=/, '');
  if (REF.test(ref)) return { kind: 'ref', ref };
  if (trimmed.startsWith('label=')) {
    return { kind: 'selector', selector: `internal:label=${JSON.stringify(trimmed.slice(6))}i` };
  }
  if (trimmed.startsWith('testid=')) {
    const value = JSON.stringify(trimmed.slice(7));
    return { kind: 'selector', selector: `internal:testid=[data-testid=${value}s]` };
  }
  return { kind: 'selector', selector: trimmed };
}
