import { z } from 'zod';
import { performanceFactsSchema } from '../../model/performance.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { cdpOf } from './cdp-of.ts';

export const performanceTool = defineTool({
  name: 'browser_performance',
  summary: 'Measure how the page loaded: timing, paint, Web Vitals, resources, long tasks, heap.',
  effect: 'read',
  scope: 'page',
  pack: 'observe',
  limit: 'action',
  input: z.strictObject({ ...pageArgs }),
  output: performanceFactsSchema,
  examples: [{ title: 'Measure', on: '/', input: {} }],
  async run({ page, deps, signal }) {
    return deps.observe.readPerformance(await cdpOf(page), signal);
  },
  render({ navigation, paint, vitals, resources, longTasks, domNodes, heap }) {
    const ms = (value: number | null) => (value === null ? 'unknown' : `${value} ms`);
    const ours = [
      `TTFB ${ms(navigation.ttfbMs)}, DOMContentLoaded ${ms(navigation.domContentLoadedMs)}, load ${ms(navigation.loadMs)}`,
      `FP ${ms(paint.firstPaintMs)}, FCP ${ms(paint.firstContentfulPaintMs)}, LCP ${ms(vitals.largestContentfulPaintMs)}`,
      `CLS ${vitals.cumulativeLayoutShift}, INP ${ms(vitals.interactionToNextPaintMs)}`,
      `Long tasks: ${longTasks.count}, ${longTasks.totalMs} ms in all, longest ${longTasks.longestMs} ms`,
      `DOM: ${domNodes} elements; heap: ${heap.usedBytes} of ${heap.totalBytes} bytes`,
      `Resources: ${resources.count}, ${resources.transferredBytes} bytes transferred; the slowest:`,
    ];
    return [
      { source: 'oriel', text: ours.join('\n') },
      {
        source: 'page',
        text: resources.slowest
          .map((one) => `${one.durationMs} ms ${one.transferredBytes} bytes ${one.type} ${one.url}`)
          .join('\n'),
      },
    ];
  },
});
