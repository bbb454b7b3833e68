import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { artifactSchema } from '../../model/artifact.ts';
import { boxSchema, PICTURE_FORMATS } from '../../model/capture.ts';
import { pageArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { findLabels } from './find-labels.ts';

/** Listed with its pack only: the default listing has a budget. */
const IN_FILES = { pack: 'files' };

export const screenshot = defineTool({
  name: 'browser_screenshot',
  summary: 'Take a picture of the page or an element, for what snapshots cannot tell.',
  effect: 'read',
  scope: 'page',
  limit: 'capture',
  aliases: { ...TARGET_ALIASES, type: 'format' },
  peerNames: ['browser_take_screenshot'],
  input: z.strictObject({
    target: targetArg.optional(),
    fullPage: z.boolean().default(false).describe('Beyond the viewport.'),
    clip: boxSchema.optional().describe('A part of it, in CSS pixels.').meta(IN_FILES),
    format: z.enum(PICTURE_FORMATS).default('png').describe('Of the file.').meta(IN_FILES),
    quality: z.int().min(1).max(100).optional().describe('For jpeg and webp.').meta(IN_FILES),
    scale: z.number().min(0.1).max(2).default(1).describe('Size of the picture.').meta(IN_FILES),
    labels: z
      .boolean()
      .default(false)
      .describe('Draw the refs of what can be acted on.')
      .meta(IN_FILES),
    keep: z.boolean().default(true).describe('Store it as a file.').meta(IN_FILES),
    ...pageArgs,
  }),
  output: z.strictObject({
    file: artifactSchema.nullable().describe('The stored picture; null where nothing is stored.'),
    width: z.int().describe('Pixels.'),
    height: z.int().describe('Pixels.'),
    ratio: z.number().describe('Pixels of the picture per CSS pixel of the page.'),
    inline: z
      .strictObject({
        mimeType: z.string(),
        base64: z.string(),
        width: z.int(),
        height: z.int(),
      })
      .nullable()
      .describe('The picture as shown to a model, scaled down where it is too large.'),
    labels: z
      .array(z.strictObject({ ref: z.string(), text: z.string(), box: boxSchema }))
      .describe('What is labelled, in pixels of the stored picture.'),
  }),
  examples: [
    { title: 'Take a picture', on: '/', input: {} },
    { title: 'Take the whole page with refs', on: '/', input: { fullPage: true, labels: true } },
  ],
  async run({ page, session, deps, signal }, input) {
    const { fullPage, format, quality, scale, clip } = input;
    if (input.target !== undefined && (fullPage || clip)) {
      throw new OrielError('bad_input', '`target` goes with neither `fullPage` nor `clip`.', {
        hint: 'Give one of them.',
      });
    }
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    const picture = await deps.act.capture(
      page.raw,
      page.cdp,
      {
        target,
        clip: clip ?? null,
        fullPage,
        format,
        quality,
        scale,
        labels: input.labels ? (limit) => findLabels(deps.lens, page.raw, limit) : null,
      },
      signal,
    );
    const file =
      deps.config.mode === 'readonly' || !input.keep
        ? null
        : await deps.artifacts.put({
            session: session.key,
            prefix: 'shot',
            extension: format === 'jpeg' ? 'jpg' : format,
            mimeType: `image/${format}`,
            content: picture.content,
          });
    const { width, height, ratio, inline } = picture;
    return { file, width, height, ratio, inline, labels: [...picture.labels] };
  },
  render({ file, width, height, inline, labels }) {
    const isScaled = inline && inline.width !== width;
    const facts = [
      `${width}x${height}`,
      file ? `${file.bytes} bytes` : '',
      isScaled ? `shown at ${inline.width}x${inline.height}` : '',
      inline ? '' : 'too large to be shown',
    ];
    const lines = [file?.path ?? '', facts.filter(Boolean).join(', ')];
    return [
      { source: 'oriel', text: lines.filter(Boolean).join('\n') },
      { source: 'page', text: labels.map(({ ref, text }) => `${ref} ${text}`).join('\n') },
      ...(inline
        ? [{ source: 'image' as const, mimeType: inline.mimeType, base64: inline.base64 }]
        : []),
    ];
  },
});
