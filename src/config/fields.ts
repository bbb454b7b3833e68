import type { z } from 'zod';
import { configSchema } from './schema.ts';

export type FieldKind = 'boolean' | 'number' | 'string' | 'list' | 'map';

/** One leaf of the configuration with every name it goes by. */
export interface Field {
  /** Such as `network.exemptHosts`. */
  readonly path: string;
  readonly kind: FieldKind;
  /** Such as `ORIEL_NETWORK_EXEMPT_HOSTS`. */
  readonly env: string;
  /** Such as `--network-exempt-hosts`, and the short form where there is one. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly default: unknown;
  /** Allowed values of a choice. */
  readonly choices: readonly string[] | null;
  readonly isSecret: boolean;
}

interface Def {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  entries?: Record<string, string>;
  defaultValue?: unknown;
  shape?: Record<string, z.ZodType>;
}

const defOf = (schema: z.ZodType): Def => schema.def;

/** Every leaf of the configuration, in the order of the schema. */
export function listFields(): readonly Field[] {
  return walk(configSchema, []);
}

function walk(schema: z.ZodType, path: readonly string[]): Field[] {
  const { core } = peel(schema);
  const def = defOf(core);
  if (def.type === 'object') {
    return Object.entries(def.shape ?? {}).flatMap(([key, child]) => walk(child, [...path, key]));
  }
  return [leaf(schema, path)];
}

function leaf(schema: z.ZodType, path: readonly string[]): Field {
  const { core, defaultValue } = peel(schema);
  const meta = (schema.meta() ?? {}) as { flag?: string; secret?: boolean };
  const words = path.flatMap(splitWords);
  const long = words.join('-');
  const def = defOf(core);
  return {
    path: path.join('.'),
    kind: kindOf(def),
    env: `ORIEL_${words.join('_').toUpperCase()}`,
    flags: [...new Set([...(meta.flag ? [meta.flag] : []), long])].map((name) => `--${name}`),
    description: schema.description ?? '',
    default: defaultValue,
    choices: def.type === 'enum' ? Object.values(def.entries ?? {}) : null,
    isSecret: meta.secret === true,
  };
}

function peel(schema: z.ZodType): { core: z.ZodType; defaultValue: unknown } {
  let core = schema;
  let defaultValue: unknown;
  for (;;) {
    const def = defOf(core);
    if (def.type === 'default' || def.type === 'prefault') defaultValue ??= def.defaultValue;
    if (!def.innerType) return { core, defaultValue };
    core = def.innerType;
  }
}

function kindOf(def: Def): FieldKind {
  switch (def.type) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'array':
      // Objects cannot be told apart by commas.
      return def.element && defOf(peel(def.element).core).type === 'object' ? 'map' : 'list';
    case 'record':
      return 'map';
    default:
      return 'string';
  }
}

function splitWords(key: string): string[] {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
}
