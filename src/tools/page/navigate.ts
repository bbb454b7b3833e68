import { z } from 'zod';
import { isOrielError, OrielError } from '../../kernel/errors.ts';
import { toAddress } from '../../tool/address.ts';
import { actArgs } from '../../tool/args.ts';
import { defineTool, type PageRun } from '../../tool/declaration.ts';

export const navigate = defineTool({
  name: 'browser_navigate',
  summary: 'Open an address, or go back, forward or reload; answers with the page that came.',
  effect: 'act',
  scope: 'page',
  limit: 'navigation',
  opensPage: true,
  peerNames: ['browser_open', 'browser_goto'],
  address: (input) => input.url,
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
  async run(run, input) {
    const { page, session, deps, signal } = run;
    const startedAt = Date.now();
    const status = await goTo(run, input).catch(async (thrown: unknown) => {
      throw await explainRefusal(session, startedAt, thrown);
    });
    await deps.lens.settle(page.raw, deps.config.timeouts.settleMs, signal);
    const snapshot = await deps.lens.snapshot(
      page.raw,
      { budget: deps.config.answer.snapshotChars },
      signal,
    );
    deps.lastSeen.set(page.raw, snapshot);
    return {
      page: page.id,
      url: snapshot.url,
      title: snapshot.title,
      status,
      snapshot: snapshot.text,
      isTruncated: snapshot.truncated,
    };
  },
  render(output, { url }) {
    const asked = url === undefined ? null : toAddress(url);
    const isElsewhere = asked !== null && URL.canParse(asked) && new URL(asked).href !== output.url;
    return [
      {
        source: 'oriel',
        text: `${output.page} is open${output.status ? ` (${output.status})` : ''}.`,
      },
      {
        source: 'page',
        origin: originOf(output.url),
        text: `${isElsewhere ? `redirected: ${asked} → ` : 'url: '}${output.url}\ntitle: ${output.title}\n${output.snapshot}`,
      },
    ];
  },
});

interface Destination {
  readonly url?: string | undefined;
  readonly history?: 'back' | 'forward' | 'reload' | undefined;
  readonly waitUntil: 'commit' | 'domcontentloaded' | 'load';
}

/** @returns HTTP status, or null without a response. */
async function goTo(
  { page, session, deps, signal }: PageRun,
  { url, history, waitUntil }: Destination,
): Promise<number | null> {
  if (url !== undefined && history === undefined) {
    const admitted = deps.urls.admit(toAddress(url), session.narrower);
    return deps.act.navigate(page.raw, admitted, { waitUntil }, signal);
  }
  if (history !== undefined && url === undefined) {
    const { moved, status } = await deps.act.travel(page.raw, history, { waitUntil }, signal);
    if (moved) return status;
    throw new OrielError('not_found', `There is no page to go ${history} to.`, {
      hint: 'Open an address with browser_navigate {"url": …}.',
    });
  }
  throw new OrielError('bad_input', 'browser_navigate takes either `url` or `history`.', {
    hint: 'For example {"url": "https://example.com"} or {"history": "back"}.',
  });
}

/** Chromium says no more than that its proxy refused; the gate knows why. */
async function explainRefusal(
  session: PageRun['session'],
  startedAt: number,
  thrown: unknown,
): Promise<unknown> {
  const isRefusal =
    isOrielError(thrown, 'upstream') &&
    thrown.details?.['netError'] === 'ERR_SOCKS_CONNECTION_FAILED';
  if (!isRefusal) return thrown;
  const blocked = (await session.context?.network.blockedSince(startedAt))?.at(-1);
  if (!blocked) return thrown;
  return new OrielError(blocked.rule === 'unresolved' ? 'upstream' : 'blocked', blocked.reason, {
    hint: blocked.remedy,
    details: { rule: blocked.rule, host: blocked.host, port: blocked.port },
    cause: thrown,
  });
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
