// Memory per session: Oriel with 1, 10 and 50 sessions of one page each, beside one playwright-mcp
// process for each session, up to 10.
//   npx tsx bench/sessions.ts [--browser PATH]      (after `npm run build`)
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startFixtureServer } from '../test/harness/fixture-server.ts';
import { start, subjects, type Running, type Subject } from './subject.ts';

const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const OURS = [1, 10, 50];
const THEIRS = [1, 10];
/** What is freed after a page has loaded is freed by then. */
const CALM_MS = 3_000;

const { values } = parseArgs({ options: { browser: { type: 'string' } } });
const executablePath = values.browser ?? BROWSERS.find((path) => existsSync(path));
if (executablePath === undefined) throw new Error('No Chromium: name one with --browser PATH.');
const all = subjects(executablePath);
const named = (name: string) => all.find((subject) => subject.name === name) as Subject;

await using server = await startFixtureServer();
const url = server.url('/form-50.html');
const ours = await measureOriel();
const theirs = await measurePeer();
print();

/** Memory in MiB: of all processes, and of our own process alone. */
interface Memory {
  readonly all: number;
  readonly own: number;
}

async function measureOriel(): Promise<Map<number, Memory>> {
  const seen = new Map<number, Memory>();
  await using one = await start(named('oriel'));
  for (let count = 1; count <= Math.max(...OURS); count += 1) {
    const made = await one.call(['browser_session', { action: 'new' }]);
    const session = /Session (s_[\w-]+) is ready/.exec(made.text)?.[1];
    if (session === undefined) throw new Error(`No handle in ${made.text}`);
    await one.call(['browser_navigate', { url, session }]);
    if (!OURS.includes(count)) continue;
    await delay(CALM_MS);
    seen.set(count, { all: await one.memoryMiB(), own: await one.ownMemoryMiB() });
    process.stderr.write(`oriel, ${count}: ${JSON.stringify(seen.get(count))}\n`);
  }
  return seen;
}

async function measurePeer(): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  const running: Running[] = [];
  try {
    for (const count of THEIRS) {
      while (running.length < count) {
        const one = await start(named('playwright-mcp'));
        running.push(one);
        await one.call(['browser_navigate', { url }]);
      }
      await delay(CALM_MS);
      let sum = 0;
      for (const one of running) sum += await one.memoryMiB();
      seen.set(count, sum);
      process.stderr.write(`playwright-mcp, ${count}: ${Math.round(sum)}\n`);
    }
  } finally {
    await Promise.all(running.map((one) => one[Symbol.asyncDispose]()));
  }
  return seen;
}

function print(): void {
  const round = (value: number | undefined) => (value === undefined ? '—' : value.toFixed(1));
  const each = (value: number | undefined, count: number) =>
    round(value === undefined ? undefined : value / count);
  const lines = [
    '| sessions | Oriel, MiB | per session | its own process, MiB | per session | playwright-mcp, MiB | per session | ratio per session |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...OURS.map((count) => {
      const { all: mine, own } = ours.get(count) as Memory;
      const peer = theirs.get(count);
      return `| ${[
        count,
        round(mine),
        each(mine, count),
        round(own),
        each(own, count),
        round(peer),
        each(peer, count),
        peer === undefined ? '—' : (mine / peer).toFixed(2),
      ].join(' | ')} |`;
    }),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
