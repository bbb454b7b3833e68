import type { z } from 'zod';
import type { AnyTool } from './declaration.ts';

/** Names whose text may be a secret wherever it stands: what is typed, stored, or logged in with. */
const TYPED = new Set(['text', 'value', 'password']);

/**
 * An input as it may be recorded and shown to a person: typed text is told by its length, and
 * arguments that the tool declares `meta({ secret: true })` are left out.
 */
export function maskSecrets(
  tool: AnyTool,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const shape = tool.input.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      isSecret(shape[key]) ? maskWhole(value) : maskTyped(key, value),
    ]),
  );
}

/** Whether the argument at `path` may hold a secret, so that no message may show it. */
export function isSecretAt(tool: AnyTool, path: readonly PropertyKey[]): boolean {
  const shape = tool.input.shape as Record<string, z.ZodType>;
  return isSecret(shape[String(path[0])]) || path.some((key) => TYPED.has(String(key)));
}

function isSecret(schema: z.ZodType | undefined): boolean {
  return (schema?.meta() as { secret?: boolean } | undefined)?.secret === true;
}

/** Names stay, so that a record tells what was set. */
function maskWhole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskWhole);
  if (typeof value !== 'object' || value === null) return '(secret)';
  return Object.fromEntries(Object.keys(value).map((key) => [key, '(secret)']));
}

function maskTyped(key: string, value: unknown): unknown {
  if (typeof value === 'string') return TYPED.has(key) ? `(${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map((entry) => maskTyped(key, entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, maskTyped(name, entry)]),
  );
}
