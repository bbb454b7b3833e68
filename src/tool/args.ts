import { z } from 'zod';

/** Names of arguments that mean the same in every tool; explained once, in the instructions. */
export const COMMON_ARGUMENTS = ['session', 'page', 'timeoutMs', 'snapshot', 'target'] as const;

export const sessionArg = z.string().min(1).max(200).optional().describe('Session handle.');
export const pageArg = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Page id, label or position.');
export const timeoutArg = z
  .int()
  .min(1)
  .max(3_600_000)
  .optional()
  .describe('Limit of the whole call in milliseconds.');
export const snapshotArg = z
  .boolean()
  .optional()
  .describe('Answer with the new snapshot instead of what changed.');

/** The arguments of a tool that works on a page without changing it. */
export const pageArgs = { session: sessionArg, page: pageArg, timeoutMs: timeoutArg };

/** The arguments of a tool that changes a page. */
export const actArgs = { ...pageArgs, snapshot: snapshotArg };

export const targetArg = z.string().min(1).max(2_000).describe('Ref such as e12, or a selector');

/** Peers' names for `target`. */
export const TARGET_ALIASES = {
  ref: 'target',
  selector: 'target',
  element_ref: 'target',
  uid: 'target',
} as const;
