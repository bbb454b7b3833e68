import { z } from 'zod';
import type { Id } from '../kernel/id.ts';

/** `p1`, `p2`, … within a session; never used twice. */
export type PageId = Id<'page'>;

export const pageFactsSchema = z.strictObject({
  page: z.string().describe('Stable id of the page, such as p1.'),
  position: z.int().describe('Place in the list of tabs, from 1.'),
  label: z.string().nullable().describe('The label it was given, or null.'),
  url: z.string().describe('Its address now.'),
  title: z.string().describe('Its title, at most 300 characters.'),
  isCurrent: z.boolean().describe('Whether calls without `page` go to it.'),
  state: z
    .enum(['ready', 'busy', 'dialog_open', 'unresponsive', 'crashed'])
    .describe('Whether it takes calls now.'),
});
export type PageFacts = z.output<typeof pageFactsSchema>;
