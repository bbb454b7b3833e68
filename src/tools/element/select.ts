import { z } from 'zod';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const select = defineTool({
  name: 'browser_select',
  summary: 'Choose options of a <select> by value or label.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: { ...TARGET_ALIASES, value: 'values' },
  peerNames: ['browser_select_option'],
  input: z.strictObject({
    target: targetArg,
    values: z.array(z.string()).min(1).max(200).describe('Values or labels.'),
    ...actArgs,
  }),
  output: z.strictObject({
    field: z.string().describe('The list, in the words of the page.'),
    values: z.array(z.string()).describe('The values that are now chosen.'),
  }),
  examples: [
    { title: 'Choose', on: '/checkout', input: { target: 'label=Country', values: ['France'] } },
  ],
  async run({ page, deps, signal }, input) {
    const target = await deps.lens.locate(page.raw, input.target, signal);
    const { acted, values } = await deps.act.select(target, input.values, signal);
    return { field: acted.description, values };
  },
  render({ field, values }) {
    return [
      { source: 'oriel', text: 'Selected.' },
      { source: 'page', text: `${field} = ${JSON.stringify(values)}` },
    ];
  },
});
