import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { contextOf } from './context-of.ts';

export const trace = defineTool({
  name: 'browser_trace',
  summary: 'Record everything that happens in the session as a Playwright trace file.',
  effect: 'disk',
  scope: 'session',
  pack: 'observe',
  limit: 'capture',
  peerNames: ['browser_start_tracing', 'browser_stop_tracing'],
  input: z.strictObject({
    action: z.enum(['start', 'stop']).describe('Begin, or end and keep the file.'),
    snapshots: z.boolean().default(true).describe('With the DOM before and after each action.'),
    screenshots: z.boolean().default(true).describe('With pictures along the way.'),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    isRecording: z.boolean(),
    file: artifactSchema.nullable().describe('The trace, once it has ended.'),
    durationMs: z.int().describe('How long it was recorded.'),
  }),
  examples: [{ title: 'Begin', on: '/', input: { action: 'start' } }],
  async run({ session, deps, signal }, { action, snapshots, screenshots }) {
    const context = contextOf(session);
    if (action === 'start') {
      await deps.observe.traces.startTrace(context, { snapshots, screenshots }, signal);
      return { isRecording: true, file: null, durationMs: 0 };
    }
    const ended = await deps.observe.traces.stopTrace(context, session.key, signal);
    return { isRecording: false, ...ended };
  },
  render({ file, durationMs }) {
    const text = file
      ? `${file.path}\n${file.bytes} bytes, ${durationMs} ms. It holds what was typed and sent, ` +
        'secrets too. Show it: npx playwright show-trace FILE'
      : 'Recording. End it with browser_trace {"action": "stop"}.';
    return [{ source: 'oriel', text }];
  },
});
