import { z } from 'zod';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
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
    const { locator, description } = await deps.lens.locate(page.raw, input.target, signal);
    await deps.act.hover(locator, signal);
    return { hovered: description };
  },
  render({ hovered }) {
    return [
      { source: 'oriel', text: 'Hovering.' },
      { source: 'page', text: hovered },
    ];
  },
});
