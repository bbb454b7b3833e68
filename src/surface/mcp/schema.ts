import { z } from 'zod';
import { COMMON_ARGUMENTS } from '../../tool/args.ts';
import type { AnyTool } from '../../tool/declaration.ts';

type Json = { [key: string]: unknown };

/**
 * The input schema as a client is shown it: every character is paid for by every conversation,
 * so what explains nothing is left out, and the arguments common to all tools are described once
 * in the server's instructions. An argument may be of a pack (`meta({ pack })`): it is always
 * taken, and listed where its pack is.
 *
 * @param packs - Packs that are listed; without them every argument is.
 */
export function listedSchema(tool: AnyTool, packs?: readonly string[]): Json {
  const schema = z.toJSONSchema(tool.input, { io: 'input' }) as Json;
  const properties = schema['properties'] as Record<string, Json>;
  for (const [name, property] of Object.entries(properties)) {
    const pack = property['pack'] as string | undefined;
    if (pack !== undefined && packs && !packs.includes('all') && !packs.includes(pack)) {
      delete properties[name];
      continue;
    }
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

/** Arguments that are listed only where their pack is, with it. */
export function argumentPacks(tool: AnyTool): Record<string, string> {
  const { properties } = z.toJSONSchema(tool.input, { io: 'input' }) as {
    properties: Record<string, { pack?: string }>;
  };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { pack }]) => (pack ? [[name, pack]] : [])),
  );
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
  'pack',
  'secret',
  'propertyNames',
];

function prune(schema: Json): void {
  for (const key of UNLISTED) {
    if (key === 'additionalProperties' && typeof schema[key] === 'object') continue;
    delete schema[key];
  }
  if (saysNothing(schema['default'])) delete schema['default'];
  if (isEmpty(schema['additionalProperties'])) delete schema['additionalProperties'];
  for (const child of Object.values((schema['properties'] as Record<string, Json>) ?? {})) {
    prune(child);
  }
  const rest = schema['additionalProperties'];
  if (typeof rest === 'object' && rest !== null) prune(rest as Json);
  if (schema['items']) prune(schema['items'] as Json);
  for (const option of (schema['anyOf'] as Json[]) ?? []) prune(option);
}

/** A default that a caller would expect anyhow: off, nothing, no entries. */
function saysNothing(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0) || isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
