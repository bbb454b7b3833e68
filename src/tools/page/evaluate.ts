import { z } from 'zod';
import { artifactSchema } from '../../model/artifact.ts';
import { actArgs, targetArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const DEFAULT_BYTES = 65_536;
/** What a model is shown of a result that has a file of its own. */
const SHOWN_BYTES = 16_384;

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
    maxBytes: z
      .int()
      .min(1)
      .max(1_048_576)
      .default(DEFAULT_BYTES)
      .describe('Most bytes of the result; the rest goes to a file.'),
    ...actArgs,
  }),
  output: z.strictObject({
    value: z.unknown().describe('The result as data; null where it is not JSON or was cut.'),
    text: z.string().describe('The result as JSON text; `undefined` for undefined.'),
    bytes: z.int().describe('Size of the whole result.'),
    isTruncated: z.boolean().describe('Whether the text was cut at maxBytes.'),
    file: artifactSchema.nullable().describe('The whole result, where it was cut.'),
  }),
  examples: [{ title: 'Read the title', on: '/', input: { function: '() => document.title' } }],
  async run({ page, session, deps, signal }, input) {
    const target =
      input.target === undefined ? null : await deps.lens.locate(page.raw, input.target, signal);
    const result = await deps.act.evaluate(page.raw, input.function, target, input.arg, signal);
    const whole = toJsonText(result);
    const bytes = Buffer.byteLength(whole);
    if (bytes <= input.maxBytes) {
      return { value: asJson(whole), text: whole, bytes, isTruncated: false, file: null };
    }
    const file =
      deps.config.mode === 'readonly'
        ? null
        : await deps.artifacts.put({
            session: session.key,
            prefix: 'result',
            extension: 'json',
            mimeType: 'application/json',
            content: whole,
          });
    return {
      value: null,
      text: cutUtf8(whole, input.maxBytes),
      bytes,
      isTruncated: true,
      file,
    };
  },
  render({ text, bytes, isTruncated, file }) {
    const shown = file ? cutUtf8(text, SHOWN_BYTES) : text;
    const cut = `Result, the first ${Buffer.byteLength(shown)} of ${bytes} bytes`;
    return [
      {
        source: 'oriel',
        text: isTruncated ? `${cut}${file ? `; whole in ${file.path}` : ''}:` : 'Result:',
      },
      { source: 'page', text: shown },
    ];
  },
});

/** At most `maxBytes` of the text in UTF-8, never half a character. */
function cutUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(maxBytes, bytes.byteLength);
  // A continuation byte looks like 10xxxxxx: step back to where its character begins.
  while (end > 0 && end < bytes.byteLength && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString('utf8');
}

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
