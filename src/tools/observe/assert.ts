import { z } from 'zod';
import { conditionResultSchema, conditionSchema, MAX_CONDITIONS } from '../../model/condition.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const assert = defineTool({
  name: 'browser_assert',
  summary:
    'Check conditions on address, elements, text, console and network; all must hold, each is reported.',
  effect: 'read',
  scope: 'page',
  pack: 'observe',
  limit: 'wait',
  extraMs: (input) => input.waitMs,
  aliases: { condition: 'conditions' },
  input: z.strictObject({
    conditions: z
      .union([conditionSchema, z.array(conditionSchema).min(1).max(MAX_CONDITIONS)])
      .describe('One condition, or 1 to 32.'),
    waitMs: z
      .int()
      .min(0)
      .max(120_000)
      .default(0)
      .describe('Check again for this long, until all hold.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    holds: z.boolean().describe('Whether all hold.'),
    results: z.array(conditionResultSchema).describe('Each condition, in order.'),
    waitedMs: z.int().describe('How long it took.'),
  }),
  examples: [
    {
      title: 'Check address and heading',
      on: '/',
      input: {
        conditions: [
          { kind: 'url', contains: '/' },
          { kind: 'element', target: 'h1', state: 'visible' },
        ],
      },
    },
    {
      title: 'Nothing went wrong',
      on: '/',
      input: { conditions: { kind: 'console', level: 'error', absent: true } },
    },
  ],
  async run({ page, deps, signal }, { conditions, waitMs }) {
    const startedAt = performance.now();
    const results = await deps.observe.checkConditions(
      {
        page: page.raw,
        journal: deps.journals.of(page.raw),
        selector: (target) => deps.lens.selector(target),
      },
      Array.isArray(conditions) ? conditions : [conditions],
      waitMs,
      signal,
    );
    return {
      holds: results.every((result) => result.holds),
      results,
      waitedMs: Math.round(performance.now() - startedAt),
    };
  },
  render({ holds, results, waitedMs }) {
    const failed = results.filter((result) => !result.holds).length;
    const verdict = holds
      ? `All ${results.length} hold, after ${waitedMs} ms.`
      : `FAILED: ${failed} of ${results.length} do not hold, after ${waitedMs} ms.`;
    return [
      { source: 'oriel', text: verdict },
      {
        source: 'page',
        text: results
          .map((one) => `${one.holds ? 'holds' : 'FAILS'}: ${one.expected} — found: ${one.found}`)
          .join('\n'),
      },
    ];
  },
});
