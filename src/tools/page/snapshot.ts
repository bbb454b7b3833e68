import { z } from 'zod';
import { pageArgs, TARGET_ALIASES } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const snapshot = defineTool({
  name: 'browser_snapshot',
  summary: 'See the page as text, with a ref for all that can be acted on; search or open parts.',
  effect: 'read',
  scope: 'page',
  limit: 'action',
  aliases: TARGET_ALIASES,
  input: z.strictObject({
    query: z.string().min(1).max(500).optional().describe('Words or /regex/, over the whole page.'),
    target: z.string().min(1).max(200).optional().describe('Ref or selector of the part to see.'),
    expand: z.string().min(1).max(100).optional().describe('Handle of what was left out: r3.'),
    interactive: z.boolean().default(false).describe('Controls only.'),
    full: z.boolean().default(false).describe('Everything; over the answer limit it is a file.'),
    boxes: z.boolean().default(false).describe('With boxes in pixels.').meta({ pack: 'files' }),
    depth: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Levels of nesting.')
      .meta({ pack: 'files' }),
    format: z.enum(['lens', 'aria']).default('lens').describe("aria: Playwright's ARIA snapshot."),
    budget: z.int().min(500).max(200_000).optional().describe('Most characters.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    page: z.string().describe('Id of the page.'),
    url: z.string().describe('Its address.'),
    title: z.string().describe('Its title.'),
    snapshot: z.string().describe('ARIA YAML with refs.'),
    tree: z.array(z.unknown()).describe('The same as nodes: role, name, tag, href, visible, ref.'),
    isTruncated: z.boolean().describe('Whether something was left out.'),
    leftOut: z.array(z.string()).describe('What was left out, and how to get it.'),
    dialog: z
      .strictObject({ type: z.string(), message: z.string() })
      .nullable()
      .describe('The dialog that waits for its answer; the snapshot is then the last one seen.'),
  }),
  examples: [
    { title: 'See the page', on: '/', input: {} },
    { title: 'Search the whole page', on: '/orders', input: { query: 'OR-1042' } },
    { title: 'Only what can be used', on: '/checkout', input: { interactive: true } },
  ],
  async run({ page, deps, signal }, input) {
    const { query, target, expand, interactive, full, boxes, depth, format } = input;
    const seen = await deps.lens.snapshot(
      page.raw,
      {
        budget: input.budget ?? deps.config.answer.snapshotChars,
        query,
        target,
        expand,
        interactive,
        full,
        boxes,
        depth,
        format,
      },
      signal,
    );
    const isWhole = !query && !target && !expand && !interactive && format === 'lens';
    if (isWhole) deps.lastSeen.set(page.raw, seen);
    return {
      page: page.id,
      url: seen.url,
      title: seen.title,
      snapshot: seen.text,
      tree: [...seen.tree],
      isTruncated: seen.truncated,
      leftOut: [...seen.leftOut],
      dialog: null,
    };
  },
  runUnderDialog({ page, deps }, { type, message }) {
    const seen = deps.lastSeen.get(page.raw);
    return {
      page: page.id,
      url: page.url,
      title: seen?.title ?? '',
      snapshot: seen?.text ?? '',
      tree: [...(seen?.tree ?? [])],
      isTruncated: seen?.truncated ?? false,
      leftOut: [...(seen?.leftOut ?? [])],
      dialog: { type, message },
    };
  },
  render(output) {
    const { page, url, title, dialog } = output;
    const origin = URL.canParse(url) ? new URL(url).origin : url;
    const text = `url: ${url}\ntitle: ${title}\n${output.snapshot}`;
    if (dialog === null) {
      return [
        { source: 'oriel', text: `${page}:` },
        { source: 'page', origin, text },
      ];
    }
    const ours =
      `${page} waits for an answer to its ${dialog.type} dialog: use browser_dialog ` +
      `{"action": "accept"} or {"action": "dismiss"}. ` +
      (output.snapshot === ''
        ? 'It has not been seen yet.'
        : 'Below is how it was last seen; it takes no action until then.');
    return [
      { source: 'oriel', text: ours },
      { source: 'page', origin, text: `${dialog.type}: ${dialog.message}\n${text}` },
    ];
  },
});
