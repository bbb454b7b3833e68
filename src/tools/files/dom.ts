import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { pageArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const MAX_BYTES = 65_536;

export const dom = defineTool({
  name: 'browser_dom',
  summary: 'Get the HTML of the page or of an element, for what browser_read leaves out.',
  effect: 'read',
  scope: 'page',
  pack: 'files',
  limit: 'action',
  aliases: TARGET_ALIASES,
  input: z.strictObject({ target: targetArg.optional(), ...pageArgs }),
  output: z.strictObject({
    url: z.string().describe('Address of the page.'),
    html: z.string().describe('The markup, at most 64 KiB of it.'),
    bytes: z.int().describe('Size of the whole.'),
    isTruncated: z.boolean().describe('Whether it was cut.'),
    file: artifactSchema.nullable().describe('The whole, where it was cut and may be kept.'),
  }),
  examples: [{ title: 'Get the markup of the main part', on: '/', input: { target: 'main' } }],
  async run({ page, session, deps, signal }, input) {
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    const url = page.url;
    const whole = await deps.act.markup(page.raw, target, signal);
    const content = Buffer.from(whole, 'utf8');
    const bytes = content.byteLength;
    if (bytes <= MAX_BYTES) return { url, html: whole, bytes, isTruncated: false, file: null };
    const html = content
      .subarray(0, MAX_BYTES)
      .toString('utf8')
      .replace(/\ufffd+$/, '');
    const file =
      deps.config.mode === 'readonly'
        ? null
        : await deps.artifacts.put({
            session: session.key,
            prefix: 'dom',
            extension: 'html',
            mimeType: 'text/html',
            content,
          });
    return { url, html, bytes, isTruncated: true, file };
  },
  render({ url, html, bytes, isTruncated, file }) {
    const cut = `The first 64 KiB of ${bytes} bytes${file ? `; all in ${file.path}` : ''}.`;
    return [
      { source: 'oriel', text: isTruncated ? cut : `All ${bytes} bytes.` },
      { source: 'page', origin: URL.canParse(url) ? new URL(url).origin : url, text: html },
    ];
  },
});
