import type { z } from 'zod';
import { OrielError } from '../kernel/errors.ts';
import type { AnyTool } from './declaration.ts';
import { isSecretAt } from './secret-input.ts';
import { nearest } from '../kernel/nearest.ts';
import { fold } from './suggest.ts';

/** What of a tool its arguments are read by. */
type Declared = Pick<AnyTool, 'name' | 'input' | 'aliases'>;

/** Peers' names for arguments that every tool has. */
const COMMON_ALIASES: Readonly<Record<string, string>> = {
  sessionId: 'session',
  pageId: 'page',
  tabId: 'page',
  targetId: 'page',
  timeout: 'timeoutMs',
};

/** A peer's human description of the element; the target alone decides. */
const IGNORED = new Set(['element']);

/**
 * Reads a tool's input: peers' spellings are taken where they are unambiguous, numbers and
 * booleans also as text, and everything else that does not fit is refused by name.
 *
 * @throws `bad_input` naming each argument, what it holds, and what was expected.
 */
export function parseInput(tool: Declared, input: unknown): Record<string, unknown> {
  const given = input ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new OrielError('bad_input', `${tool.name} takes an object of arguments.`, {
      hint: `It takes: ${argumentNames(tool).join(', ') || 'no arguments'}.`,
    });
  }
  const shape = tool.input.shape as Record<string, z.ZodType>;
  const named = renameArguments(tool, given as Record<string, unknown>, shape);
  const coerced: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(named)) {
    coerced[key] = coerce(shape[key], value);
  }
  const parsed = tool.input.safeParse(coerced) as z.ZodSafeParseResult<Record<string, unknown>>;
  if (!parsed.success) throw describe(tool, parsed.error, coerced);
  return parsed.data;
}

export function argumentNames(tool: Pick<AnyTool, 'input'>): string[] {
  return Object.keys(tool.input.shape as Record<string, unknown>);
}

function renameArguments(
  tool: Declared,
  given: Record<string, unknown>,
  shape: Record<string, z.ZodType>,
): Record<string, unknown> {
  const names = Object.keys(shape);
  const byFold = new Map(names.map((name) => [fold(name), name]));
  for (const [alias, name] of Object.entries({ ...COMMON_ALIASES, ...tool.aliases })) {
    if (name in shape && !byFold.has(fold(alias))) byFold.set(fold(alias), name);
  }
  const renamed: Record<string, unknown> = {};
  const givenAs = new Map<string, string>();
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = Object.hasOwn(shape, key) ? key : byFold.get(fold(key));
    if (name === undefined) {
      if (!IGNORED.has(key)) unknown.push(key);
      continue;
    }
    if (value === undefined) continue;
    const before = givenAs.get(name);
    if (before !== undefined && renamed[name] !== value) {
      const both = [before, key].toSorted().map((one) => `\`${one}\``);
      throw new OrielError('bad_input', `${both.join(' and ')} mean the same and differ.`, {
        hint: `Give \`${name}\` alone.`,
      });
    }
    renamed[name] = value;
    givenAs.set(name, key);
  }
  if (unknown.length > 0) throw unknownArguments(tool, unknown, names);
  return renamed;
}

function unknownArguments(tool: Declared, unknown: string[], names: string[]): OrielError {
  const parts = unknown.map((key) => {
    const near = nearest(key, names);
    return `\`${key}\`${near ? ` (did you mean \`${near}\`?)` : ''}`;
  });
  return new OrielError('bad_input', `${tool.name} has no argument ${parts.join(', ')}.`, {
    hint: `It takes: ${names.join(', ') || 'no arguments'}.`,
    details: { unknown, expected: names },
  });
}

interface Def {
  type: string;
  innerType?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
}

/** Models often send `"25"` for 25 and `"true"` for true; nothing looser is taken. */
function coerce(schema: z.ZodType | undefined, value: unknown): unknown {
  let core = schema;
  while (core && (core.def as Def).innerType) core = (core.def as Def).innerType;
  if (!core) return value;
  const def = core.def as unknown as Def;
  if (typeof value === 'string') {
    if (def.type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    if (def.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
    if (def.type !== 'array' && def.type !== 'object') return value;
    const parsed = parseJson(value, def.type);
    return typeof parsed === 'string' ? parsed : coerce(core, parsed);
  }
  if (def.type === 'array' && Array.isArray(value)) {
    return value.map((entry) => coerce(def.element, entry));
  }
  if (def.type === 'object' && typeof value === 'object' && value !== null && def.shape) {
    const shape = def.shape;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, coerce(shape[key], entry)]),
    );
  }
  return value;
}

/** Some clients send lists and objects as JSON text. */
function parseJson(text: string, type: string): unknown {
  if (!text.startsWith(type === 'array' ? '[' : '{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function describe(
  tool: Declared,
  error: z.ZodError,
  given: Readonly<Record<string, unknown>>,
): OrielError {
  const lines = error.issues.map((issue) => {
    const where = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return `${where ? `\`${where}\`: ` : ''}unknown ${issue.keys.join(', ')}`;
    }
    const value = issue.path.reduce<unknown>(
      (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
      given,
    );
    const isHidden = value === undefined || isSecretAt(tool, issue.path);
    const shown = isHidden ? '' : ` (got ${preview(value)})`;
    const what =
      value === undefined && issue.code === 'invalid_type' ? 'is missing' : issue.message;
    return where ? `\`${where}\` ${lowerFirst(what)}${shown}` : lowerFirst(what);
  });
  return new OrielError('bad_input', `${tool.name}: ${lines.join('; ')}.`, {
    hint: `It takes: ${argumentNames(tool).join(', ')}.`,
    details: { arguments: error.issues.map((issue) => issue.path.map(String).join('.')) },
  });
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
