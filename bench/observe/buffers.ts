// What the buffers of console and network cost a page while it loads: a page with 2,000 requests
// and 10,000 console lines, with a journal against none, in turns. Prints Markdown.
//   npx tsx bench/observe/buffers.ts [ROUNDS]
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { Journals } from '../../src/observe/journals.ts';
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

interface Load {
  /** Time of the page, as it measured it. */
  readonly pageMs: number;
  /** Processor time of this process, where Playwright and the journal run. */
  readonly cpuMs: number;
}

if (process.argv.includes('--serve')) serve();
else await measure(Number(process.argv[2] ?? 8));

/** A process of its own, as every real server is: it must not wait for the one that observes. */
function serve(): void {
  const server = createServer((request, response) => {
    const isPage = request.url === '/loading';
    response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'text/plain' });
    response.end(isPage ? PAGE : 'ok');
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function measure(rounds: number): Promise<void> {
  const server = fork(process.argv[1] ?? '', ['--serve'], { execArgv: process.execArgv });
  const browser = await launchTestBrowser();
  try {
    const port = await new Promise<number>((resolve) =>
      server.once('message', (message) => resolve(message as number)),
    );
    const url = `http://127.0.0.1:${port}/loading`;
    await load(browser, url, false);
    await load(browser, url, true);
    const without: Load[] = [];
    const withBuffers: Load[] = [];
    for (let round = 0; round < rounds; round++) {
      // Which goes first changes, so that a machine that warms up favours neither.
      for (const isObserved of round % 2 === 0 ? [false, true] : [true, false]) {
        (isObserved ? withBuffers : without).push(await load(browser, url, isObserved));
      }
    }
    print(without, withBuffers);
  } finally {
    await browser.close();
    server.kill();
  }
}

async function load(browser: Browser, url: string, isObserved: boolean): Promise<Load> {
  const context = await browser.newContext();
  const journals = new Journals();
  if (isObserved) {
    context.on('page', (page) => {
      journals.attach(page, { dialogPolicy: () => 'accept' });
    });
  }
  const page = await context.newPage();
  const cpuBefore = process.cpuUsage();
  await page.goto(url);
  await page.waitForFunction('window.tookMs !== undefined', undefined, {
    timeout: 120_000,
    polling: 100,
  });
  const pageMs = await page.evaluate<number>('window.tookMs');
  const cpu = process.cpuUsage(cpuBefore);
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
  return { pageMs, cpuMs: (cpu.user + cpu.system) / 1_000 };
}

function print(without: readonly Load[], withBuffers: readonly Load[]): void {
  const row = (name: string, loads: readonly Load[]) => {
    const pages = loads.map((load) => load.pageMs);
    const cpus = loads.map((load) => load.cpuMs);
    const cells = [median(pages), Math.min(...pages), Math.max(...pages), median(cpus)];
    return `| ${name} | ${cells.map(Math.round).join(' | ')} |`;
  };
  const ratio = (of: (loads: readonly Load[]) => number) =>
    (of(withBuffers) / of(without)).toFixed(3);
  process.stdout.write(
    [
      `Load of a page with ${REQUESTS} requests and ${LINES} console lines, ${without.length} rounds each`,
      '',
      '| | median ms | least ms | most ms | processor ms of the observer |',
      '|---|---|---|---|---|',
      row('without buffers', without),
      row('with buffers', withBuffers),
      '',
      `ratio of medians: ${ratio((loads) => median(loads.map((load) => load.pageMs)))}, ` +
        `of least: ${ratio((loads) => Math.min(...loads.map((load) => load.pageMs)))} (goal ≤ 1.05)`,
      '',
    ].join('\n'),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
