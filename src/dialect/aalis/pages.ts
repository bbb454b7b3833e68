import { isOrielError } from '../../kernel/errors.ts';
import { z } from 'zod';
import type { Made, Turn } from '../turn.ts';

/** A page that no page is named by: ids are longer, and labels have no spaces. */
const NO_SUCH_PAGE = 'no such page';

export const pageIdArg = z.string().max(200).describe('browser_navigate 返回的页面 ID');
export const selectorArg = z.string().min(1).max(2_000).describe('元素的 CSS 选择器');

/** The name of a page as native tools take it; a position in a list is no id here. */
export function pageOf(pageId: string | undefined): string {
  return pageId === undefined || /^\d*$/.test(pageId) ? NO_SUCH_PAGE : pageId;
}

/** The first element that a CSS selector matches. */
export function targetOf(selector: string): string {
  return `css=${selector} >> nth=0`;
}

/**
 * A native call. What a session is told once (its browser ended, a page of it made room) is not
 * told here: the table of pages is what counts, so the call is made again.
 */
export async function make<Output = Record<string, unknown>>(
  turn: Turn,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Made<Output>> {
  try {
    return await turn.call<Output>(tool, input);
  } catch (thrown) {
    const isNews =
      isOrielError(thrown, 'gone') &&
      (thrown.details?.['endedGeneration'] !== undefined ||
        thrown.details?.['pages'] !== undefined);
    if (!isNews || turn.signal.aborted) throw thrown;
    return turn.call<Output>(tool, input);
  }
}

/** Brings a page to the front, where one that it opened itself has sent it to the back. */
export async function bringToFront(turn: Turn, page: string, timeoutMs?: number): Promise<void> {
  await make(turn, 'browser_tabs', {
    action: 'select',
    page,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** Waits for the network to rest, as well as that can be had. */
export async function awaitRest(turn: Turn, page: string): Promise<void> {
  await turn.attempt('browser_wait', { loadState: 'networkidle', page, timeoutMs: REST_MS });
}

/** How long an answer waits for the network of its page. */
const REST_MS = 5_000;
const MAX_TITLE_CHARS = 300;

interface Pages {
  readonly pages: readonly {
    readonly page: string;
    readonly url: string;
    readonly title: string;
  }[];
}

/** Where a page stands now. */
export async function whereIs(turn: Turn, page: string): Promise<{ url: string; title: string }> {
  const { output } = await make<Pages>(turn, 'browser_tabs', { action: 'list' });
  const facts = output.pages.find((one) => one.page === page);
  return { url: facts?.url ?? '', title: (facts?.title ?? '').slice(0, MAX_TITLE_CHARS) };
}

/** @param max - Characters; what is over is said at the end, with the length of the whole. */
export function cutText(
  text: string,
  total: number,
  max: number,
): { text: string; truncated: boolean } {
  if (total <= max) return { text, truncated: false };
  const kept = text.slice(0, max).toWellFormed();
  return { text: `${kept}\n…[内容已截断,原文共 ${total} 字符]`, truncated: true };
}
