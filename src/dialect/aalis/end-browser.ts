import { z } from 'zod';
import { defineTool } from '../../tool/declaration.ts';

/** Ends the browser that runs, without waiting for it. */
export const endBrowser = defineTool({
  name: 'aalis_end_browser',
  summary: 'End the browser with every page of every session; the next page starts another.',
  effect: 'act',
  scope: 'server',
  limit: 'action',
  input: z.strictObject({ reason: z.string().max(200).describe('For the log.') }),
  output: z.strictObject({ generation: z.int().nullable().describe('The one that has ended.') }),
  examples: [{ title: 'End it', input: { reason: 'a screenshot was late' } }],
  async run({ deps }, { reason }) {
    const { running } = deps.engine;
    if (running) deps.engine.abandon(running.generation, reason);
    return { generation: running?.generation ?? null };
  },
  render: ({ generation }) => [
    { source: 'oriel', text: generation === null ? 'No browser runs.' : `Ended ${generation}.` },
  ],
});
