import { z } from 'zod';
import { pageArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const read = defineTool({
  name: 'browser_read',
  summary:
    'Read the text, markdown or links of the page or of an element, for content not controls.',
  effect: 'read',
  scope: 'page',
  limit: 'action',
  aliases: TARGET_ALIASES,
  peerNames: ['browser_get_text'],
  input: z.strictObject({
    format: z.enum(['text', 'markdown', 'links']).default('text').describe('What to read.'),
    target: targetArg.optional(),
    maxChars: z.int().min(100).max(1_000_000).default(10_000).describe('Most characters.'),
    limit: z.int().min(1).max(1_000).default(50).describe('Most links.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    url: z.string().describe('Address of the page.'),
    text: z.string().describe('Text or markdown; empty for links.'),
    links: z
      .array(z.strictObject({ text: z.string(), href: z.string() }))
      .describe('Links; empty for text and markdown.'),
    total: z.int().describe('Characters, or links, in all.'),
    isTruncated: z.boolean().describe('Whether some were left out.'),
  }),
  examples: [
    { title: 'Read as markdown', on: '/delivery', input: { format: 'markdown' } },
    { title: 'List the links', on: '/', input: { format: 'links', limit: 10 } },
  ],
  async run({ page, deps, signal }, input) {
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    const url = page.url;
    if (input.format === 'links') {
      const { links, total } = await deps.reader.links(
        page.raw,
        target?.locator ?? null,
        input.limit,
        signal,
      );
      return { url, text: '', links, total, isTruncated: total > links.length };
    }
    const whole =
      input.format === 'text'
        ? await deps.reader.text(page.raw, target?.locator ?? null, signal)
        : await deps.toMarkdown(await deps.reader.html(page.raw, target?.locator ?? null, signal));
    const text = whole.slice(0, input.maxChars).toWellFormed();
    return { url, text, links: [], total: whole.length, isTruncated: whole.length > text.length };
  },
  render({ url, text, links, total, isTruncated }) {
    const isLinks = links.length > 0;
    const shown = isLinks ? links.length : text.length;
    const what = isLinks ? 'links' : 'characters';
    return [
      {
        source: 'oriel',
        text: isTruncated ? `The first ${shown} of ${total} ${what}.` : `All ${total} ${what}.`,
      },
      {
        source: 'page',
        origin: URL.canParse(url) ? new URL(url).origin : url,
        text: isLinks ? links.map((link) => `- [${link.text}](${link.href})`).join('\n') : text,
      },
    ];
  },
});
