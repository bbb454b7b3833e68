import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { contextOf } from './context-of.ts';

export const initScript = defineTool({
  name: 'browser_init_script',
  summary: 'Have script run in every document of the session before the document’s own.',
  effect: (input) => (input.action === 'list' ? 'read' : 'script'),
  effects: ['read', 'script'],
  scope: 'page',
  pack: 'emulate',
  limit: 'action',
  opensPage: true,
  input: z.strictObject({
    action: z.enum(['add', 'list', 'clear']).default('add').describe('What to do.'),
    script: z.string().min(1).max(200_000).optional().describe('For add: the script.'),
    id: z.string().min(1).max(20).optional().describe('For clear: one of them; all without.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    scripts: z
      .array(z.strictObject({ id: z.string(), script: z.string() }))
      .describe('The scripts that now run.'),
  }),
  examples: [
    { title: 'Add', on: '/', input: { script: 'window.isTest = true' } },
    { title: 'Clear', on: '/', input: { action: 'clear' } },
  ],
  async run({ session, deps, signal }, { action, script, id }) {
    const context = contextOf(session);
    let done = '';
    if (action === 'add') {
      if (script === undefined) {
        throw new OrielError('bad_input', 'browser_init_script needs `script` to add.', {
          hint: 'For example {"script": "window.isTest = true"}.',
        });
      }
      const added = await deps.act.addInitScript(context, script, signal);
      done = `Script ${added.id} runs in every document that opens from now on.`;
    } else if (action === 'clear') {
      const cleared = await deps.act.clearInitScripts(context, id ?? null, signal);
      done = `${cleared} script${cleared === 1 ? '' : 's'} cleared.`;
    }
    const scripts = deps.act.initScripts(context);
    return { done: done || `${scripts.length} init scripts.`, scripts };
  },
  render({ done, scripts }) {
    const lines = scripts.map(({ id, script }) => `${id}: ${script.slice(0, 120)}`);
    return [{ source: 'oriel', text: [done, ...lines].join('\n') }];
  },
});
