import { z } from 'zod';

/** Most entries that a page's buffers hold, and that one answer may list. */
export const BUFFER_ENTRIES = 200;
/** Entries that an answer lists unless told otherwise. */
export const DEFAULT_ENTRIES = 50;

export const CONSOLE_LEVELS = ['error', 'warning', 'info', 'debug'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

/** What a page said: a console line, an uncaught error, or a dialog. */
export const consoleEntrySchema = z.strictObject({
  type: z
    .string()
    .describe('error, warning, info, log, debug, … as the page called it; dialog for a dialog.'),
  text: z.string().describe('What it said, at most 4,000 characters.'),
  location: z.string().optional().describe('Where, as url:line:column, both from 1.'),
  worker: z.string().optional().describe('Address of the worker that said it.'),
  timestamp: z.number().describe('When, in milliseconds since 1970.'),
});
export type ConsoleEntry = z.output<typeof consoleEntrySchema>;

export interface ConsoleQuery {
  /** Types to keep; all when it is not given. */
  readonly levels?: readonly ConsoleLevel[] | undefined;
  readonly contains?: string | undefined;
  readonly limit: number;
}

/** What a query of a buffer answers: the newest entries that match, oldest first. */
export interface Found<Entry> {
  /** How many of the buffer match. */
  readonly total: number;
  readonly returned: Entry[];
  /** How many older entries the buffer has dropped, whether they match or not. */
  readonly dropped: number;
}
