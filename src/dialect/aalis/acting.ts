import { z } from 'zod';
import { defineDialectTool } from '../dialect.ts';
import {
  awaitRest,
  bringToFront,
  make,
  pageIdArg,
  pageOf,
  selectorArg,
  targetOf,
  whereIs,
} from './pages.ts';

/** What the host asks its person about. */
const SENSITIVE = { annotations: { risk: 'sensitive' }, meta: { risk: 'sensitive' } };

export const click = defineDialectTool({
  name: 'browser_click',
  summary: '点击页面上的元素,返回之后的地址和标题',
  effects: ['act'],
  ...SENSITIVE,
  input: z.strictObject({ pageId: pageIdArg, selector: selectorArg }),
  async run(turn, { pageId, selector }) {
    const page = pageOf(pageId);
    await bringToFront(turn, page);
    await make(turn, 'browser_click', { page, target: targetOf(selector) });
    await awaitRest(turn, page);
    return { value: { pageId, clicked: selector, ...(await whereIs(turn, page)) } };
  },
});

export const type = defineDialectTool({
  name: 'browser_type',
  summary: '在输入框中输入文本,可选回车提交',
  effects: ['act'],
  ...SENSITIVE,
  input: z.strictObject({
    pageId: pageIdArg,
    selector: selectorArg,
    text: z.string().max(1_000_000).describe('要输入的文本').meta({ secret: true }),
    clear: z.boolean().default(true).describe('输入前先清空'),
    submit: z.boolean().default(false).describe('输入后按回车提交'),
  }),
  async run(turn, { pageId, selector, text, clear, submit }) {
    const page = pageOf(pageId);
    await bringToFront(turn, page);
    await make(turn, 'browser_type', { page, target: targetOf(selector), text, clear, submit });
    if (submit) await awaitRest(turn, page);
    return {
      value: { pageId, typed: selector, submitted: submit, ...(await whereIs(turn, page)) },
    };
  },
});

export const closePage = defineDialectTool({
  name: 'browser_close_page',
  summary: '关闭页面',
  effects: ['act'],
  ...SENSITIVE,
  input: z.strictObject({ pageId: pageIdArg }),
  async run(turn, { pageId }) {
    await make(turn, 'browser_tabs', { action: 'close', page: pageOf(pageId) });
    return { value: { pageId, closed: true } };
  },
});
