import { z } from 'zod';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const snapshot = defineTool({
  name: 'browser_snapshot',
  summary: 'See the page: what it holds as text, with a ref for everything that can be acted on.',
  effect: 'read',
  scope: 'page',
  limit: 'action',
  input: z.strictObject({
    budget: z.int().min(500).max(200_000).optional().describe('Most characters.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    page: z.string().describe('Id of the page.'),
    url: z.string().describe('Its address.'),
    title: z.string().describe('Its title.'),
    snapshot: z.string().describe('ARIA YAML with refs.'),
    isTruncated: z.boolean().describe('Whether something was left out.'),
  }),
  examples: [{ title: 'See the page', input: {} }],
  async run({ page, deps, signal }, input) {
    const seen = await deps.lens.snapshot(
      page.raw,
      { budget: input.budget ?? deps.config.answer.snapshotChars },
      signal,
    );
    return {
      page: page.id,
      url: seen.url,
      title: seen.title,
      snapshot: seen.text,
      isTruncated: seen.isTruncated,
    };
  },
  render(output) {
    return [
      { source: 'oriel', text: `${output.page}:` },
      {
        source: 'page',
        origin: URL.canParse(output.url) ? new URL(output.url).origin : output.url,
        text: `url: ${output.url}\ntitle: ${output.title}\n${output.snapshot}`,
      },
    ];
  },
});
