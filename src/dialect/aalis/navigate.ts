import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { defineDialectTool } from '../dialect.ts';
import type { Turn } from '../turn.ts';
import { awaitRest, make, pageIdArg, pageOf, whereIs } from './pages.ts';
import { readText } from './reading.ts';

export const navigate = defineDialectTool({
  name: 'browser_navigate',
  summary: '打开网页,返回 pageId、标题、地址和页面文本',
  effects: ['act'],
  annotations: { risk: 'sensitive' },
  meta: { risk: 'sensitive' },
  input: z.strictObject({
    url: z.string().max(8_192).describe('要打开的地址'),
    pageId: pageIdArg.optional().describe('复用本会话已打开的页面;不填或不存在则打开新页面'),
    waitFor: z.string().min(1).max(2_000).optional().describe('等待该 CSS 选择器出现后再返回'),
  }),
  async run(turn, { url, pageId, waitFor }) {
    checkProtocol(url, turn);
    const before = await idsOf(turn);
    const page = pageOf(pageId);
    const opened = await open(turn, url, page, before);
    if (waitFor === undefined) await awaitRest(turn, opened);
    else await make(turn, 'browser_wait', { selector: `css=${waitFor}`, page: opened });
    const { url: _, ...text } = await readText(turn, opened, undefined);
    return { value: { pageId: opened, ...(await whereIs(turn, opened)), ...text } };
  },
});

/** @returns Id of the page. A new one that shows nothing does not stay: nobody knows its id. */
async function open(
  turn: Turn,
  url: string,
  page: string,
  before: ReadonlySet<string>,
): Promise<string> {
  const input = { url, page, waitUntil: 'load' };
  try {
    const { output } = await make<{ page: string }>(turn, 'browser_navigate', input);
    return output.page;
  } catch (thrown) {
    for (const id of await idsOf(turn)) {
      if (!before.has(id)) await turn.attempt('browser_tabs', { action: 'close', page: id });
    }
    throw thrown;
  }
}

/** Protocols are judged before anything is opened or looked up, and none is special. */
function checkProtocol(url: string, turn: Turn): void {
  if (!URL.canParse(url)) {
    throw new OrielError('bad_input', `${JSON.stringify(url.slice(0, 200))} 不是有效的 URL`);
  }
  const protocol = new URL(url).protocol.replace(/:$/, '');
  const allowed: readonly string[] = turn.config.network.allowedProtocols;
  if (allowed.includes(protocol)) return;
  throw new OrielError(
    'blocked',
    `协议 ${protocol} 不在 allowedProtocols (${allowed.join(', ')}) 中`,
  );
}

async function idsOf(turn: Turn): Promise<ReadonlySet<string>> {
  const list = await turn.attempt('browser_tabs', { action: 'list' });
  const pages = list.status === 'done' ? (list.output as { pages: { page: string }[] }).pages : [];
  return new Set(pages.map((one) => one.page));
}
