import type { Page } from 'playwright-core';
import type { Acted, ActTarget } from '../model/act-target.ts';
import { doing, doingOn } from './doing.ts';
import { turnWheel, type ScrollPosition } from './wheel.ts';

export type MouseButton = 'left' | 'right' | 'middle';
export type Modifier = 'Alt' | 'Control' | 'ControlOrMeta' | 'Meta' | 'Shift';

export interface ClickOptions {
  readonly button: MouseButton;
  readonly count: number;
  readonly modifiers: readonly Modifier[];
  readonly delayMs: number;
}

export async function click(
  target: ActTarget,
  options: ClickOptions,
  signal: AbortSignal,
): Promise<Acted> {
  const { acted } = await doingOn('click', target, signal, () =>
    target.locator.click({
      button: options.button,
      clickCount: options.count,
      modifiers: [...options.modifiers],
      delay: options.delayMs,
      timeout: 0,
      signal,
    }),
  );
  return acted;
}

/** Clicks at a place of the viewport, in CSS pixels from its top left. */
export async function clickAt(
  page: Page,
  x: number,
  y: number,
  options: ClickOptions,
  signal: AbortSignal,
): Promise<void> {
  await doing('click', signal, async () => {
    for (const key of options.modifiers) await page.keyboard.down(key);
    try {
      await page.mouse.click(x, y, {
        button: options.button,
        clickCount: options.count,
        delay: options.delayMs,
      });
    } finally {
      for (const key of options.modifiers) await page.keyboard.up(key);
    }
  });
}

export async function hover(target: ActTarget, signal: AbortSignal): Promise<Acted> {
  const { acted } = await doingOn('hover', target, signal, () =>
    target.locator.hover({ timeout: 0, signal }),
  );
  return acted;
}

/** Brings an element into the viewport. */
export async function scrollTo(target: ActTarget, signal: AbortSignal): Promise<Acted> {
  const { acted } = await doingOn('scroll', target, signal, () =>
    target.locator.scrollIntoViewIfNeeded({ timeout: 0, signal }),
  );
  return acted;
}

/**
 * Turns the wheel over an element, or over the middle of the viewport.
 *
 * @returns Where the page's own scrolling stands afterwards.
 */
export async function scrollBy(
  page: Page,
  over: ActTarget | null,
  delta: { readonly x: number; readonly y: number },
  signal: AbortSignal,
): Promise<ScrollPosition> {
  return doing('scroll', signal, async () => {
    if (over) {
      await hover(over, signal);
    } else {
      const size = page.viewportSize() ?? { width: 1280, height: 720 };
      await page.mouse.move(size.width / 2, size.height / 2);
    }
    return turnWheel(page, delta);
  });
}

/**
 * Drags with the mouse: over the source, down, in steps to the middle of the target, up. The
 * target is not hovered while the button is down: pages that start a drag of their own on the
 * first move would take a hover for a drop (E-067 to E-070).
 */
export async function drag(
  page: Page,
  from: ActTarget,
  to: ActTarget,
  steps: number,
  signal: AbortSignal,
): Promise<{ readonly from: Acted; readonly to: Acted }> {
  const dropped = await doingOn('drag', to, signal, () =>
    to.locator.scrollIntoViewIfNeeded({ timeout: 0, signal }),
  );
  const dragged = await doingOn('drag', from, signal, async () => {
    await from.locator.hover({ timeout: 0, signal });
    await page.mouse.down();
    try {
      const box = await to.locator.boundingBox();
      if (box) {
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps });
      }
    } finally {
      await page.mouse.up();
    }
  });
  return { from: dragged.acted, to: dropped.acted };
}

export type MouseAction = 'move' | 'click' | 'dblclick' | 'rightclick' | 'down' | 'up' | 'wheel';

export interface MouseOptions {
  readonly x: number;
  readonly y: number;
  readonly deltaX: number;
  readonly deltaY: number;
  readonly button: MouseButton;
}

/** The bare mouse, in CSS pixels of the viewport; no element is asked. */
export async function mouse(
  page: Page,
  action: MouseAction,
  { x, y, deltaX, deltaY, button }: MouseOptions,
  signal: AbortSignal,
): Promise<void> {
  await doing('mouse', signal, async () => {
    switch (action) {
      case 'click':
        return page.mouse.click(x, y, { button });
      case 'dblclick':
        return page.mouse.dblclick(x, y, { button });
      case 'rightclick':
        return page.mouse.click(x, y, { button: 'right' });
      default:
        await page.mouse.move(x, y);
        if (action === 'down') await page.mouse.down({ button });
        if (action === 'up') await page.mouse.up({ button });
        if (action === 'wheel') await turnWheel(page, { x: deltaX, y: deltaY });
    }
  });
}
