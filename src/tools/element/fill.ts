import { z } from 'zod';
import { Deadline } from '../../kernel/deadline.ts';
import { toOrielError } from '../../kernel/errors.ts';
import { actArgs, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

/** How long one field may take where the others are tried all the same. */
const FIELD_MS = 1_500;

export const fill = defineTool({
  name: 'browser_fill',
  summary: 'Set many form fields of any kind in one call; answers with the value of each.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  peerNames: ['browser_fill_form'],
  input: z.strictObject({
    fields: z
      .array(
        z.strictObject({
          target: targetArg,
          value: z
            .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
            .describe('Text; true or false for a checkbox; option(s) for a select.'),
        }),
      )
      .min(1)
      .max(200)
      .describe('What to set, in order.'),
    stopOnError: z.boolean().default(true).describe('false: go on with the other fields.'),
    ...actArgs,
  }),
  output: z.strictObject({
    fields: z
      .array(
        z.strictObject({
          target: z.string(),
          field: z.string().describe('The field, in the words of the page.'),
          value: z.string().nullable().describe('What stands in it; null for a password.'),
          error: z.string().optional().describe('Why it was not set.'),
        }),
      )
      .describe('The fields that were tried, in order.'),
  }),
  examples: [
    {
      title: 'Fill a form',
      on: '/checkout',
      input: { fields: [{ target: 'label=Full name', value: 'Ada Lovelace' }] },
    },
  ],
  async run({ page, deps, signal }, input) {
    const fields: { target: string; field: string; value: string | null; error?: string }[] = [];
    for (const { target, value } of input.fields) {
      // A field that is not there must not use up the time of those that are.
      using each = new Deadline(input.stopOnError ? 0 : FIELD_MS, signal);
      try {
        const field = await deps.lens.locate(page.raw, target, each.signal);
        const { acted, value: stands } = await deps.act.setField(field, value, each.signal);
        fields.push({ target, field: acted.description, value: stands });
      } catch (thrown) {
        const error = toOrielError(thrown);
        if (input.stopOnError || signal.aborted || error.code === 'gone') throw thrown;
        fields.push({
          target,
          field: target,
          value: null,
          error: `${error.code}: ${error.message}`,
        });
      }
    }
    return { fields };
  },
  render({ fields }) {
    const failed = fields.filter((field) => field.error !== undefined).length;
    return [
      {
        source: 'oriel',
        text: `Set ${fields.length - failed} of ${fields.length} field${fields.length === 1 ? '' : 's'}.`,
      },
      {
        source: 'page',
        text: fields
          .map(({ field, value, error }) =>
            error === undefined
              ? `${field} = ${value === null ? '(not shown)' : JSON.stringify(value.slice(0, 200))}`
              : `${field}: ${error}`,
          )
          .join('\n'),
      },
    ];
  },
});
