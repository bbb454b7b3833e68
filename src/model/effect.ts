import { z } from 'zod';
import { DOWNLOAD_STATES } from './download.ts';

/** What an action did to the page and around it. Empty parts are left out. */
export const effectSchema = z.strictObject({
  navigation: z
    .strictObject({
      from: z.string(),
      to: z.string(),
      status: z.int().optional().describe('HTTP status of the document.'),
    })
    .optional(),
  opened: z
    .array(z.strictObject({ page: z.string(), url: z.string() }))
    .optional()
    .describe('Pages that opened.'),
  closed: z.array(z.string()).optional().describe('Pages that closed.'),
  dialogs: z
    .array(
      z.strictObject({
        type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
        message: z.string(),
        state: z.enum(['accepted', 'dismissed', 'open']),
      }),
    )
    .optional(),
  downloads: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        url: z.string(),
        state: z.enum(DOWNLOAD_STATES),
        path: z.string().optional(),
        bytes: z.int().optional(),
        mimeType: z.string().optional(),
        error: z.string().optional(),
      }),
    )
    .optional()
    .describe('Downloads that began, and earlier ones that have ended since the last answer.'),
  fileChooser: z
    .strictObject({ isMultiple: z.boolean() })
    .optional()
    .describe('A file chooser opened and waits for files.'),
  consoleErrors: z.array(z.string()).optional().describe('Errors the page reported, first lines.'),
  blocked: z
    .array(z.string())
    .optional()
    .describe('Requests that the network policy refused, by host, and pages over the caps.'),
  delta: z.string().optional().describe('Lines of the snapshot that were added, removed, changed.'),
  snapshot: z.string().optional().describe('The new snapshot, where one was asked for.'),
  settled: z
    .strictObject({
      reason: z.enum(['idle', 'quiet', 'navigated', 'budget', 'none']),
      ms: z.int(),
    })
    .optional()
    .describe('Why and after how long the page counted as settled.'),
});
export type Effect = z.output<typeof effectSchema>;
