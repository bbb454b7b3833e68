// Measures Oriel beside its peers, in turns.
//   npm run bench -- [--rounds N] [--repeats N] [--only oriel] [--peers a,b] [--minutes N] [--write]
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFixtureServer } from '../test/harness/fixture-server.ts';
import { measureRound } from './measure.ts';
import { addNodePages } from './pages.ts';
import { openRawPage } from './raw.ts';
import { report } from './report.ts';
import { Samples } from './sample.ts';
import { subjects } from './subject.ts';

const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const DOCUMENT = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    repeats: { type: 'string', default: '3' },
    only: { type: 'string' },
    peers: { type: 'string', default: 'playwright-mcp,chrome-devtools-mcp,agent-browser' },
    minutes: { type: 'string', default: '30' },
    browser: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
await main();

async function main(): Promise<void> {
  const executablePath = values.browser ?? BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('No Chromium: name one with --browser PATH.');
  const names = (values.only ?? `oriel,${values.peers}`).split(',').filter(Boolean);
  if (names.some((name) => name !== 'oriel')) installPeers();
  const chosen = subjects(executablePath).filter(({ name }) => names.includes(name));
  if (chosen.length === 0) throw new Error(`Nothing is called ${names.join(', ')}.`);

  const samples = new Samples();
  const loads: number[] = [];
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const endsAt = Date.now() + Number(values.minutes) * 60_000;
  let rounds = 0;
  let tookMs = 0;
  {
    await using server = await startFixtureServer();
    addNodePages(server);
    await using raw = await openRawPage(executablePath);
    const plan = { subjects: chosen, server, raw, samples, repeats: Number(values.repeats) };
    // A round that would not end in time is not begun.
    while (rounds < Number(values.rounds) && Date.now() + tookMs < endsAt) {
      const startedAt = Date.now();
      loads.push(loadavg()[0] ?? 0);
      await measureRound(plan, rounds);
      rounds += 1;
      tookMs = Math.max(tookMs, Date.now() - startedAt);
      process.stderr.write(
        `round ${rounds}: ${Math.round((Date.now() - startedAt) / 1000)} s, load ${loads.at(-1)?.toFixed(1)}\n`,
      );
    }
  }
  loads.push(loadavg()[0] ?? 0);
  const text = report(
    samples,
    chosen.map(({ name }) => name),
    {
      date: `${date} UTC`,
      rounds,
      repeats: Number(values.repeats),
      browser: execFileSync(executablePath, ['--version', '--no-sandbox'], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .at(-1) as string,
      node: process.versions.node,
      machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
      loads,
      cores: cpus().length,
      versions: chosen.map(({ name, version }) => `${name} ${version}`),
    },
  );
  mkdirSync(new URL('out/', import.meta.url), { recursive: true });
  writeFileSync(new URL('out/report.md', import.meta.url), text);
  process.stdout.write(`${text}\n`);
  if (values.write) writeDocument(text);
}

/** The peers are pinned by a lock of their own, and no part of an ordinary installation. */
function installPeers(): void {
  const folder = fileURLToPath(new URL('peers', import.meta.url));
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return;
  // Scripts stay off: what they would fetch is in the packages, or not needed.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The one thing its script does that is needed.
  const binaries = `${folder}/node_modules/agent-browser/bin`;
  for (const name of readdirSync(binaries)) chmodSync(`${binaries}/${name}`, 0o755);
}

function writeDocument(text: string): void {
  const document = readFileSync(DOCUMENT, 'utf8');
  const [before, after] = [document.split(BEGIN)[0], document.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error(`${BEGIN} or ${END} is missing`);
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${text}\n${END}${after}`);
  execFileSync('npx', ['oxfmt', DOCUMENT], { stdio: 'ignore' });
}
