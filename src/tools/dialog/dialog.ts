import { z } from 'zod';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const dialog = defineTool({
  name: 'browser_dialog',
  summary: 'Answer the dialog that is open, or decide beforehand how the next one is answered.',
  effect: (input) => (input.action === 'status' ? 'read' : 'act'),
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
    ...pageArgs,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    type: z.string().nullable().describe('Kind of the dialog; null when none was open.'),
    message: z.string().nullable().describe('Its text.'),
  }),
  examples: [
    { title: 'Accept the next dialog', on: '/', input: { action: 'accept' } },
    { title: 'See whether one is open', on: '/', input: {} },
  ],
  async run({ page, deps }, input) {
    const journal = deps.journals.of(page.raw);
    const open = journal.openDialog;
    if (input.action === 'status') {
      return {
        done: open ? 'A dialog is open.' : 'No dialog is open.',
        type: open?.type ?? null,
        message: open?.message ?? null,
      };
    }
    const isAccepted = input.action === 'accept';
    if (!open) {
      journal.armDialog(isAccepted, input.text);
      return {
        done: `The next dialog of ${page.id} will be ${isAccepted ? 'accepted' : 'dismissed'}.`,
        type: null,
        message: null,
      };
    }
    await journal.answerDialog(isAccepted, input.text);
    return {
      done: `The dialog was ${isAccepted ? 'accepted' : 'dismissed'}.`,
      type: open.type,
      message: open.message,
    };
  },
  render({ done, type, message }) {
    return [
      { source: 'oriel', text: done },
      { source: 'page', text: type === null ? '' : `${type}: ${message}` },
    ];
  },
});
