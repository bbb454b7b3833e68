import type { Page } from 'playwright-core';

export interface ScrollPosition {
  readonly x: number;
  readonly y: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * Turns the wheel where the mouse is, and waits for what the page does about it: the browser
 * takes the wheel at once and scrolls some frames later.
 *
 * @returns Where the page's own scrolling stands afterwards.
 */
export async function turnWheel(
  page: Page,
  delta: { readonly x: number; readonly y: number },
): Promise<ScrollPosition> {
  // A page may leave for another when it is scrolled; then that one's position counts.
  const over = page.evaluate(untilScrolled).catch(() => null);
  await page.mouse.wheel(delta.x, delta.y);
  return (await over) ?? page.evaluate(untilScrolled);
}

interface View {
  readonly document: { readonly scrollingElement: Readonly<Record<string, number>> | null };
  requestAnimationFrame(callback: () => void): void;
  addEventListener(type: string, listener: () => void, options: object): void;
  removeEventListener(type: string, listener: () => void, options: object): void;
}

/**
 * Runs in the page: until it has scrolled and come to rest, or has had the wheel for some frames
 * and stands still (it is at its end, or does something else with the wheel).
 */
function untilScrolled(): Promise<ScrollPosition> {
  const view = globalThis as unknown as View;
  const options = { capture: true, passive: true };
  /** Of the whole, should the wheel have gone to a frame of another document. */
  const unheardMs = 200;
  const framesToBegin = 4;
  /** Of a page that scrolls on by itself. */
  const restMs = 600;
  return new Promise((resolve) => {
    let hasMoved = false;
    let isDone = false;
    const afterFrames = (count: number, then: () => void) => {
      let isPast = false;
      const once = () => {
        if (!isPast) then();
        isPast = true;
      };
      // A hidden page draws no frames.
      setTimeout(once, 40 * count);
      const step = (left: number) =>
        left === 0 ? once() : view.requestAnimationFrame(() => step(left - 1));
      step(count);
    };
    const onWheel = () => {
      afterFrames(framesToBegin, () => {
        if (!hasMoved) finish();
      });
    };
    const onScroll = () => {
      if (!hasMoved) setTimeout(finish, restMs);
      hasMoved = true;
    };
    const onEnd = () => afterFrames(2, finish);
    const listeners = [
      ['wheel', onWheel],
      ['scroll', onScroll],
      ['scrollend', onEnd],
    ] as const;
    const finish = () => {
      if (isDone) return;
      isDone = true;
      for (const [type, listener] of listeners) view.removeEventListener(type, listener, options);
      const root = view.document.scrollingElement ?? {};
      const read = (name: string) => Math.round(root[name] ?? 0);
      resolve({
        x: read('scrollLeft'),
        y: read('scrollTop'),
        maxX: read('scrollWidth') - read('clientWidth'),
        maxY: read('scrollHeight') - read('clientHeight'),
      });
    };
    for (const [type, listener] of listeners) view.addEventListener(type, listener, options);
    setTimeout(() => {
      if (!hasMoved) finish();
    }, unheardMs);
  });
}
