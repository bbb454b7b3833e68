import type { Frame, Locator } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { Channel } from './channel.ts';
import type { Frames, FrameState } from './frames.ts';
import { matchOne } from './matching.ts';
import type { Match } from './matching.ts';
import { refusalError, refusalIn, withPrefix } from './refusal.ts';
import type { RefCandidate } from './refusal.ts';
import type { Target } from './target.ts';
import type { Verdict } from './wire.ts';

const ASK_MS = 2_000;

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

/** An element to act on. */
export class Located {
  /** Every Playwright action works on it. It resolves to the very element, or throws a refusal. */
  readonly locator: Locator;
  readonly frame: Frame;
  readonly ref: string;
  /** As given by the caller. */
  readonly text: string;
  readonly role: string;
  /** Page text. */
  readonly name: string;
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
    match: Pick<Match, 'ref' | 'role' | 'name'>,
  ) {
    this.#channel = channel;
    this.#state = state;
    this.#token = token;
    this.frame = frame;
    this.text = text;
    this.locator = frame.locator(selector);
    this.ref = `${state.prefix}e${match.ref}`;
    this.role = match.role;
    this.name = match.name;
  }

  /**
   * @param isAtWork - Whether the page may still be about to bring what a selector means.
   * @throws OrielError `stale_ref`, `changed_ref`, `ambiguous_ref`, `not_found`, `bad_input`
   */
  static async resolve(
    channel: Channel,
    frames: Frames,
    target: Target,
    token: number,
    isAtWork: () => Promise<boolean>,
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
      const selector = `${engine}=e${target.number}~${token}`;
      const known = { ref: target.number, role: '', name: '' };
      return new Located(channel, frame, state, token, target.text, selector, known);
    }
    const only = await matchOne(channel, frames, target, isAtWork, signal);
    const selector = `${engine}=e${only.ref}~${token}`;
    return new Located(channel, frame, state, token, target.text, selector, only);
  }

  /** What the target is, for messages: never page text. */
  describe(): string {
    return this.ref === this.text ? this.text : `${this.text} (${this.ref})`;
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
