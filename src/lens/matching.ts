import type { Frame } from 'playwright-core';
import { sleep, within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Channel } from './channel.ts';
import type { Frames, FrameState } from './frames.ts';
import { listCandidates, withPrefix } from './refusal.ts';
import type { Target } from './target.ts';
import { wantedOf } from './wanted.ts';
import type { NearestResult } from './wire.ts';

const ASK_MS = 2_000;
/** Two frames, and the time to ask. */
const LOOK_AGAIN_MS = 40;
/** How long a page that is at work may take to bring what is asked for. */
const GRACE_MS = 1_000;
const NEAREST_MS = 400;
const MAX_LISTED = 10;
const MAX_NEAREST = 5;
const MAX_FRAMES = 20;

export type SelectorTarget = Extract<Target, { kind: 'selector' }>;

/** An element that a selector matches. */
export interface Match {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  readonly near: string;
  readonly visible: boolean;
  readonly tag: string;
  readonly top: number;
}

interface Matches {
  readonly count: number;
  readonly matches: readonly Match[];
}

const NO_MATCHES: Matches = { count: 0, matches: [] };

/**
 * The one element that a selector means: the only match, or the only one that shows. What is not
 * there is given two frames, or a moment more while the page is at work; to wait for longer is
 * for `browser_wait`.
 *
 * @throws OrielError `ambiguous_ref` with the matches, `not_found` with what is most like it,
 * `bad_input` for nonsense.
 */
export async function matchOne(
  channel: Channel,
  frames: Frames,
  target: SelectorTarget,
  isAtWork: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<Match> {
  const frame = frames.page.mainFrame();
  const state = frames.state(frame);
  const look = () => matchesOf(channel, frame, state, target, signal);
  const startedAt = performance.now();
  let found = await look();
  while (found.count === 0) {
    await sleep(LOOK_AGAIN_MS, signal);
    const [now, busy] = await Promise.all([look(), isAtWork()]);
    found = now;
    if (!busy || performance.now() - startedAt > GRACE_MS) break;
  }
  const visible = found.matches.filter((match) => match.visible);
  const chosen = visible.length > 0 ? visible : found.matches;
  const [only, another] = chosen;
  if (only === undefined) throw await missing(channel, frames, target, signal);
  if (another !== undefined) throw ambiguous(target.text, chosen, state.prefix);
  return only;
}

/** Looks at one moment share nothing: the engine adds up what is asked under one name. */
let asked = 0;

/**
 * What a selector matches now. Only queries that Playwright runs in the isolated world are used:
 * reading all texts at once would run the engine in the page's own world.
 */
async function matchesOf(
  channel: Channel,
  frame: Frame,
  state: FrameState,
  { selector, text }: SelectorTarget,
  signal: AbortSignal,
): Promise<Matches> {
  try {
    if ((await within(signal, frame.locator(selector).count())) === 0) return NO_MATCHES;
    const json = await within(
      signal,
      frame
        .locator(`${selector} >> ${channel.engine}=pick:${state.top}:t${++asked}`)
        .textContent({ timeout: ASK_MS }),
    );
    const matches = JSON.parse(json ?? 'null') as Matches;
    for (const match of matches.matches) state.top = Math.max(state.top, match.top);
    return matches;
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : '';
    // It was there a moment ago, or the document was.
    if (/Timeout \d+ms exceeded|context was destroyed|navigation/i.test(message)) return NO_MATCHES;
    if (/has been closed|Target closed|crashed/i.test(message)) {
      throw new OrielError('gone', 'The page was closed or has crashed.', { cause: error });
    }
    throw new OrielError(
      'bad_input',
      `"${text.slice(0, 100)}" is not a selector that the browser understands.`,
      {
        hint: 'Use a ref (e12), CSS, text=…, role=button[name="…"], label=…, testid=… or xpath=….',
        cause: error,
      },
    );
  }
}

function ambiguous(text: string, matches: readonly Match[], prefix: string): OrielError {
  const all = matches.map(({ ref, role, name, near, visible }) =>
    withPrefix({ ref, role, name, near, visible }, prefix),
  );
  const listed = all.slice(0, MAX_LISTED);
  return new OrielError(
    'ambiguous_ref',
    `"${text.slice(0, 100)}" matches ${matches.length} elements. Nothing was done.`,
    {
      hint: `Use one of the refs ${listed.map((one) => one.ref).join(', ')}.`,
      details: { count: matches.length, candidates: listed },
      pageText: listCandidates(all),
    },
  );
}

async function missing(
  channel: Channel,
  frames: Frames,
  { text }: SelectorTarget,
  signal: AbortSignal,
): Promise<OrielError> {
  const candidates = await nearestOf(channel, frames, text, signal);
  const refs = candidates.map(({ ref }) => ref).join(', ');
  const wait = 'If it is yet to come, wait for it with browser_wait first.';
  return new OrielError('not_found', `Nothing on the page matches "${text.slice(0, 100)}".`, {
    hint: refs === '' ? `${wait} Else take a browser_snapshot.` : `Most like it: ${refs}. ${wait}`,
    details: { candidates },
    ...(refs === '' ? {} : { pageText: `most like it:\n${listCandidates(candidates)}` }),
  });
}

/** What is most like it by its words, in all frames; a selector looks into the main frame alone. */
async function nearestOf(
  channel: Channel,
  frames: Frames,
  text: string,
  signal: AbortSignal,
): Promise<ReturnType<typeof withPrefix>[]> {
  const wanted = wantedOf(text);
  if (wanted.words.length === 0) return [];
  const found = await Promise.all(
    frames.page
      .frames()
      .slice(0, MAX_FRAMES)
      .map(async (frame) => {
        const state = frames.state(frame);
        const result = await channel
          .run<NearestResult>(
            frame,
            { kind: 'nearest', ...wanted, base: state.top },
            NEAREST_MS,
            signal,
          )
          .catch(() => undefined);
        if (!result) return [];
        state.top = Math.max(state.top, result.top);
        return result.candidates.map(({ score, ...one }) => ({
          score,
          one: withPrefix(one, state.prefix),
        }));
      }),
  );
  signal.throwIfAborted();
  return found
    .flat()
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_NEAREST)
    .map(({ one }) => one);
}
