import { z } from 'zod';
import type { Id } from '../kernel/id.ts';
import { EGRESS_LEVELS } from './network.ts';
import { pageFactsSchema } from './page.ts';

/** Unguessable handle of a root session. */
export type SessionId = Id<'session'>;

/** Who calls: everything a principal opened is reachable by that principal alone. */
export type Principal = Id<'principal'>;

/** How long a session lives: until its connection ends, until closed, or until idle. */
export type SessionClass = 'connection' | 'minted' | 'auto';

/** A session that a call goes to when its input names none. */
export type MeantSession =
  | { readonly handle: string }
  | {
      /** Of the caller's choice, among those of its principal. */
      readonly name: string;
      /** What it becomes when it is made. */
      readonly kind: Exclude<SessionClass, 'connection'>;
      /** Whether it is made when there is none. */
      readonly isMade: boolean;
    };

/** What happens to alert, confirm, prompt and beforeunload. */
export const DIALOG_POLICIES = ['accept', 'dismiss', 'manual'] as const;
export type DialogPolicy = (typeof DIALOG_POLICIES)[number];

export const sessionFactsSchema = z.strictObject({
  session: z.string().describe('Handle to pass as `session`.'),
  name: z.string().nullable().describe('The name it was given, or null.'),
  isYours: z.boolean().describe('Whether calls without `session` go to it.'),
  createdAt: z.iso.datetime().describe('When it was made.'),
  generation: z
    .int()
    .nullable()
    .describe('Browser generation it runs in; null before its first page.'),
  egress: z.enum(EGRESS_LEVELS).nullable().describe('How its traffic is held; null before then.'),
  settings: z.array(z.string()).describe('What it has been made to be: device, routes, clock.'),
  pages: z.array(pageFactsSchema).describe('Its open pages.'),
});
export type SessionFacts = z.output<typeof sessionFactsSchema>;
