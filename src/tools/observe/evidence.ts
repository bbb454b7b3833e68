import { z } from 'zod';
import { BUFFER_ENTRIES, consoleEntrySchema } from '../../model/console.ts';
import { exchangeSchema } from '../../model/traffic.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const SNAPSHOT_CHARS = 16_384;

export const evidence = defineTool({
  name: 'browser_evidence',
  summary: 'Collect the raw evidence of one kind: the whole console, network or snapshot, as JSON.',
  effect: 'read',
  scope: 'page',
  pack: 'observe',
  limit: 'action',
  input: z.strictObject({
    kind: z.enum(['console', 'network', 'snapshot']).describe('What to collect.'),
    ...pageArgs,
  }),
  output: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('console'),
      entries: z.array(consoleEntrySchema),
      dropped: z.int(),
    }),
    z.strictObject({
      kind: z.literal('network'),
      entries: z.array(exchangeSchema),
      dropped: z.int(),
    }),
    z.strictObject({
      kind: z.literal('snapshot'),
      url: z.string(),
      title: z.string(),
      snapshot: z.string(),
      isTruncated: z.boolean(),
    }),
  ]),
  examples: [{ title: 'Keep the console', on: '/', input: { kind: 'console' } }],
  async run({ page, deps, signal }, { kind }) {
    const journal = deps.journals.of(page.raw);
    const all = { limit: BUFFER_ENTRIES };
    if (kind === 'console') {
      const { returned: entries, dropped } = journal.console.query(all);
      return { kind, entries, dropped };
    }
    if (kind === 'network') {
      const { returned: entries, dropped } = journal.network.query(all);
      return { kind, entries, dropped };
    }
    const seen = await deps.lens.snapshot(page.raw, { budget: SNAPSHOT_CHARS }, signal);
    const { url, title, text: snapshot, truncated: isTruncated } = seen;
    return { kind, url, title, snapshot, isTruncated };
  },
  render(output) {
    return [
      { source: 'oriel', text: `Evidence of kind ${output.kind}:` },
      { source: 'page', text: JSON.stringify(output) },
    ];
  },
});
