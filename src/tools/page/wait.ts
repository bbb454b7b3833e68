import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const wait = defineTool({
  name: 'browser_wait',
  summary:
    'Wait until text appears or goes, an element shows, the address matches, or time passes.',
  effect: (input) => (input.function === undefined ? 'read' : 'script'),
  effects: ['read', 'script'],
  scope: 'page',
  limit: 'wait',
  aliases: { target: 'selector', fn: 'function' },
  input: z.strictObject({
    text: z.string().min(1).max(1_000).optional().describe('Text that must be visible.'),
    textGone: z.string().min(1).max(1_000).optional().describe('Text that must be gone.'),
    selector: z.string().min(1).max(2_000).optional().describe('Selector that must be visible.'),
    url: z.string().min(1).max(2_000).optional().describe('Glob, or /regex/, of the address.'),
    timeMs: z.int().min(0).max(30_000).optional().describe('Just wait.'),
    function: z.string().min(1).max(20_000).optional().describe('Script that must become true.'),
    ...pageArgs,
  }),
  output: z.strictObject({ waitedMs: z.int().describe('How long it took.') }),
  examples: [{ title: 'Wait for text', on: '/', input: { text: 'Oriel Goods' } }],
  async run({ page, deps, signal }, input) {
    const { text, textGone, url, timeMs } = input;
    const selector =
      input.selector === undefined ? undefined : deps.reader.selector(input.selector);
    const script = input.function;
    if (
      text === undefined &&
      textGone === undefined &&
      selector === undefined &&
      url === undefined &&
      timeMs === undefined &&
      script === undefined
    ) {
      throw new OrielError('bad_input', 'browser_wait needs something to wait for.', {
        hint: 'Give text, textGone, selector, url, timeMs or function.',
      });
    }
    const startedAt = performance.now();
    await deps.act.waitFor(
      page.raw,
      {
        text,
        textGone,
        selector,
        url: url === undefined ? undefined : toPattern(url),
        timeMs,
        script,
      },
      signal,
    );
    return { waitedMs: Math.round(performance.now() - startedAt) };
  },
  render({ waitedMs }) {
    return [{ source: 'oriel', text: `It holds, after ${waitedMs} ms.` }];
  },
});

/** `/checkout\/done$/` is a regular expression, all else a glob. */
function toPattern(url: string): string | RegExp {
  const regex = /^\/(.+)\/([a-z]*)$/.exec(url);
  if (!regex) return url;
  try {
    return new RegExp(regex[1] ?? '', regex[2]);
  } catch (cause) {
    throw new OrielError('bad_input', `\`url\` is no valid regular expression: ${String(cause)}.`, {
      hint: 'Give a glob such as **/done, or a regular expression such as /done$/.',
      cause,
    });
  }
}
