import { z } from 'zod';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const type = defineTool({
  name: 'browser_type',
  summary: 'Type text into one field; answers with the value that then stands in it.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: { ...TARGET_ALIASES, value: 'text' },
  input: z.strictObject({
    target: targetArg,
    text: z.string().max(1_000_000).describe('What to type.'),
    clear: z.boolean().default(true).describe('Replace what stands there; false adds to its end.'),
    submit: z.boolean().default(false).describe('Press Enter afterwards.'),
    slowly: z.boolean().default(false).describe('Key by key, for pages that listen to keys.'),
    ...actArgs,
  }),
  output: z.strictObject({
    field: z.string().describe('The field, in the words of the page.'),
    value: z.string().nullable().describe('What stands in it; null where it is a password.'),
  }),
  examples: [{ title: 'Search', on: '/', input: { target: 'role=searchbox', text: 'lamp' } }],
  async run({ page, deps, signal }, input) {
    const target = await deps.lens.locate(page.raw, input.target, signal);
    const { acted, value } = await deps.act.type(
      target,
      input.text,
      { clear: input.clear, submit: input.submit, slowly: input.slowly },
      signal,
    );
    return { field: acted.description, value };
  },
  render(output) {
    return [
      { source: 'oriel', text: output.value === null ? 'Typed (value not shown).' : 'Typed.' },
      {
        source: 'page',
        text:
          output.value === null
            ? output.field
            : `${output.field} now holds ${JSON.stringify(output.value.slice(0, 500))}`,
      },
    ];
  },
});
