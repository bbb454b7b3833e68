import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { pageArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const screenshot = defineTool({
  name: 'browser_screenshot',
  summary: 'Take a picture of the page or of one element, for what a snapshot cannot tell.',
  effect: 'read',
  scope: 'page',
  limit: 'capture',
  aliases: TARGET_ALIASES,
  peerNames: ['browser_take_screenshot'],
  input: z.strictObject({
    target: targetArg.optional(),
    fullPage: z.boolean().default(false).describe('The whole page, not just the viewport.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    file: artifactSchema.describe('The stored picture.'),
    width: z.int().describe('Pixels.'),
    height: z.int().describe('Pixels.'),
    inline: z
      .strictObject({ mimeType: z.string(), base64: z.string() })
      .nullable()
      .describe('The picture as shown to a model, scaled down where it is too large.'),
  }),
  examples: [{ title: 'Take a picture', on: '/', input: {} }],
  async run({ page, session, deps, signal }, input) {
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    const picture = await deps.act.screenshot(
      page.raw,
      { target, fullPage: input.fullPage },
      signal,
    );
    const file = await deps.artifacts.put({
      session: session.key,
      prefix: 'shot',
      extension: 'png',
      mimeType: 'image/png',
      content: picture.png,
    });
    return {
      file,
      width: picture.width,
      height: picture.height,
      inline: picture.inline,
    };
  },
  render({ file, width, height, inline }) {
    return [
      { source: 'oriel', text: `${file.path}\n${width}x${height}, ${file.bytes} bytes` },
      ...(inline ? [{ source: 'image' as const, ...inline }] : []),
    ];
  },
});
