import { z } from 'zod';
import { actArgs, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const drag = defineTool({
  name: 'browser_drag',
  summary: 'Drag one element onto another.',
  effect: 'act',
  scope: 'page',
  pack: 'pointer',
  limit: 'action',
  aliases: { startTarget: 'from', endTarget: 'to', startRef: 'from', endRef: 'to' },
  input: z.strictObject({
    from: targetArg,
    to: targetArg,
    steps: z.int().min(1).max(100).default(8).describe('Moves between the two.'),
    ...actArgs,
  }),
  output: z.strictObject({
    from: z.string().describe('What was dragged, in the words of the page.'),
    to: z.string().describe('Where it was dropped.'),
  }),
  examples: [
    {
      title: 'Drag a link into a field',
      on: '/',
      input: { from: 'role=link[name="Bay Lamp"]', to: 'role=searchbox' },
    },
  ],
  async run({ page, deps, signal }, input) {
    const from = await deps.lens.locate(page.raw, input.from, signal);
    const to = await deps.lens.locate(page.raw, input.to, signal);
    const dragged = await deps.act.drag(page.raw, from, to, input.steps, signal);
    return { from: dragged.from.description, to: dragged.to.description };
  },
  render({ from, to }) {
    return [
      { source: 'oriel', text: 'Dragged.' },
      { source: 'page', text: `${from} → ${to}` },
    ];
  },
});
