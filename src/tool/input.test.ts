import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isOrielError } from '../kernel/errors.ts';
import { TARGET_ALIASES } from './args.ts';
import { defineTool, type AnyTool } from './declaration.ts';
import { parseInput } from './input.ts';

const tool: AnyTool = defineTool({
  name: 'browser_sample',
  summary: 'A sample.',
  effect: 'read',
  scope: 'server',
  limit: 'action',
  aliases: { ...TARGET_ALIASES, clickCount: 'count' },
  input: z.strictObject({
    target: z.string().min(1).max(20).optional(),
    count: z.int().min(1).max(30).default(1),
    ratio: z.number().min(0).max(1).optional(),
    isLoud: z.boolean().optional(),
    names: z.array(z.string()).max(3).optional(),
    rows: z.array(z.strictObject({ n: z.int().min(0).max(9) })).optional(),
    options: z.strictObject({ deep: z.boolean() }).optional(),
    mode: z.enum(['fast', 'slow']).optional(),
    timeoutMs: z.int().min(1).max(3_600_000).optional(),
    session: z.string().optional(),
  }),
  output: z.unknown(),
  examples: [],
  run: () => Promise.resolve(null),
  render: () => [],
});

const parse = (input: unknown) => parseInput(tool, input);

function refusal(input: unknown): { message: string; hint: string } {
  try {
    parse(input);
  } catch (error) {
    if (isOrielError(error, 'bad_input')) {
      return { message: error.message, hint: error.hint ?? '' };
    }
    throw error;
  }
  throw new Error('It was taken');
}

describe('numbers', () => {
  it.each([
    ['25', 25],
    ['007', 7],
    ['25.0', 25],
    [25, 25],
    [1e1, 10],
    [1, 1],
    [30, 30],
  ])('%j is taken as %j', (given, taken) => {
    expect(parse({ count: given })['count']).toBe(taken);
  });

  it.each([
    '0x10',
    '1e1',
    '25ms',
    '1000ms',
    ' 5',
    '5 ',
    '+5',
    '',
    'five',
    '5.5',
    '1,000',
    '٣',
    'Infinity',
    'NaN',
    5.5,
    800.5,
    0,
    31,
    -1,
    '31',
    '99999999999999999999',
    true,
    null,
    [5],
    { n: 5 },
  ])('%j is refused, with the field named', (given) => {
    expect(refusal({ count: given }).message).toContain('`count`');
  });

  it('are read inside lists and objects too', () => {
    expect(parse({ rows: [{ n: '7' }] })['rows']).toEqual([{ n: 7 }]);
    expect(refusal({ rows: [{ n: 1 }, { n: '0x1' }] }).message).toContain('`rows.1.n`');
  });

  it('may have a fraction where the field takes one', () => {
    expect(parse({ ratio: '0.25' })['ratio']).toBe(0.25);
    expect(refusal({ ratio: 1.01 }).message).toContain('`ratio`');
  });
});

describe('other values', () => {
  it('takes true and false as text, and nothing looser', () => {
    expect(parse({ isLoud: 'true' })['isLoud']).toBe(true);
    expect(parse({ isLoud: 'false' })['isLoud']).toBe(false);
    for (const given of ['yes', '1', 1, 'TRUE', '']) {
      expect(refusal({ isLoud: given }).message).toContain('`isLoud`');
    }
  });

  it('takes lists and objects as JSON text', () => {
    expect(parse({ names: '["a","b"]' })['names']).toEqual(['a', 'b']);
    expect(parse({ options: '{"deep": "true"}' })['options']).toEqual({ deep: true });
    expect(refusal({ names: '[broken' }).message).toContain('`names`');
    expect(refusal({ names: 'a' }).message).toContain('`names`');
  });

  it('leaves out what is undefined', () => {
    expect(parse({ target: undefined, count: 2 })).toEqual({ count: 2 });
  });

  it('says what is missing, what was given and what is taken', () => {
    expect(refusal({ mode: 'quick' })).toMatchObject({
      message: expect.stringMatching(/`mode`.*"fast"\|"slow".*got "quick"/) as string,
      hint: expect.stringContaining('mode') as string,
    });
    expect(refusal({ options: {} }).message).toContain('`options.deep` is missing');
    expect(refusal({ target: 'x'.repeat(21) }).message).toContain('`target`');
  });

  it('shows at most 60 characters of a value', () => {
    expect(refusal({ target: 'y'.repeat(5000) }).message.length).toBeLessThan(200);
  });
});

describe('names of arguments', () => {
  it.each([
    [{ ref: 'e1' }, { target: 'e1' }],
    [{ selector: '#a' }, { target: '#a' }],
    [{ element_ref: 'e1' }, { target: 'e1' }],
    [{ elementRef: 'e1' }, { target: 'e1' }],
    [{ uid: 'e1' }, { target: 'e1' }],
    [{ click_count: 2 }, { count: 2 }],
    [{ timeout: 5 }, { timeoutMs: 5 }],
    [{ timeout_ms: 5 }, { timeoutMs: 5 }],
    [{ sessionId: 's' }, { session: 's' }],
    [{ is_loud: true }, { isLoud: true }],
  ])('%j is read as %j', (given, taken) => {
    expect(parse(given)).toMatchObject(taken);
  });

  it('ignores a description of the element, and nothing else', () => {
    expect(parse({ element: 'The big button', target: 'e1' })).toEqual({ target: 'e1', count: 1 });
    expect(refusal({ elements: 'x' }).message).toContain('`elements`');
  });

  it('names unknown arguments, the nearest match and what is expected', () => {
    const { message, hint } = refusal({ targte: 'e1', zzzzzzzz: 1 });
    expect(message).toBe(
      'browser_sample has no argument `targte` (did you mean `target`?), `zzzzzzzz`.',
    );
    expect(hint).toContain('target, count');
  });

  it('takes the same value under two names, and refuses two values', () => {
    expect(parse({ ref: 'e1', target: 'e1' })['target']).toBe('e1');
    expect(refusal({ target: 'e2', ref: 'e1' }).message).toBe(
      '`ref` and `target` mean the same and differ.',
    );
    expect(refusal({ ref: 'e1', selector: 'e2' }).message).toContain('`ref` and `selector`');
    expect(refusal({ ref: 'e1', target: 'e2' }).message).toContain('`ref` and `target`');
  });

  it.each([[[1]], ['text'], [5], [true]])('takes no %j for the whole', (given) => {
    expect(refusal(given).message).toContain('object of arguments');
  });

  it.each([[undefined], [null], [{}]])('takes %j for no arguments', (given) => {
    expect(parse(given)).toEqual({ count: 1 });
  });

  it('is not fooled by names that every object has', () => {
    expect(refusal({ constructor: 1 }).message).toContain('`constructor`');
    expect(refusal(JSON.parse('{"__proto__": {"count": 3}}')).message).toContain('`__proto__`');
    expect(refusal({ toString: 1 }).message).toContain('`toString`');
  });
});
