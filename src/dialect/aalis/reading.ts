import { z } from 'zod';
import { defineDialectTool } from '../dialect.ts';
import type { Turn } from '../turn.ts';
import { readOptions } from './options.ts';
import { cutText, make, pageIdArg, pageOf, selectorArg, targetOf } from './pages.ts';

export const getText = defineDialectTool({
  name: 'browser_get_text',
  summary: '获取页面文本,或指定元素的文本',
  effects: ['read'],
  input: z.strictObject({
    pageId: pageIdArg,
    selector: selectorArg.optional().describe('只取该 CSS 选择器所指元素的文本'),
  }),
  async run(turn, { pageId, selector }) {
    const { url, ...text } = await readText(turn, pageOf(pageId), selector);
    return { value: { pageId, url, ...text } };
  },
});

export const getLinks = defineDialectTool({
  name: 'browser_get_links',
  summary: '列出页面上的链接(文本与地址)',
  effects: ['read'],
  input: z.strictObject({
    pageId: pageIdArg,
    limit: z.int().min(1).default(50).describe('最多返回的链接数'),
  }),
  async run(turn, { pageId, limit }) {
    const { output } = await make<Read>(turn, 'browser_read', {
      page: pageOf(pageId),
      format: 'links',
      limit: Math.min(limit, MAX_LINKS),
    });
    const { url, links, total } = output;
    return { value: { pageId, url, links, total } };
  },
});

const MAX_LINKS = 1_000;
/** What the native tool reads, whatever is asked for. */
const MIN_CHARS = 100;
const MAX_CHARS = 1_000_000;

interface Read {
  readonly url: string;
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
  readonly total: number;
}

/** Text of a page or an element, cut at the option `maxContentLength`. */
export async function readText(
  turn: Turn,
  page: string,
  selector: string | undefined,
): Promise<{ url: string; text: string; truncated: boolean }> {
  const { maxContentLength } = readOptions(turn.config.dialectOptions);
  const max = Math.min(Math.floor(maxContentLength), MAX_CHARS);
  const { output } = await make<Read>(turn, 'browser_read', {
    page,
    maxChars: Math.max(MIN_CHARS, max),
    ...(selector === undefined ? {} : { target: targetOf(selector) }),
  });
  return { url: output.url, ...cutText(output.text, output.total, max) };
}
