import { z } from 'zod';
import { defineTool } from '../../tool/declaration.ts';

/** The whole picture: what native screenshots show a model is scaled down to what models take. */
export const picture = defineTool({
  name: 'octopus_picture',
  summary: 'Take a picture of the page as base64.',
  effect: 'read',
  scope: 'page',
  limit: 'capture',
  input: z.strictObject({ fullPage: z.boolean().default(false).describe('Beyond the viewport.') }),
  output: z.strictObject({ base64: z.string().describe('PNG.') }),
  examples: [{ title: 'Take it', input: {} }],
  async run({ page, deps, signal }, { fullPage }) {
    const { content } = await deps.act.capture(
      page.raw,
      page.cdp,
      {
        target: null,
        clip: null,
        fullPage,
        format: 'png',
        quality: undefined,
        scale: 1,
        labels: null,
      },
      signal,
    );
    return { base64: content.toString('base64') };
  },
  render: ({ base64 }) => [{ source: 'image', mimeType: 'image/png', base64 }],
});
