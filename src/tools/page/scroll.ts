import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const SIGNS = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
} as const;

export const scroll = defineTool({
  name: 'browser_scroll',
  summary: 'Scroll the page or an element by pixels, or an element into view.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: TARGET_ALIASES,
  input: z.strictObject({
    direction: z
      .enum(['up', 'down', 'left', 'right'])
      .optional()
      .describe('Without it, target is brought into view.'),
    pixels: z.int().min(1).max(100_000).default(600).describe('How far.'),
    target: targetArg.optional(),
    ...actArgs,
  }),
  output: z.strictObject({
    x: z
      .int()
      .nullable()
      .describe('Scroll position of the page; null when not scrolled by pixels.'),
    y: z.int().nullable().describe('The same, downwards.'),
    maxY: z.int().nullable().describe('The largest y.'),
  }),
  examples: [{ title: 'Scroll down', on: '/orders', input: { direction: 'down' } }],
  async run({ page, deps, signal }, input) {
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    if (input.direction === undefined) {
      if (!target) {
        throw new OrielError('bad_input', 'browser_scroll needs a direction or a target.', {
          hint: 'For example {"direction": "down"} or {"target": "e12"}.',
        });
      }
      await deps.act.scrollTo(target, signal);
      return { x: null, y: null, maxY: null };
    }
    const sign = SIGNS[input.direction];
    const delta = { x: sign.x * input.pixels, y: sign.y * input.pixels };
    const { x, y, maxY } = await deps.act.scrollBy(page.raw, target, delta, signal);
    return { x, y, maxY };
  },
  render({ x, y, maxY }) {
    const text = y === null ? 'It is in view.' : `The page is at x ${x}, y ${y} of ${maxY}.`;
    return [{ source: 'oriel', text }];
  },
});
