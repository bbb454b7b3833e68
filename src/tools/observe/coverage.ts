import { z } from 'zod';
import { coverageFactsSchema } from '../../model/coverage.ts';
import { actArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const coverage = defineTool({
  name: 'browser_coverage',
  summary: 'Measure how many bytes of the scripts and styles of the page are not used.',
  effect: 'act',
  scope: 'page',
  pack: 'observe',
  limit: 'navigation',
  input: z.strictObject({
    action: z
      .enum(['reload', 'start', 'stop'])
      .default('reload')
      .describe('Measure one load; or start, act on the page, and stop.'),
    ...actArgs,
  }),
  output: z.strictObject({
    isMeasuring: z.boolean(),
    coverage: coverageFactsSchema.nullable().describe('What was found; null while it measures.'),
  }),
  examples: [{ title: 'Measure a load', on: '/', input: {} }],
  async run({ page, deps, signal }, { action }) {
    const { coverage } = deps.observe;
    if (action !== 'stop') await coverage.start(page.raw, signal);
    if (action === 'start') return { isMeasuring: true, coverage: null };
    if (action === 'reload') {
      try {
        await deps.act.travel(page.raw, 'reload', { waitUntil: 'load' }, signal);
      } catch (thrown) {
        await coverage.stop(page.raw, AbortSignal.timeout(2_000)).catch(() => {});
        throw thrown;
      }
    }
    return { isMeasuring: false, coverage: await coverage.stop(page.raw, signal) };
  },
  render({ coverage }) {
    if (!coverage) {
      const text = 'Measuring. End it with browser_coverage {"action": "stop"}.';
      return [{ source: 'oriel', text }];
    }
    const part = (unused: number, total: number) =>
      `${unused} of ${total} bytes unused${total > 0 ? ` (${Math.round((unused / total) * 100)} %)` : ''}`;
    const { js, css, files, total } = coverage;
    const more = total > 20 ? `, ${total} in all` : '';
    return [
      {
        source: 'oriel',
        text:
          `Scripts: ${part(js.unusedBytes, js.totalBytes)}\n` +
          `Styles: ${part(css.unusedBytes, css.totalBytes)}\nBy address${more}:`,
      },
      {
        source: 'page',
        text: files
          .slice(0, 20)
          .map((file) => `${file.kind} ${part(file.unusedBytes, file.totalBytes)} ${file.url}`)
          .join('\n'),
      },
    ];
  },
});
