import type { CDPSession } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import type { PerformanceFacts } from '../model/performance.ts';
import { IsolatedWorld } from './isolated-world.ts';
import { redactUrl } from './secrets.ts';

/**
 * How the document loaded and what it costs, read from a world of our own: nothing is added to
 * the page's globals, DOM or performance entries.
 */
export async function readPerformance(
  cdp: CDPSession,
  signal: AbortSignal,
): Promise<PerformanceFacts> {
  const world = await IsolatedWorld.open(cdp, null, signal);
  const read = await world.run<Omit<PerformanceFacts, 'heap'>>(`(${gather.toString()})()`, signal);
  const heap = await within(signal, cdp.send('Runtime.getHeapUsage'));
  return {
    ...read,
    resources: {
      ...read.resources,
      slowest: read.resources.slowest.map((one) => ({ ...one, url: redactUrl(one.url) })),
    },
    heap: { usedBytes: Math.round(heap.usedSize), totalBytes: Math.round(heap.totalSize) },
  };
}

interface Entry {
  readonly name: string;
  readonly startTime: number;
  readonly duration: number;
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly interactionId: number;
  readonly transferSize: number;
  readonly initiatorType: string;
  readonly responseStart: number;
  readonly domContentLoadedEventEnd: number;
  readonly loadEventEnd: number;
}

/** Runs in the page, as its source text: it may use nothing of this file. */
async function gather(): Promise<Omit<PerformanceFacts, 'heap'>> {
  interface Observer {
    observe(options: object): void;
    disconnect(): void;
    takeRecords(): Entry[];
  }
  const page = globalThis as unknown as {
    document: { getElementsByTagName(name: string): { length: number } };
    performance: { getEntriesByType(type: string): Entry[] };
    PerformanceObserver: new (listener: (list: { getEntries(): Entry[] }) => void) => Observer;
    setTimeout(work: () => void, ms: number): void;
  };
  const { performance } = page;
  const round = (ms: number | undefined): number | null =>
    ms === undefined || ms <= 0 ? null : Math.round(ms * 10) / 10;

  /** Entries that only an observer is given; those of the past come with `buffered`. */
  const observed = (type: string, more: object): Promise<Entry[]> =>
    new Promise((resolve) => {
      const seen: Entry[] = [];
      const observer = new page.PerformanceObserver((list) => seen.push(...list.getEntries()));
      observer.observe({ type, buffered: true, ...more });
      page.setTimeout(() => {
        seen.push(...observer.takeRecords());
        observer.disconnect();
        resolve(seen);
      }, 30);
    });
  const [paints, shifts, events, firstInputs, longTasks] = await Promise.all([
    observed('largest-contentful-paint', {}),
    observed('layout-shift', {}),
    observed('event', { durationThreshold: 16 }),
    observed('first-input', {}),
    observed('longtask', {}),
  ]);

  const navigation = performance.getEntriesByType('navigation')[0];
  const paintAt = (name: string) =>
    round(performance.getEntriesByType('paint').find((paint) => paint.name === name)?.startTime);

  // A session window ends after a second without a shift, and after five in all (web.dev/cls).
  let layoutShift = 0;
  let window = 0;
  let windowFrom = 0;
  let previous = -Infinity;
  for (const shift of shifts) {
    if (shift.hadRecentInput) continue;
    if (shift.startTime - previous > 1_000 || shift.startTime - windowFrom > 5_000) {
      window = 0;
      windowFrom = shift.startTime;
    }
    window += shift.value;
    previous = shift.startTime;
    layoutShift = Math.max(layoutShift, window);
  }

  // The slowest interaction, one in fifty left out (web.dev/inp); one has several events.
  const interactions = new Map<number, number>();
  for (const event of [...events, ...firstInputs]) {
    if (!event.interactionId) continue;
    const known = interactions.get(event.interactionId) ?? 0;
    interactions.set(event.interactionId, Math.max(known, event.duration));
  }
  const durations = [...interactions.values()].toSorted((a, b) => b - a);
  const interaction = durations[Math.min(durations.length - 1, Math.floor(durations.length / 50))];

  const resources = performance.getEntriesByType('resource');
  return {
    navigation: {
      ttfbMs: round(navigation?.responseStart),
      domContentLoadedMs: round(navigation?.domContentLoadedEventEnd),
      loadMs: round(navigation?.loadEventEnd),
    },
    paint: {
      firstPaintMs: paintAt('first-paint'),
      firstContentfulPaintMs: paintAt('first-contentful-paint'),
    },
    vitals: {
      largestContentfulPaintMs: round(paints.at(-1)?.startTime),
      cumulativeLayoutShift: Math.round(layoutShift * 10_000) / 10_000,
      interactionToNextPaintMs: round(interaction),
    },
    resources: {
      count: resources.length,
      transferredBytes: resources.reduce((sum, one) => sum + one.transferSize, 0),
      slowest: resources
        .toSorted((a, b) => b.duration - a.duration)
        .slice(0, 5)
        .map((one) => ({
          url: one.name.slice(0, 500),
          type: one.initiatorType,
          durationMs: Math.round(one.duration * 10) / 10,
          transferredBytes: one.transferSize,
        })),
    },
    longTasks: {
      count: longTasks.length,
      totalMs: Math.round(longTasks.reduce((sum, task) => sum + task.duration, 0)),
      longestMs: Math.round(Math.max(0, ...longTasks.map((task) => task.duration))),
    },
    domNodes: page.document.getElementsByTagName('*').length,
  };
}
