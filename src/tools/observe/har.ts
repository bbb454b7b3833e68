import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { contextOf } from './context-of.ts';

export const har = defineTool({
  name: 'browser_har',
  summary: 'Record the requests of the session as a HAR file, secrets hidden.',
  effect: 'disk',
  scope: 'session',
  pack: 'observe',
  limit: 'capture',
  input: z.strictObject({
    action: z.enum(['start', 'stop']).describe('Begin, or end and keep the file.'),
    bodies: z.boolean().default(false).describe('With what was answered.'),
    urlFilter: z.string().min(1).max(2_000).optional().describe('Glob of the addresses to keep.'),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    isRecording: z.boolean(),
    file: artifactSchema.nullable().describe('The HAR, once it has ended.'),
    durationMs: z.int().describe('How long it was recorded.'),
  }),
  examples: [{ title: 'Begin', on: '/', input: { action: 'start' } }],
  async run({ session, deps, signal }, { action, bodies, urlFilter }) {
    const context = contextOf(session);
    if (action === 'start') {
      const content = bodies ? 'embed' : 'omit';
      await deps.observe.traces.startHar(context, session.key, { content, urlFilter }, signal);
      return { isRecording: true, file: null, durationMs: 0 };
    }
    const ended = await deps.observe.traces.stopHar(context, session.key, signal);
    return { isRecording: false, ...ended };
  },
  render({ file, durationMs }) {
    const text = file
      ? `${file.path}\n${file.bytes} bytes, ${durationMs} ms.`
      : 'Recording. End it with browser_har {"action": "stop"}.';
    return [{ source: 'oriel', text }];
  },
});
