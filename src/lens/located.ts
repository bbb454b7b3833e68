import type { Frame, Locator } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Channel } from './channel.ts';
import type { Frames, FrameState } from './frames.ts';
import { listCandidates, refusalError, refusalIn, withPrefix } from './refusal.ts';
import type { RefCandidate } from './refusal.ts';
import type { Target } from './target.ts';
import type { Verdict } from './wire.ts';

const ASK_MS = 2_000;
const MAX_LISTED = 10;

/** What became of an action on a located element. */
export interface Delivery {
  /**
   * `delivered`: the event reached the element or what is inside it; `missed`: it landed
   * elsewhere; `refused`: the element had changed its meaning, the events were stopped; `idle`:
   * no event came; `unknown`: the page has navigated since.
   */
  readonly state: Verdict['state'];
  readonly events: readonly string[];
  /** Where the event landed instead. */
  readonly hit?: RefCandidate;
  /** The element was replaced by one just like it, which was taken. */
  readonly healed: boolean;
  /** Value that stands in the field now; never of a password. */
  readonly value?: string;
  readonly target?: RefCandidate;
  readonly connected: boolean;
}

interface Match {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  readonly near: string;
  readonly visible: boolean;
  readonly tag: string;
  readonly top: number;
}

/** An element to act on. */
export class Located {
  /** Every Playwright action works on it. It resolves to the very element, or throws a refusal. */
  readonly locator: Locator;
  readonly frame: Frame;
  /** The ref, undefined while a selector has not matched anything yet. */
  readonly ref: string | undefined;
  /** As given by the caller. */
  readonly text: string;
  readonly role: string | undefined;
  /** Page text. */
  readonly name: string | undefined;
  readonly #channel: Channel;
  readonly #state: FrameState;
  readonly #token: number;

  private constructor(
    channel: Channel,
    frame: Frame,
    state: FrameState,
    token: number,
    text: string,
    selector: string,
    match?: Match,
  ) {
    this.#channel = channel;
    this.#state = state;
    this.#token = token;
    this.frame = frame;
    this.text = text;
    this.locator = frame.locator(selector);
    this.ref = match ? `${state.prefix}e${match.ref}` : undefined;
    this.role = match?.role;
    this.name = match?.name;
  }

  /** @throws OrielError `stale_ref`, `changed_ref`, `ambiguous_ref`, `bad_input` */
  static async resolve(
    channel: Channel,
    frames: Frames,
    target: Target,
    token: number,
    signal: AbortSignal,
  ): Promise<Located> {
    const frame = frames.frame(target.prefix);
    if (!frame) {
      throw new OrielError('stale_ref', `The frame of ${target.text} is gone.`, {
        hint: 'Take a new browser_snapshot.',
      });
    }
    const state = frames.state(frame);
    const { engine } = channel;
    if (target.kind === 'ref') {
      const located = new Located(
        channel,
        frame,
        state,
        token,
        target.text,
        `${engine}=e${target.number}~${token}`,
        {
          ref: target.number,
          role: '',
          name: '',
          near: '',
          visible: true,
          tag: '',
          top: 0,
        },
      );
      return located;
    }
    const { matches } = await matchesOf(
      channel,
      frame,
      state,
      target.selector,
      token,
      target.text,
      signal,
    );
    const visible = matches.filter((match) => match.visible);
    const chosen = visible.length > 0 ? visible : matches;
    if (chosen.length > 1) throw ambiguous(target.text, chosen, state.prefix);
    const [only] = chosen;
    return only
      ? new Located(
          channel,
          frame,
          state,
          token,
          target.text,
          `${engine}=e${only.ref}~${token}`,
          only,
        )
      : new Located(
          channel,
          frame,
          state,
          token,
          target.text,
          `${target.selector} >> ${engine}=arm:${token}`,
        );
  }

  /** What the target is, for messages: never page text. */
  describe(): string {
    return this.ref !== undefined && this.ref !== this.text
      ? `${this.text} (${this.ref})`
      : this.text;
  }

  /**
   * What the guard saw; ask once after every action, whatever came of it.
   * @throws OrielError `changed_ref` when the events were stopped, `not_actionable` never: a
   * missed event is told in the delivery.
   */
  async verdict(signal: AbortSignal): Promise<Delivery> {
    let verdict: Verdict;
    try {
      verdict = await this.#channel.run<Verdict>(
        this.frame,
        { kind: 'verdict', token: this.#token, base: this.#state.top },
        ASK_MS,
        signal,
      );
    } catch {
      signal.throwIfAborted();
      return { state: 'unknown', events: [], healed: false, connected: false };
    }
    this.#state.top = Math.max(this.#state.top, verdict.top);
    if (verdict.refusal) throw refusalError(verdict.refusal, this.#state.prefix, this.text);
    return {
      state: verdict.state,
      events: verdict.events,
      ...(verdict.hit ? { hit: withPrefix(verdict.hit, this.#state.prefix) } : {}),
      healed: verdict.healed,
      ...(verdict.value === undefined ? {} : { value: verdict.value }),
      ...(verdict.target ? { target: withPrefix(verdict.target, this.#state.prefix) } : {}),
      connected: verdict.connected,
    };
  }

  /** A refusal that a Playwright error carries, as the error to answer with; else the error itself. */
  translate(error: unknown): unknown {
    const refusal = refusalIn(error);
    if (!refusal) return error;
    this.#state.top = Math.max(this.#state.top, refusal.top);
    return refusalError(refusal, this.#state.prefix, this.text);
  }
}

/**
 * What a selector matches now. Only queries that Playwright runs in the isolated world are used:
 * reading all texts at once would run the engine in the page's own world.
 */
async function matchesOf(
  channel: Channel,
  frame: Frame,
  state: FrameState,
  selector: string,
  token: number,
  text: string,
  signal: AbortSignal,
): Promise<Matches> {
  try {
    if ((await within(signal, frame.locator(selector).count())) === 0) return NO_MATCHES;
    const json = await within(
      signal,
      frame
        .locator(`${selector} >> ${channel.engine}=pick:${state.top}:t${token}`)
        .textContent({ timeout: ASK_MS }),
    );
    const matches = JSON.parse(json ?? 'null') as Matches;
    for (const match of matches.matches) state.top = Math.max(state.top, match.top);
    return matches;
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : '';
    // It was there a moment ago: the action will wait for it.
    if (/Timeout \d+ms exceeded/.test(message)) return NO_MATCHES;
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

interface Matches {
  readonly count: number;
  readonly matches: readonly Match[];
}

const NO_MATCHES: Matches = { count: 0, matches: [] };

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
