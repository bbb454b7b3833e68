import { z } from 'zod';
import { actArgs, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const MAX_BYTES = 65_536;

export const evaluate = defineTool({
  name: 'browser_evaluate',
  summary: 'Run JavaScript in the page, for what no other tool can do.',
  effect: 'script',
  scope: 'page',
  limit: 'script',
  aliases: {
    ref: 'target',
    selector: 'target',
    element_ref: 'target',
    expression: 'function',
    script: 'function',
    fn: 'function',
  },
  peerNames: ['browser_execute_js'],
  input: z.strictObject({
    function: z
      .string()
      .min(1)
      .max(200_000)
      .describe('Expression, or function such as () => document.title; gets the target, then arg.'),
    target: targetArg.optional(),
    arg: z.unknown().optional().describe('JSON value handed to the function.'),
    ...actArgs,
  }),
  output: z.strictObject({
    value: z.unknown().describe('The result as data; null where it is not JSON or was cut.'),
    text: z.string().describe('The result as JSON text; `undefined` for undefined.'),
    bytes: z.int().describe('Size of the whole result.'),
    isTruncated: z.boolean().describe('Whether the text was cut at 64 KiB.'),
  }),
  examples: [{ title: 'Read the title', on: '/', input: { function: '() => document.title' } }],
  async run({ page, deps, signal }, input) {
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    const result = await deps.act.evaluate(page.raw, input.function, target, input.arg, signal);
    const whole = toJsonText(result);
    const bytes = Buffer.byteLength(whole);
    if (bytes <= MAX_BYTES) return { value: asJson(whole), text: whole, bytes, isTruncated: false };
    const text = Buffer.from(whole)
      .subarray(0, MAX_BYTES)
      .toString('utf8')
      .replace(/\ufffd+$/, '');
    return { value: null, text, bytes, isTruncated: true };
  },
  render({ text, bytes, isTruncated }) {
    return [
      {
        source: 'oriel',
        text: isTruncated ? `Result, cut at 64 KiB of ${bytes} bytes:` : 'Result:',
      },
      { source: 'page', text },
    ];
  },
});

/** Values that JSON lacks are written as script would write them. */
function toJsonText(value: unknown): string {
  if (value === undefined) return 'undefined';
  const text = JSON.stringify(value, (_key, entry: unknown) => {
    if (typeof entry === 'bigint') return `${entry}n`;
    if (typeof entry === 'number' && !Number.isFinite(entry)) return String(entry);
    if (entry instanceof Map) return Object.fromEntries(entry);
    if (entry instanceof Set) return [...entry];
    return entry;
  });
  // Functions and symbols have no JSON.
  return text ?? `(${typeof value})`;
}

function asJson(text: string): unknown {
  return text === 'undefined' ? null : (JSON.parse(text) as unknown);
}
