import { z } from 'zod';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const press = defineTool({
  name: 'browser_press',
  summary: 'Press a key or chord (Enter, Escape, Control+a) where the focus is, or on an element.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: TARGET_ALIASES,
  peerNames: ['browser_press_key', 'browser_key_press'],
  input: z.strictObject({
    key: z.string().min(1).max(100).describe('Key, with modifiers before it.'),
    target: targetArg.optional(),
    count: z.int().min(1).max(100).default(1).describe('How often.'),
    ...actArgs,
  }),
  output: z.strictObject({ pressed: z.string().describe('The key.') }),
  examples: [{ title: 'Leave a dialog', on: '/', input: { key: 'Escape' } }],
  async run({ page, deps, signal }, input) {
    const on =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    for (let pressed = 0; pressed < input.count; pressed++) {
      if (on) await deps.act.pressOn(on, input.key, signal);
      else await deps.act.press(page.raw, input.key, 0, signal);
    }
    return { pressed: input.key };
  },
  render({ pressed }) {
    return [{ source: 'oriel', text: `Pressed ${pressed}.` }];
  },
});
