/** Names of arguments that hold what was typed. */
const TYPED = new Set(['text', 'value']);

/**
 * A call's input as the record keeps it: of what was typed, which may be a secret, the length
 * alone, however deep it stands; of addresses no password; the session's handle not at all.
 */
export function auditInput(input: Readonly<Record<string, unknown>> | null): unknown {
  if (!input) return null;
  const { session: _session, ...rest } = input;
  return veil(rest);
}

function veil(value: unknown, key = ''): unknown {
  if (TYPED.has(key) && value !== null && value !== undefined) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `(${text.length} characters)`;
  }
  if (typeof value === 'string') return value.replace(/(\w:\/\/)[^/?#@\s]*@/g, '$1…@');
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return value.map((entry) => veil(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, veil(entry, name)]),
  );
}
