import type { Frame, Page } from 'playwright-core';

/** What the host keeps of one frame. */
export interface FrameState {
  /** '' for the main frame, `f1` for others. */
  readonly prefix: string;
  /** Highest ref number that any of its documents has given out. */
  top: number;
  /** Scans under way; a navigation meanwhile makes their numbers uncertain. */
  scanning: number;
}

/** Numbers leap this far past a scan that a navigation overtook. */
const LEAP = 1_000;

/** Names the frames of one page, and sees to it that no ref number is given out twice. */
export class Frames {
  readonly page: Page;
  readonly #states = new WeakMap<Frame, FrameState>();
  readonly #byPrefix = new Map<string, WeakRef<Frame>>();
  #last = 0;

  constructor(page: Page) {
    this.page = page;
    page.on('framenavigated', (frame) => {
      const state = this.#states.get(frame);
      if (state && state.scanning > 0) state.top = Math.ceil((state.top + LEAP) / LEAP) * LEAP;
    });
  }

  state(frame: Frame): FrameState {
    let state = this.#states.get(frame);
    if (!state) {
      const prefix = frame === this.page.mainFrame() ? '' : `f${++this.#last}`;
      state = { prefix, top: 0, scanning: 0 };
      this.#states.set(frame, state);
      this.#byPrefix.set(prefix, new WeakRef(frame));
    }
    return state;
  }

  /** The frame of a prefix, undefined when it is gone. */
  frame(prefix: string): Frame | undefined {
    if (prefix === '') return this.page.mainFrame();
    const frame = this.#byPrefix.get(prefix)?.deref();
    return frame && !frame.isDetached() ? frame : undefined;
  }
}
