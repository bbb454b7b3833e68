import { z } from 'zod';
import {
  BUFFER_ENTRIES,
  CONSOLE_LEVELS,
  type ConsoleLevel,
  consoleEntrySchema,
  DEFAULT_ENTRIES,
} from '../../model/console.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const LEVELS = new RegExp(`^(?:${CONSOLE_LEVELS.join('|')})(?:,(?:${CONSOLE_LEVELS.join('|')}))*$`);

export const consoleTool = defineTool({
  name: 'browser_console',
  summary: 'Read what the page wrote to its console, its uncaught errors, and its dialogs.',
  effect: 'read',
  scope: 'page',
  pack: 'observe',
  limit: 'action',
  toleratesDialog: true,
  aliases: { levels: 'level' },
  peerNames: ['browser_console_messages'],
  input: z.strictObject({
    level: z
      .string()
      .regex(LEVELS, `expected one or more of ${CONSOLE_LEVELS.join(', ')}, with commas`)
      .optional()
      .describe('Such as error,warning; info is log too.'),
    contains: z.string().min(1).max(1_000).optional().describe('Text within the entry.'),
    limit: z
      .int()
      .min(1)
      .max(BUFFER_ENTRIES)
      .default(DEFAULT_ENTRIES)
      .describe('Most entries; the newest are kept.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    total: z.int().describe('How many entries of the buffer match.'),
    returned: z.array(consoleEntrySchema).describe('The newest of them, oldest first.'),
    dropped: z.int().describe('How many older entries the buffer no longer has.'),
  }),
  examples: [
    { title: 'See errors and warnings', on: '/', input: { level: 'error,warning' } },
    { title: 'Search', on: '/', input: { contains: 'cart', limit: 10 } },
  ],
  async run({ page, deps }, { level, contains, limit }) {
    const levels = level?.split(',') as ConsoleLevel[] | undefined;
    return deps.journals.of(page.raw).console.query({ levels, contains, limit });
  },
  render({ total, returned, dropped }) {
    const counted = `${total} ${total === 1 ? 'entry' : 'entries'}`;
    const shown = returned.length < total ? `, the newest ${returned.length} shown` : '';
    const lost = dropped > 0 ? `; ${dropped} older ones were dropped` : '';
    return [
      { source: 'oriel', text: `${counted}${shown}${lost}.` },
      {
        source: 'page',
        text: returned
          .map(({ type, text, location, worker }) =>
            [`[${type}] ${text}`, location && `(${location})`, worker && `[worker ${worker}]`]
              .filter(Boolean)
              .join(' '),
          )
          .join('\n'),
      },
    ];
  },
});
