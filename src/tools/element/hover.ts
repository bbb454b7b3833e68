import { z } from 'zod';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { refuseCovered } from '../../tool/cover.ts';
import { defineTool } from '../../tool/declaration.ts';

export const hover = defineTool({
  name: 'browser_hover',
  summary: 'Move the mouse over an element, for menus and tooltips that open on hover.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: TARGET_ALIASES,
  input: z.strictObject({ target: targetArg, ...actArgs }),
  output: z.strictObject({
    hovered: z.string().describe('What the mouse is over, in the words of the page.'),
  }),
  examples: [{ title: 'Hover', on: '/', input: { target: 'role=button[name="Help"]' } }],
  async run({ page, deps, signal }, input) {
    const target = await deps.lens.locate(page.raw, input.target, signal);
    await refuseCovered(deps.lens, page.raw, target, signal);
    const acted = await deps.act.hover(target, signal);
    return { hovered: acted.description };
  },
  render({ hovered }) {
    return [
      { source: 'oriel', text: 'Hovering.' },
      { source: 'page', text: hovered },
    ];
  },
});
