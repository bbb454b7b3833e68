import path from 'node:path';
import { z } from 'zod';
import { Deadline } from '../../kernel/deadline.ts';
import { OrielError, toOrielError } from '../../kernel/errors.ts';
import { actArgs, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { stageInputs } from '../../tool/stage-inputs.ts';

/** How long one field may take where the others are tried all the same. */
const FIELD_MS = 1_500;
/** What each further field may add to the time of the call. */
const EXTRA_MS = 500;

export const fill = defineTool({
  name: 'browser_fill',
  summary:
    'Set many form fields of any kind in one call; answers with what differs from what was asked.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  extraMs: ({ fields }) => (fields.length - 1) * EXTRA_MS,
  peerNames: ['browser_fill_form'],
  input: z.strictObject({
    fields: z
      .array(
        z.strictObject({
          target: targetArg,
          value: z
            .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
            .describe(
              'Text; true or false for a checkbox; option(s) of a select; path(s) of files.',
            ),
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
          ref: z.string().nullable(),
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
  async run(run, input) {
    const { page, deps, signal } = run;
    const fields: FilledField[] = [];
    const stage = async (paths: readonly string[]) => (await stageInputs(run, paths)).staged;
    for (const { target, value } of input.fields) {
      // A field that is not there must not use up the time of those that are.
      using each = new Deadline(input.stopOnError ? 0 : FIELD_MS, signal);
      try {
        const field = await deps.lens.locate(page.raw, target, each.signal);
        const { acted, value: stands } = await deps.act.setField(field, value, stage, each.signal);
        fields.push({ target, ref: acted.ref, field: acted.description, value: stands });
      } catch (thrown) {
        const error = toOrielError(thrown);
        if (signal.aborted) throw thrown;
        if (input.stopOnError || ['cancelled', 'gone'].includes(error.code)) {
          throw inField(error, fields.length, input.fields.length);
        }
        fields.push({
          target,
          ref: null,
          field: target,
          value: null,
          error: `${error.code}: ${error.message}`,
        });
      }
    }
    return { fields };
  },
  tells: ({ fields }) => fields.flatMap(({ ref }) => ref ?? []),
  render({ fields }, { fields: asked }) {
    const failed = fields.filter((field) => field.error !== undefined).length;
    const set = fields.length - failed;
    const others = fields.flatMap((field, index) => {
      if (field.error !== undefined) return [`${field.field}: ${field.error}`];
      if (isAsAsked(field.value, asked[index]?.value)) return [];
      return [`${field.field} holds ${JSON.stringify(field.value?.slice(0, 200))}`];
    });
    const differ = others.length - failed;
    return [
      {
        source: 'oriel',
        text: [
          failed > 0 ? `Set ${set} of ${fields.length} fields` : `Set ${counted(set)}`,
          differ > 0 ? `; ${differ} did not take what was asked as it was:` : ' as asked.',
        ].join(''),
      },
      { source: 'page', text: others.join('\n') },
    ];
  },
});

interface FilledField {
  readonly target: string;
  readonly ref: string | null;
  readonly field: string;
  readonly value: string | null;
  readonly error?: string;
}

/** The fields before it are set, those after it are not. */
function inField(error: OrielError, done: number, total: number): OrielError {
  if (total === 1) return error;
  return new OrielError(error.code, `Field ${done + 1} of ${total}: ${error.message}`, {
    hint: error.hint,
    details: { ...error.details, field: done + 1, total },
    pageText: error.pageText,
    cause: error,
  });
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`;
}

/** Of a password nothing more is known than that it was taken. */
function isAsAsked(
  stands: string | null,
  asked: string | number | boolean | readonly string[] | undefined,
): boolean {
  if (stands === null) return true;
  if (stands === 'checked' || stands === 'unchecked') {
    return String(asked) === String(stands === 'checked') || asked === stands;
  }
  if (stands === (typeof asked === 'object' ? asked.join(', ') : String(asked))) return true;
  // Of files the page knows the names alone.
  return typeof asked !== 'number' && typeof asked !== 'boolean' && stands === namesOf(asked ?? '');
}

function namesOf(paths: string | readonly string[]): string {
  return [paths]
    .flat()
    .map((one) => path.basename(one))
    .join(', ');
}
