// What a container runs: process 1, which opens and closes browsers and then counts what is
// defunct. Arguments: data folder, number of launches, `bare` to go without an init.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readHostFacts } from '../../dist/engine/host-facts.js';
import { runBelowInit } from '../../dist/engine/init.js';
import { LocalEngine } from '../../dist/engine/local.js';

const [dataDir, launches, mode] = process.argv.slice(2);
const host = { ...readHostFacts(process.env) };
const below = mode === 'bare' ? undefined : runBelowInit(host);
process.exit(below ? await below : await serve());

async function serve() {
  for (let count = 0; count < Number(launches); count++) {
    const engine = new LocalEngine({ headless: true, dataDir, host });
    const lease = await engine.open({}, AbortSignal.timeout(60_000));
    await (await lease.browser.newPage()).setContent('<p>x</p>');
    await engine[Symbol.asyncDispose]();
  }
  await delay(500);
  const states = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) (.).*$/s, '$1'));
  console.log(
    JSON.stringify({ pid: process.pid, defunct: states.filter((s) => s === 'Z').length }),
  );
  return 7;
}
