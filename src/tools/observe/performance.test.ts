import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PerformanceFacts } from '../../model/performance.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { after, reply } from '../../../test/harness/route-handlers.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  server.route('/measured', after(60, reply(PAGE)));
  server.route('/slow.js', after(250, reply('1', { type: 'text/javascript' })));
  for (const n of [1, 2, 3, 4, 5]) {
    server.route(`/s${n}.js`, after(n * 10, reply('1', { type: 'text/javascript' })));
  }
  bench = await openBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const PAGE = `<!doctype html><title>Measured</title>
<h1>Measured</h1><button id=b>Press</button><div id=box></div><p>moves</p>
<script>
  for (const end = Date.now() + 120; Date.now() < end; );
  b.onclick = () => { for (const end = Date.now() + 60; Date.now() < end; ); };
  setTimeout(() => { box.style.height = "200px"; }, 150);
  performance.getEntriesByType = () => [];
</script>
<script src=/slow.js></script>
${[1, 2, 3, 4, 5].map((n) => `<script src=/s${n}.js></script>`).join('')}`;

const measure = async () => (await bench.call<PerformanceFacts>('browser_performance')).output;

test('measures loading, paint, resources, long tasks, nodes and heap', async () => {
  verifies('E-042', 'E-043', 'E-044', 'E-045');
  await bench.call('browser_navigate', { url: server.url('/measured'), waitUntil: 'load' });
  const { navigation, paint, resources, longTasks, domNodes, heap } = await measure();
  expect(navigation.ttfbMs).toBeGreaterThanOrEqual(60);
  expect(navigation.domContentLoadedMs).toBeGreaterThan(navigation.ttfbMs ?? 0);
  expect(navigation.loadMs).toBeGreaterThanOrEqual(navigation.domContentLoadedMs ?? 0);
  expect(paint.firstPaintMs).toBeGreaterThan(0);
  expect(paint.firstContentfulPaintMs).toBeGreaterThanOrEqual(paint.firstPaintMs ?? 0);
  expect(resources.count).toBe(6);
  expect(resources.transferredBytes).toBeGreaterThan(600);
  expect(resources.slowest).toHaveLength(5);
  expect(resources.slowest[0]?.url).toBe(server.url('/slow.js'));
  const durations = resources.slowest.map((one) => one.durationMs);
  expect(durations).toEqual(durations.toSorted((a, b) => b - a));
  expect(longTasks.count).toBeGreaterThanOrEqual(1);
  expect(longTasks.longestMs).toBeGreaterThanOrEqual(100);
  // html, head, title, body, h1, button, div, p and seven scripts.
  expect(domNodes).toBe(15);
  expect(heap.usedBytes).toBeGreaterThan(100_000);
});

test('tells Web Vitals as soon as they are known', async () => {
  await bench.call('browser_navigate', { url: server.url('/measured'), waitUntil: 'load' });
  expect((await measure()).vitals.interactionToNextPaintMs).toBeNull();
  await expect
    .poll(async () => (await measure()).vitals.cumulativeLayoutShift, { timeout: 3_000 })
    .toBeGreaterThan(0);
  await bench.call('browser_click', { target: 'css=#b' });
  await expect
    .poll(async () => (await measure()).vitals.interactionToNextPaintMs, { timeout: 3_000 })
    .toBeGreaterThanOrEqual(50);
  expect((await measure()).vitals.largestContentfulPaintMs).toBeGreaterThan(0);
});

test('only reads: globals, DOM and performance entries are the same before and after', async () => {
  verifies('E-046');
  await bench.call('browser_navigate', { url: server.url('/observe.html'), waitUntil: 'load' });
  await bench.call('browser_wait', { timeMs: 300 });
  const state = async () =>
    (
      await bench.call<{ text: string }>('browser_evaluate', {
        function: `() => JSON.stringify([
          Object.getOwnPropertyNames(window).sort(),
          document.documentElement.outerHTML,
          performance.getEntries().map((entry) => [entry.entryType, entry.name, entry.startTime]),
        ])`,
      })
    ).output.text;
  await state();
  const before = await state();
  await measure();
  await measure();
  expect(await state()).toBe(before);
});
