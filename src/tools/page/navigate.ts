import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { actArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const navigate = defineTool({
  name: 'browser_navigate',
  summary: 'Open an address, or go back, forward or reload; answers with the page that came.',
  effect: 'act',
  scope: 'page',
  limit: 'navigation',
  opensPage: true,
  peerNames: ['browser_open', 'browser_goto'],
  input: z.strictObject({
    url: z
      .string()
      .max(8_192)
      .optional()
      .describe('Address; http:// is added where none is given.'),
    history: z.enum(['back', 'forward', 'reload']).optional().describe('Instead of url.'),
    waitUntil: z
      .enum(['commit', 'domcontentloaded', 'load'])
      .default('domcontentloaded')
      .describe('State to wait for.'),
    ...actArgs,
  }),
  output: z.strictObject({
    page: z.string().describe('Id of the page.'),
    url: z.string().describe('Address it ended at.'),
    title: z.string().describe('Its title.'),
    status: z.int().nullable().describe('HTTP status; null without a response.'),
    snapshot: z.string().describe('What the page shows, within the snapshot budget.'),
    isTruncated: z.boolean().describe('Whether the snapshot left something out.'),
  }),
  examples: [
    { title: 'Open a page', input: { url: '/' } },
    { title: 'Go back', input: { history: 'back' } },
  ],
  async run({ page, session, deps, signal }, input) {
    const settings = { waitUntil: input.waitUntil };
    let status: number | null;
    if (input.url !== undefined && input.history === undefined) {
      const policy = session.context?.policy ?? deps.config.network;
      const url = deps.urls.admit(withScheme(input.url), policy);
      status = await deps.act.navigate(page.raw, url, settings, signal);
    } else if (input.history !== undefined && input.url === undefined) {
      const result = await deps.act.travel(page.raw, input.history, settings, signal);
      if (!result.moved) {
        throw new OrielError('not_found', `There is no page to go ${input.history} to.`, {
          hint: 'Open an address with browser_navigate {"url": …}.',
        });
      }
      status = result.status;
    } else {
      throw new OrielError('bad_input', 'browser_navigate takes either `url` or `history`.', {
        hint: 'For example {"url": "https://example.com"} or {"history": "back"}.',
      });
    }
    const snapshot = await deps.lens.snapshot(
      page.raw,
      { budget: deps.config.answer.snapshotChars },
      signal,
    );
    return {
      page: page.id,
      url: snapshot.url,
      title: snapshot.title,
      status,
      snapshot: snapshot.text,
      isTruncated: snapshot.isTruncated,
    };
  },
  render(output) {
    return [
      {
        source: 'oriel',
        text: `${output.page} is open${output.status ? ` (${output.status})` : ''}.`,
      },
      {
        source: 'page',
        origin: originOf(output.url),
        text: `url: ${output.url}\ntitle: ${output.title}\n${output.snapshot}`,
      },
    ];
  },
});

/** `example.com` is what people type; `localhost:3000` is a host and a port, not a scheme. */
function withScheme(url: string): string {
  const trimmed = url.trim();
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed)) return trimmed;
  return trimmed === '' ? trimmed : `http://${trimmed}`;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
