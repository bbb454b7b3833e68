import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { contextOf } from './context-of.ts';

const MAX_BYTES = 200 * 1024 * 1024;

export const video = defineTool({
  name: 'browser_video',
  summary: 'Film the page: a Motion JPEG video in an AVI file.',
  effect: 'disk',
  scope: 'session',
  pack: 'observe',
  limit: 'capture',
  input: z.strictObject({
    action: z.enum(['start', 'stop']).describe('Begin, or end and keep the file.'),
    fps: z.int().min(1).max(30).default(10).describe('Most pictures a second.'),
    width: z.int().min(100).max(1_920).default(1_280).describe('Largest width in pixels.'),
    height: z.int().min(100).max(1_920).default(720).describe('Largest height in pixels.'),
    maxSeconds: z.int().min(1).max(1_800).default(300).describe('Ends by itself after this.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    isRecording: z.boolean(),
    file: artifactSchema.nullable().describe('The film, once it has ended.'),
    durationMs: z.int(),
    frames: z.int().describe('Pictures in the film, repeated ones included.'),
    width: z.int(),
    height: z.int(),
    endedBy: z
      .enum(['stop', 'time', 'size', 'close'])
      .nullable()
      .describe('What ended it: this call, its longest time, 200 MB, or the page that closed.'),
  }),
  examples: [{ title: 'Begin', on: '/', input: { action: 'start' } }],
  async run({ session, deps, signal }, { action, fps, width, height, maxSeconds, page: name }) {
    const { videos } = deps.observe;
    if (action === 'start') {
      const page = session.page(name);
      const options = { fps, width, height, maxMs: maxSeconds * 1_000, maxBytes: MAX_BYTES };
      const filmed = { page: page.raw, id: page.id, session: session.key };
      await videos.start(filmed, options, signal);
      return {
        isRecording: true,
        file: null,
        durationMs: 0,
        frames: 0,
        width,
        height,
        endedBy: null,
      };
    }
    const context = contextOf(session);
    const id = name === undefined ? undefined : (session.find(name)?.id ?? name);
    return { isRecording: false, ...(await videos.stop(context, id, signal)) };
  },
  render({ file, durationMs, frames, width, height, endedBy }) {
    const text = file
      ? `${file.path}\n${width}x${height}, ${durationMs} ms, ${frames} frames, ${file.bytes} bytes.` +
        (endedBy === 'stop' ? '' : ` It had ended before (${endedBy}).`)
      : 'Filming. End it with browser_video {"action": "stop"}.';
    return [{ source: 'oriel', text }];
  },
});
