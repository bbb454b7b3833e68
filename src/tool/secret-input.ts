import type { z } from 'zod';
import type { AnyTool } from './declaration.ts';

/** An input without what the tool declares `meta({ secret: true })`: names stay, values go. */
export function maskSecrets(
  tool: AnyTool | null,
  input: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> | null {
  if (!input) return null;
  const shape = (tool?.input.shape ?? {}) as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      isSecret(shape[key]) ? maskWhole(value) : value,
    ]),
  );
}

/** Whether the argument at `path` holds a secret, so that no message may show it. */
export function isSecretAt(tool: Pick<AnyTool, 'input'>, path: readonly PropertyKey[]): boolean {
  const shape = tool.input.shape as Record<string, z.ZodType>;
  return isSecret(shape[String(path[0])]);
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
