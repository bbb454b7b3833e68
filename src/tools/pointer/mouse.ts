import { z } from 'zod';
import { actArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const mouse = defineTool({
  name: 'browser_mouse',
  summary: 'Move, press, click or turn the wheel of the mouse at viewport coordinates.',
  effect: 'act',
  scope: 'page',
  pack: 'pointer',
  limit: 'action',
  input: z.strictObject({
    action: z
      .enum(['move', 'click', 'dblclick', 'rightclick', 'down', 'up', 'wheel'])
      .describe('What the mouse does.'),
    x: z.number().min(0).max(100_000).describe('CSS pixels from the left.'),
    y: z.number().min(0).max(100_000).describe('CSS pixels from the top.'),
    deltaX: z.number().min(-100_000).max(100_000).default(0).describe('Wheel, to the right.'),
    deltaY: z.number().min(-100_000).max(100_000).default(0).describe('Wheel, downwards.'),
    button: z.enum(['left', 'right', 'middle']).default('left').describe('Button.'),
    ...actArgs,
  }),
  output: z.strictObject({ done: z.string().describe('What was done, in one sentence.') }),
  examples: [{ title: 'Click a place', on: '/', input: { action: 'click', x: 20, y: 20 } }],
  async run({ page, deps, signal }, { action, x, y, deltaX, deltaY, button }) {
    await deps.act.mouse(page.raw, action, { x, y, deltaX, deltaY, button }, signal);
    return { done: `Mouse ${action} at ${x}, ${y}.` };
  },
  render({ done }) {
    return [{ source: 'oriel', text: done }];
  },
});
