import { z } from 'zod';
import { COMMON_ARGUMENTS } from '../../tool/args.ts';
import type { AnyTool } from '../../tool/declaration.ts';

type Json = { [key: string]: unknown };

/**
 * The input schema as a client is shown it: every character is paid for by every conversation,
 * so what explains nothing is left out, and the arguments common to all tools are described once
 * in the server's instructions.
 */
export function listedSchema(tool: AnyTool): Json {
  const schema = z.toJSONSchema(tool.input, { io: 'input' }) as Json;
  const properties = schema['properties'] as Record<string, Json>;
  for (const [name, property] of Object.entries(properties)) {
    prune(property);
    if ((COMMON_ARGUMENTS as readonly string[]).includes(name)) delete property['description'];
  }
  const required = schema['required'] as string[] | undefined;
  return {
    type: 'object',
    properties,
    ...(required && required.length > 0 ? { required } : {}),
  };
}

/** Bounds are checked by the call itself, whose errors say what fits. */
const UNLISTED = [
  '$schema',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'minItems',
  'maxItems',
  'propertyNames',
];

function prune(schema: Json): void {
  for (const key of UNLISTED) {
    const says = schema[key];
    const isMap = typeof says === 'object' && Object.keys(says as object).length > 0;
    if (key === 'additionalProperties' && isMap) continue;
    delete schema[key];
  }
  const fallback = schema['default'];
  const isEmpty = typeof fallback === 'object' && Object.keys(fallback ?? {}).length === 0;
  if (isEmpty) delete schema['default'];
  for (const child of Object.values((schema['properties'] as Record<string, Json>) ?? {})) {
    prune(child);
  }
  if (schema['items']) prune(schema['items'] as Json);
  for (const option of (schema['anyOf'] as Json[]) ?? []) prune(option);
}
