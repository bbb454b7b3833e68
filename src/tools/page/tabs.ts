import { z } from 'zod';
import { within } from '../../kernel/deadline.ts';
import { OrielError } from '../../kernel/errors.ts';
import { pageFactsSchema } from '../../model/page.ts';
import { toAddress } from '../../tool/address.ts';
import { pageArg, sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const tabs = defineTool({
  name: 'browser_tabs',
  summary: 'List, open, select, close or label the pages of this session.',
  effect: (input) => (input.action === 'list' ? 'read' : 'act'),
  effects: ['read', 'act'],
  scope: 'session',
  limit: 'navigation',
  toleratesDialog: true,
  aliases: { index: 'page' },
  address: (input) => (input.action === 'new' ? input.url : undefined),
  input: z.strictObject({
    action: z
      .enum(['list', 'new', 'select', 'close', 'label'])
      .default('list')
      .describe('What to do; `label` names a page.'),
    url: z.string().max(8_192).optional().describe('Address of a new page.'),
    label: z
      .string()
      .regex(/^[A-Za-z][\w-]{0,39}$/, 'must start with a letter and hold letters, digits, _ and -')
      .optional()
      .describe('Name for the page, used wherever a page is asked for.'),
    session: sessionArg,
    page: pageArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    pages: z.array(pageFactsSchema).describe('The pages that are open now.'),
  }),
  examples: [
    { title: 'List the pages', input: {} },
    { title: 'Open another page', input: { action: 'new', label: 'second' } },
  ],
  async run({ session, deps, signal, onProgress }, input) {
    let done = '';
    if (input.action === 'new') {
      const url =
        input.url === undefined ? null : deps.urls.admit(toAddress(input.url), session.narrower);
      requireFreeLabel(session.pages, input.label);
      const page = await session.newPage(signal, onProgress);
      page.label = input.label ?? null;
      if (url !== null) {
        // The first request must already come from what the session is made to be.
        await within(signal, deps.stages.ready(page.raw));
        try {
          await deps.act.navigate(page.raw, url, { waitUntil: 'domcontentloaded' }, signal);
        } catch (error) {
          // A page that shows nothing would be left over, and be the current one.
          void page.raw.close().catch(() => {});
          throw error;
        }
      }
      done = `${page.id} is open and current.`;
    } else if (input.action !== 'list') {
      const page = session.page(input.page);
      if (input.action === 'select') {
        session.select(page);
        await deps.act.bringToFront(page.raw, signal);
        done = `${page.id} is current.`;
      } else if (input.action === 'close') {
        await deps.act.close(page.raw, signal);
        done = `${page.id} is closed${session.current ? `; ${session.current.id} is current` : ''}.`;
      } else {
        requireFreeLabel(
          session.pages.filter((other) => other !== page),
          input.label,
        );
        page.label = input.label ?? null;
        done = input.label ? `${page.id} is labelled ${input.label}.` : `${page.id} has no label.`;
      }
    }
    const pages = await Promise.all(
      session.pages.map((page, index) => page.describe(index + 1, page === session.current)),
    );
    return { done, pages };
  },
  render({ done, pages }) {
    if (pages.length === 0) {
      return [{ source: 'oriel', text: `${done} No page is open.`.trim() }];
    }
    const lines = pages.map((page) => {
      const marks = [
        page.label,
        page.isCurrent ? 'current' : '',
        page.state === 'ready' ? '' : page.state,
      ].filter(Boolean);
      return `- ${page.page}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}: ${page.url} ${JSON.stringify(page.title)}`;
    });
    return [
      { source: 'oriel', text: done },
      { source: 'page', text: lines.join('\n') },
    ];
  },
});

/** A label names one page; ids and positions cannot be labels by their form. */
function requireFreeLabel(
  others: readonly { readonly id: string; readonly label: string | null }[],
  label: string | undefined,
): void {
  if (label === undefined) return;
  const holder = others.find((page) => page.label === label);
  if (!holder && !/^p\d+$/.test(label)) return;
  throw new OrielError(
    'bad_input',
    holder ? `The label ${label} already names ${holder.id}.` : `${label} reads like a page id.`,
    { hint: 'Choose another label.' },
  );
}
