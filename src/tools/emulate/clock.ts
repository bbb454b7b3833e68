import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const clock = defineTool({
  name: 'browser_clock',
  summary: 'Set, stop or advance the time that pages of this session see.',
  effect: 'config',
  scope: 'page',
  pack: 'emulate',
  limit: 'action',
  opensPage: true,
  input: z.strictObject({
    action: z
      .enum(['fixed', 'install', 'fastForward', 'resume'])
      .describe('fixed: time stands; install: it runs from `time`; fastForward: by `ms`.'),
    time: z.string().max(40).optional().describe('Such as 2030-01-31T12:00:00Z.'),
    ms: z.int().min(1).max(3_155_760_000_000).optional(),
    ...pageArgs,
  }),
  output: z.strictObject({
    now: z.string().describe('The time that the page sees now.'),
  }),
  examples: [
    {
      title: 'See the site at the end of the year',
      input: { action: 'fixed', time: '2030-12-31T23:59:00Z' },
    },
  ],
  async run({ page, deps, signal }, { action, time, ms }) {
    const stage = deps.stages.of(page.raw.context());
    if (action === 'fastForward') {
      if (ms === undefined) throw missing('ms', action);
      await stage.setClock({ kind: action, ms }, signal);
    } else if (action === 'resume') {
      await stage.setClock({ kind: action }, signal);
    } else {
      if (time === undefined) throw missing('time', action);
      const at = Date.parse(time);
      if (Number.isNaN(at)) {
        throw new OrielError('bad_input', `${JSON.stringify(time)} is no time.`, {
          hint: 'Give an ISO time such as 2030-01-31T12:00:00Z.',
        });
      }
      await stage.setClock({ kind: action, at }, signal);
    }
    return { now: await deps.act.readTime(page.raw, signal) };
  },
  render({ now }) {
    return [{ source: 'page', text: `The page's time is ${now}.` }];
  },
});

function missing(argument: string, action: string): OrielError {
  return new OrielError('bad_input', `\`${argument}\` is missing for ${action}.`, {
    hint: 'fixed and install take `time`, fastForward takes `ms`.',
  });
}
