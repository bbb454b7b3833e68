// What the buffers of console and network cost a page while it loads: a page with 2,000 requests
// and 10,000 console lines, with a journal against none, in turns. Prints Markdown.
//   npx tsx bench/observe/buffers.ts [ROUNDS]
import type { Browser } from 'playwright-core';
import { Journals } from '../../src/observe/journals.ts';
import { type FixtureServer, startFixtureServer } from '../../test/harness/fixture-server.ts';
import { reply } from '../../test/harness/route-handlers.ts';
import { launchTestBrowser } from '../../test/harness/test-browser.ts';

const REQUESTS = 2_000;
const LINES = 10_000;

/** Done when every request has been answered and every line is written. */
const PAGE = `<!doctype html><title>loading</title><script>
  const from = performance.now();
  const ask = async (n) => { for (let i = n; i < ${REQUESTS}; i += 6) await fetch('/tiny?' + i).then((r) => r.text()); };
  const write = async () => {
    for (let i = 0; i < ${LINES}; i++) {
      console.log('line', i, { order: i, of: 'the bench' });
      if (i % 100 === 99) await new Promise((done) => setTimeout(done));
    }
  };
  addEventListener('load', () =>
    Promise.all([write(), ...[0, 1, 2, 3, 4, 5].map(ask)]).then(() => {
      window.tookMs = performance.now() - from;
    }));
</script>`;

const rounds = Number(process.argv[2] ?? 8);

{
  const server = await startFixtureServer();
  const browser = await launchTestBrowser();
  try {
    server.route('/loading', reply(PAGE));
    server.route('/tiny', reply('ok', { type: 'text/plain' }));
    await load(browser, server, false);
    await load(browser, server, true);
    const without: number[] = [];
    const withBuffers: number[] = [];
    for (let round = 0; round < rounds; round++) {
      // Which goes first changes, so that a machine that warms up favours neither.
      for (const isObserved of round % 2 === 0 ? [false, true] : [true, false]) {
        (isObserved ? withBuffers : without).push(await load(browser, server, isObserved));
      }
    }
    print(without, withBuffers);
  } finally {
    await browser.close();
    await server[Symbol.asyncDispose]();
  }
}

async function load(browser: Browser, server: FixtureServer, isObserved: boolean): Promise<number> {
  const context = await browser.newContext();
  const journals = new Journals();
  if (isObserved) {
    context.on('page', (page) => {
      journals.attach(page, {
        dialogPolicy: () => 'accept',
        saveDownload: async () => ({ path: '', bytes: 0 }),
      });
    });
  }
  const page = await context.newPage();
  await page.goto(server.url('/loading'));
  await page.waitForFunction('window.tookMs !== undefined', undefined, {
    timeout: 120_000,
    polling: 100,
  });
  const tookMs = await page.evaluate<number>('window.tookMs');
  if (isObserved) {
    const { console, network } = journals.of(page);
    // Every line and request came by: the buffers hold the newest, and count the rest.
    const lines = console.query({ limit: 200 });
    const requests = network.query({ limit: 200 });
    if (
      lines.total + lines.dropped !== LINES ||
      requests.total + requests.dropped !== REQUESTS + 1
    ) {
      throw new Error(
        `heard ${lines.total + lines.dropped} lines, ${requests.total + requests.dropped} requests`,
      );
    }
  }
  await context.close();
  return tookMs;
}

function print(without: readonly number[], withBuffers: readonly number[]): void {
  const row = (name: string, all: readonly number[]) =>
    `| ${name} | ${Math.round(median(all))} | ${Math.round(Math.min(...all))} | ${Math.round(Math.max(...all))} |`;
  process.stdout.write(
    [
      `Load of a page with ${REQUESTS} requests and ${LINES} console lines, ${without.length} rounds each`,
      '',
      '| | median ms | least | most |',
      '|---|---|---|---|',
      row('without buffers', without),
      row('with buffers', withBuffers),
      '',
      `ratio of medians: ${(median(withBuffers) / median(without)).toFixed(3)}, ` +
        `of least: ${(Math.min(...withBuffers) / Math.min(...without)).toFixed(3)} (goal ≤ 1.05)`,
      '',
    ].join('\n'),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
