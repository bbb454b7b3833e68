import { z } from 'zod';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { refuseCovered } from '../../tool/cover.ts';
import { defineTool } from '../../tool/declaration.ts';

export const click = defineTool({
  name: 'browser_click',
  summary: 'Click an element; answers with what that changed.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: { ...TARGET_ALIASES, clickCount: 'count' },
  input: z.strictObject({
    target: targetArg,
    button: z.enum(['left', 'right', 'middle']).default('left').describe('Mouse button.'),
    count: z.int().min(1).max(3).default(1).describe('2 for a double click.'),
    modifiers: z
      .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
      .default([])
      .describe('Keys held down.'),
    delayMs: z.int().min(0).max(5_000).default(0).describe('Time between press and release.'),
    ...actArgs,
  }),
  output: z.strictObject({
    clicked: z.string().describe('What was clicked, in the words of the page.'),
    healed: z.boolean().describe('Whether it was replaced by its equal since it was seen.'),
  }),
  examples: [{ title: 'Click a link', on: '/', input: { target: 'text=Orders' } }],
  async run({ page, deps, signal }, input) {
    const target = await deps.lens.locate(page.raw, input.target, signal);
    await refuseCovered(deps.lens, page.raw, target, signal);
    const acted = await deps.act.click(
      target,
      {
        button: input.button,
        count: input.count,
        modifiers: input.modifiers,
        delayMs: input.delayMs,
      },
      signal,
    );
    return { clicked: acted.description, healed: acted.healed };
  },
  render(output) {
    return [
      {
        source: 'oriel',
        text: output.healed ? 'Clicked (its equal: the page had replaced it).' : 'Clicked.',
      },
      { source: 'page', text: output.clicked },
    ];
  },
});
