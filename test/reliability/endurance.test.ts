import type { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { startOriel, type TestOriel } from '../harness/oriel.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const EVENTS = ['close', 'console', 'crash', 'dialog', 'framenavigated', 'request', 'response'];
const ROUND = 250;

/** What 1,000 actions must not make grow. */
async function holdings(oriel: TestOriel) {
  const raw = oriel.raw();
  const cdp = await raw.context().newCDPSession(raw);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('Performance.enable');
  const { metrics } = await cdp.send('Performance.getMetrics');
  await cdp.detach();
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
  collectGarbage();
  return {
    heapMb: process.memoryUsage().heapUsed / 2 ** 20,
    handles: process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout').length,
    listeners:
      EVENTS.reduce((sum, event) => sum + emitterOf(raw).listenerCount(event), 0) +
      EVENTS.reduce((sum, event) => sum + emitterOf(raw.context()).listenerCount(event), 0),
    pageListeners: metric('JSEventListeners'),
    pageHeapMb: metric('JSHeapUsedSize') / 2 ** 20,
    documents: metric('Documents'),
  };
}

/** Playwright's objects are emitters, which their types do not tell. */
function emitterOf(source: unknown): EventEmitter {
  return source as EventEmitter;
}

it(
  'P04: 1,000 actions leave memory, handles and listeners flat',
  { timeout: 400_000 },
  async () => {
    await using oriel = await startOriel();
    oriel.fixtures.route('/noisy', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Noisy</h1>
      <button id="b" onclick="console.log('x'.repeat(2000)); fetch('/echo').catch(() => {});
        document.querySelector('output').textContent = ++count">Press</button><output></output>
      <script>let count = 0;</script>`);
    });
    await oriel.open('/noisy');
    let pressed = 0;
    const round = async () => {
      for (let action = 0; action < ROUND; action += 5) {
        await oriel.done('browser_click', { target: '#b' });
        await oriel.done('browser_snapshot');
        const { output } = await oriel.done('browser_evaluate', {
          expression: '() => { console.error("y".repeat(2000)); return count; }',
        });
        expect((output as { value: number }).value).toBe((pressed += 1));
        await oriel.fails('not_found', 'browser_snapshot', { page: 'p99' });
        await oriel.done('browser_tabs');
      }
    };
    await round();
    const early = await holdings(oriel);
    for (let count = 1; count < 4; count += 1) await round();
    const late = await holdings(oriel);
    expect(late.handles, JSON.stringify({ early, late })).toBeLessThanOrEqual(early.handles + 2);
    expect(late.listeners).toBeLessThanOrEqual(early.listeners);
    expect(late.pageListeners).toBeLessThanOrEqual(early.pageListeners + 5);
    expect(late.documents).toBeLessThanOrEqual(early.documents + 2);
    // The bounded buffers fill up to their bounds, and no further.
    expect(late.heapMb).toBeLessThan(early.heapMb + 25);
    expect(late.pageHeapMb).toBeLessThan(early.pageHeapMb + 10);
    process.stdout.write(`${JSON.stringify({ early, late })}\n`);
  },
);
