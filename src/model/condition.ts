import { z } from 'zod';
import { CONSOLE_LEVELS } from './console.ts';

/** Most conditions of one assertion. */
export const MAX_CONDITIONS = 32;

export const ELEMENT_STATES = [
  'visible',
  'hidden',
  'enabled',
  'disabled',
  'checked',
  'unchecked',
  'editable',
  'readonly',
  'focused',
] as const;
export type ElementState = (typeof ELEMENT_STATES)[number];

const text = z.string().min(1).max(2_000);
const absent = z.boolean().optional().describe('true: it must not be there.');

const urlCondition = z.strictObject({
  kind: z.literal('url'),
  equals: text.optional(),
  contains: text.optional(),
  matches: text.optional().describe('Regular expression.'),
});
const elementCondition = z.strictObject({
  kind: z.literal('element'),
  target: text.describe('Ref or selector.'),
  state: z.enum(ELEMENT_STATES).optional(),
  count: z.int().min(0).max(100_000).optional().describe('How many match.'),
  attribute: z.string().min(1).max(200).optional().describe('Attribute that must be there.'),
  value: z
    .string()
    .max(10_000)
    .optional()
    .describe('Value of the attribute, or of the field without one.'),
});
const textCondition = z.strictObject({
  kind: z.literal('text'),
  contains: text.describe('Text of the page.'),
  absent,
});
const consoleCondition = z.strictObject({
  kind: z.literal('console'),
  level: z.enum(CONSOLE_LEVELS).optional(),
  contains: text.optional(),
  absent,
});
const networkCondition = z.strictObject({
  kind: z.literal('network'),
  containsUrl: text,
  method: z.string().min(1).max(20).optional(),
  status: z.int().min(100).max(599).optional(),
  absent,
});

/** Something that can be said of a page and checked. */
export const conditionSchema = z.discriminatedUnion('kind', [
  urlCondition,
  elementCondition,
  textCondition,
  consoleCondition,
  networkCondition,
]);
export type Condition = z.output<typeof conditionSchema>;
export type ConditionOf<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>;

export const conditionResultSchema = z.strictObject({
  kind: z.string(),
  holds: z.boolean(),
  expected: z.string().describe('The condition in words.'),
  found: z.string().describe('What the page has instead, or as well.'),
});
export type ConditionResult = z.output<typeof conditionResultSchema>;
