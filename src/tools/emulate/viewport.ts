import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const MIN = 320;
const MAX = 7_680;

export const viewport = defineTool({
  name: 'browser_viewport',
  summary: 'Get or set the size of a page in CSS pixels.',
  effect: ({ action, width, height }) =>
    action === 'get' || (action === undefined && width === undefined && height === undefined)
      ? 'read'
      : 'config',
  effects: ['read', 'config'],
  scope: 'page',
  pack: 'emulate',
  limit: 'action',
  opensPage: true,
  peerNames: ['browser_resize'],
  input: z.strictObject({
    action: z.enum(['get', 'set']).optional().describe('Default: set where a size is given.'),
    width: z.number().optional().describe(`Clamped to ${MIN} to ${MAX}.`),
    height: z.number().optional().describe(`Clamped to ${MIN} to ${MAX}.`),
    ...pageArgs,
  }),
  output: z.strictObject({
    width: z.int().nullable().describe('Null where the window decides.'),
    height: z.int().nullable(),
    requested: z
      .strictObject({ width: z.number(), height: z.number() })
      .nullable()
      .describe('What was asked for, where it had to be clamped.'),
  }),
  examples: [{ title: 'Make the page as wide as a tablet', input: { width: 820, height: 1180 } }],
  async run({ page, deps, signal }, input) {
    const now = page.raw.viewportSize();
    const hasSize = input.width !== undefined || input.height !== undefined;
    if ((input.action ?? (hasSize ? 'set' : 'get')) === 'get') {
      return { width: now?.width ?? null, height: now?.height ?? null, requested: null };
    }
    const width = input.width ?? now?.width;
    const height = input.height ?? now?.height;
    if (width === undefined || height === undefined || !hasSize) {
      throw new OrielError('bad_input', 'A size is missing.', {
        hint: 'Give width and height.',
      });
    }
    const size = { width: clamp(width), height: clamp(height) };
    await deps.stages.of(page.raw.context()).setViewport(page.raw, size, signal);
    const isClamped = size.width !== width || size.height !== height;
    return { ...size, requested: isClamped ? { width, height } : null };
  },
  render({ width, height, requested }) {
    const size = width === null ? 'The window decides the size.' : `${width}x${height}`;
    const asked = requested ? ` (asked for ${requested.width}x${requested.height}, clamped)` : '';
    return [{ source: 'oriel', text: size + asked }];
  },
});

function clamp(side: number): number {
  return Math.round(Math.min(MAX, Math.max(MIN, side)));
}
