import { cell, code } from './markdown.ts';

/** The part of JSON Schema that zod writes for our declarations. */
export interface Json {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly additionalProperties?: Json | boolean;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** One named value of a schema, nested ones by their path: `fields[].target`. */
export interface Leaf {
  readonly path: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

export function listLeaves(schema: Json, prefix = ''): Leaf[] {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const leaves = options.flatMap((option) => listLeaves(option, prefix));
    return [...new Map(leaves.map((leaf) => [leaf.path, { ...leaf, isRequired: false }])).values()];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const leaf = { path, schema: property, isRequired: schema.required?.includes(name) ?? false };
    const whole = withoutNull(property);
    const inner = whole.items ?? whole;
    const hasParts = inner.properties || inner.anyOf || inner.oneOf;
    const below = hasParts ? listLeaves(inner, `${path}${whole.items ? '[]' : ''}.`) : [];
    return [leaf, ...below];
  });
}

/** A type as a reader takes it, such as `text`, `whole number or null`, `list of text`. */
export function typeText(schema: Json): string {
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (Array.isArray(schema.type)) {
    return (schema.type as string[]).map((type) => typeText({ ...schema, type })).join(' or ');
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeText))].join(' or ');
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? 'time (ISO 8601)' : 'text';
    case 'integer':
      return 'whole number';
    case 'number':
      return 'number';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return `list of ${schema.items ? typeText(schema.items) : 'anything'}`;
    case 'object':
      return schema.properties ? 'object' : 'map';
    default:
      return 'anything';
  }
}

/** Bounds such as `1 to 3`, `at most 8192 characters`; empty where there are none. */
export function boundsText(schema: Json): string {
  const { items, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const isSafe = (value: number | undefined) =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
  const parts = [
    range(isSafe(schema.minimum), isSafe(schema.maximum), ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    pattern === undefined || schema.format === 'date-time' ? '' : `matches ${code(pattern)}`,
    items?.anyOf || items?.properties ? '' : items ? boundsText(items) : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

export function descriptionText(schema: Json): string {
  return cell(schema.description ?? '');
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  if (max !== undefined) return `at most ${max}${unit}`;
  return min === undefined ? '' : `at least ${min}${unit}`;
}

function withoutNull(schema: Json): Json {
  return schema.anyOf?.find((option) => option.type !== 'null') ?? schema;
}
