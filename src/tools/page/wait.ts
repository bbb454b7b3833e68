import { z } from 'zod';
import { isOrielError, OrielError } from '../../kernel/errors.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const MAX_TIME_MS = 30_000;
/** No request for this long counts as idle, as it does in Playwright. */
const IDLE_MS = 500;

export const wait = defineTool({
  name: 'browser_wait',
  summary:
    'Wait until text appears or goes, an element shows, the address matches, the page has loaded or its network rests, or time passes.',
  effect: (input) => (input.function === undefined ? 'read' : 'script'),
  effects: ['read', 'script'],
  scope: 'page',
  limit: 'wait',
  extraMs: (input) => clampTime(input.timeMs) ?? 0,
  aliases: { target: 'selector', fn: 'function' },
  input: z.strictObject({
    text: z.string().min(1).max(1_000).optional().describe('Text that must be visible.'),
    textGone: z.string().min(1).max(1_000).optional().describe('Text that must be gone.'),
    selector: z.string().min(1).max(2_000).optional().describe('Selector that must be visible.'),
    url: z.string().min(1).max(2_000).optional().describe('Glob, or /regex/, of the address.'),
    loadState: z
      .enum(['domcontentloaded', 'load', 'networkidle'])
      .optional()
      .describe('State the page must reach; networkidle: no request for 500 ms.'),
    timeMs: z.int().optional().describe('Just wait, at most 30,000.'),
    function: z.string().min(1).max(20_000).optional().describe('Script that must become true.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    waitedMs: z.int().describe('How long it took.'),
    requestedMs: z
      .int()
      .nullable()
      .describe('Time asked for: timeMs, else timeoutMs; null for neither.'),
    effectiveMs: z.int().describe('Time that was then allowed; 0 means without limit.'),
  }),
  examples: [
    { title: 'Wait for text', on: '/', input: { text: 'Oriel Goods' } },
    { title: 'Wait for rest', on: '/', input: { loadState: 'networkidle' } },
  ],
  async run({ page, deps, signal }, input) {
    const { text, textGone, url, loadState } = input;
    const timeMs = clampTime(input.timeMs);
    const selector =
      input.selector === undefined ? undefined : deps.reader.selector(input.selector);
    const script = input.function;
    const wanted = { text, textGone, selector, url, loadState, timeMs, script };
    if (Object.values(wanted).every((one) => one === undefined)) {
      throw new OrielError('bad_input', 'browser_wait needs something to wait for.', {
        hint: 'Give text, textGone, selector, url, loadState, timeMs or function.',
      });
    }
    const startedAt = performance.now();
    const network = deps.journals.of(page.raw).network;
    try {
      await deps.act.waitFor(
        page.raw,
        {
          text,
          textGone,
          selector,
          url: url === undefined ? undefined : toPattern(url),
          timeMs,
          loadState: loadState === 'networkidle' ? 'load' : loadState,
          script,
        },
        signal,
      );
      if (loadState === 'networkidle') await network.untilIdle(IDLE_MS, signal);
    } catch (thrown) {
      if (!isOrielError(thrown, 'timeout')) throw thrown;
      const waitedMs = Math.round(performance.now() - startedAt);
      throw notReached(thrown, waitedMs, loadState === 'networkidle' ? network.pending : []);
    }
    const limitMs = input.timeoutMs ?? deps.config.timeouts.waitMs;
    return {
      waitedMs: Math.round(performance.now() - startedAt),
      requestedMs: input.timeMs ?? input.timeoutMs ?? null,
      effectiveMs: timeMs ?? limitMs,
    };
  },
  render({ waitedMs, requestedMs, effectiveMs }) {
    const clamped =
      requestedMs !== null && requestedMs !== effectiveMs
        ? ` (${requestedMs} ms asked for, ${effectiveMs} ms allowed)`
        : '';
    return [{ source: 'oriel', text: `It holds, after ${waitedMs} ms${clamped}.` }];
  },
});

function clampTime(timeMs: number | undefined): number | undefined {
  return timeMs === undefined ? undefined : Math.min(MAX_TIME_MS, Math.max(0, timeMs));
}

function notReached(
  cause: OrielError,
  waitedMs: number,
  pending: readonly { readonly method: string; readonly url: string }[],
): OrielError {
  const some = pending.slice(0, 5).map(({ method, url }) => `${method} ${url.slice(0, 200)}`);
  return new OrielError('timeout', `What was waited for did not come about in ${waitedMs} ms.`, {
    hint: 'Take a browser_snapshot to see the page as it is, or give a longer timeoutMs.',
    cause,
    details: { ...cause.details, waitedMs },
    ...(some.length > 0 ? { pageText: `still under way: ${some.join(', ')}` } : {}),
  });
}

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
