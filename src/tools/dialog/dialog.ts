import { z } from 'zod';
import { DIALOG_POLICIES, type DialogPolicy } from '../../model/session.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const POLICY_TEXT: Record<DialogPolicy, string> = {
  accept: 'dialogs of this session are accepted',
  dismiss: 'dialogs of this session are dismissed',
  manual: 'dialogs of this session wait for an answer',
};

export const dialog = defineTool({
  name: 'browser_dialog',
  summary:
    'Answer the open dialog, arm the answer to the next, or set what happens to all of a session.',
  effect: (input) => (input.action === 'status' && input.policy === undefined ? 'read' : 'act'),
  effects: ['read', 'act'],
  scope: 'page',
  pack: 'dialog',
  limit: 'action',
  toleratesDialog: true,
  aliases: { promptText: 'text' },
  peerNames: ['browser_handle_dialog'],
  input: z.strictObject({
    action: z.enum(['accept', 'dismiss', 'status']).default('status').describe('The answer.'),
    text: z.string().max(10_000).optional().describe('What to enter in a prompt.'),
    policy: z
      .enum(DIALOG_POLICIES)
      .optional()
      .describe("What happens to this session's dialogs from now on; manual: they wait for you."),
    ...pageArgs,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    type: z.string().nullable().describe('Kind of the dialog; null when none was open.'),
    message: z.string().nullable().describe('Its text.'),
    policy: z.enum(DIALOG_POLICIES).describe("What happens to this session's dialogs."),
  }),
  examples: [
    { title: 'Accept the next dialog', on: '/', input: { action: 'accept' } },
    { title: 'See whether one is open', on: '/', input: {} },
    { title: 'Decide on each dialog yourself', on: '/', input: { policy: 'manual' } },
  ],
  async run({ session, page, deps }, input) {
    const journal = deps.journals.of(page.raw);
    if (input.policy !== undefined) session.dialogPolicy = input.policy;
    const policy = session.dialogPolicy ?? deps.config.dialogs.policy;
    const open = journal.openDialog;
    const facts = { type: open?.type ?? null, message: open?.message ?? null, policy };
    if (input.action === 'status') {
      const isSet = input.policy !== undefined;
      const done = `${open ? 'A' : 'No'} dialog is open. ${isSet ? 'From now on' : 'As things stand'}, ${POLICY_TEXT[policy]}.`;
      return { done, ...facts };
    }
    const isAccepted = input.action === 'accept';
    const word = isAccepted ? 'accepted' : 'dismissed';
    if (!open) {
      journal.armDialog(isAccepted, input.text);
      return { done: `The next dialog of ${page.id} will be ${word}.`, ...facts };
    }
    await journal.answerDialog(isAccepted, input.text);
    return { done: `The dialog was ${word}.`, ...facts };
  },
  render({ done, type, message }) {
    return [
      { source: 'oriel', text: done },
      { source: 'page', text: type === null ? '' : `${type}: ${message}` },
    ];
  },
});
