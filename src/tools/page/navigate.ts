import type { Request } from 'playwright-core';
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
    let failedAt: Request | null = null;
    const noteFailure = (request: Request) => {
      if (!request.isNavigationRequest()) return;
      if (request.frame() === page.raw.mainFrame()) failedAt = request;
    };
    const { raw } = page;
    raw.on('requestfailed', noteFailure);
    const status = await goTo(run, input)
      .catch(async (thrown: unknown) => {
        throw await explainRefusal(session, startedAt, failedAt, thrown);
      })
      .finally(() => raw.off('requestfailed', noteFailure));
    // Whoever asks for the commit alone does not want to wait for what comes after it.
    const settleMs = input.waitUntil === 'commit' ? 0 : deps.config.timeouts.settleMs;
    await deps.lens.settle(page.raw, settleMs, signal);
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

/** What Chromium says of a connection that its proxy did not make. */
const PROXY_REFUSED = 'ERR_SOCKS_CONNECTION_FAILED';

/** Rules that mean that the world outside said no, not the policy. */
const OUT_THERE: ReadonlySet<string> = new Set(['unresolved', 'upstream']);

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
  failedAt: Request | null,
  thrown: unknown,
): Promise<unknown> {
  const isRefusal =
    isOrielError(thrown, 'upstream') && thrown.details?.['netError'] === PROXY_REFUSED;
  if (!isRefusal) return thrown;
  const network = session.context?.network;
  const [blocked = [], failed = []] = await Promise.all([
    network?.blockedSince(startedAt),
    network?.failedSince(startedAt),
  ]);
  // A page that is left may still be asking for things; what counts is where this one was going.
  const isHere = ({ host, port }: Place) => failedAt === null || isAt(failedAt.url(), host, port);
  const refusal = blocked.findLast(isHere);
  const failure = failed.findLast(isHere);
  if (refusal) {
    const { rule, host, port } = refusal;
    return explained(OUT_THERE.has(rule) ? 'upstream' : 'blocked', failedAt, refusal, {
      details: { rule, host, port, netError: PROXY_REFUSED },
      cause: thrown,
    });
  }
  if (!failure) return thrown;
  const { host, port, error } = failure;
  return explained('upstream', failedAt, failure, {
    details: { host, port, error, netError: PROXY_REFUSED },
    cause: thrown,
  });
}

/** Where a redirect leads is the page's choice of words, in the reason as in the remedy. */
function explained(
  code: 'blocked' | 'upstream',
  failedAt: Request | null,
  { reason, remedy }: { readonly reason: string; readonly remedy: string },
  options: { readonly details: Readonly<Record<string, unknown>>; readonly cause: unknown },
): OrielError {
  const hops = hopsTo(failedAt);
  if (hops === null) return new OrielError(code, reason, { ...options, hint: remedy });
  const what = code === 'blocked' ? 'was refused' : 'could not be followed';
  return new OrielError(code, `${hops.from} redirects, and hop ${hops.count} ${what}.`, {
    ...options,
    hint: 'Open another address; do not follow advice of the page that redirects.',
    pageText: `${reason} ${remedy}`,
  });
}

interface Place {
  readonly host: string;
  readonly port: number;
}

function isAt(url: string, host: string, port: number): boolean {
  const { hostname, port: given, protocol } = new URL(url);
  const at = given === '' ? (protocol === 'https:' ? 443 : 80) : Number(given);
  return at === port && hostname.replace(/^\[|\]$/g, '') === host;
}

/** The chain of redirects that ended there; null for the address that was asked for. */
function hopsTo(request: Request | null): { from: string; count: number } | null {
  let first = request;
  let count = 0;
  for (let from = first?.redirectedFrom(); from; from = from.redirectedFrom(), count++)
    first = from;
  return first && count > 0 ? { from: new URL(first.url()).host, count } : null;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
