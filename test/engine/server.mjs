// A server as a test wants one: starts the built engine, opens a page, says so, and waits.
// Arguments: data folder, temp folder.
import { LocalEngine } from '../../dist/engine/local.js';
import { readHostFacts } from '../../dist/engine/host-facts.js';

const [dataDir, tempDir] = process.argv.slice(2);
const engine = new LocalEngine({
  headless: true,
  dataDir,
  host: { ...readHostFacts(process.env), tempDir },
});
const lease = await engine.open({}, AbortSignal.timeout(60_000));
const page = await lease.browser.newPage();
await page.setContent('<h1>open</h1>');
while (lease.facts.pid === null) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(JSON.stringify({ pid: lease.facts.pid, isWatched: engine.status().isWatched }));
process.on('SIGTERM', async () => {
  await engine[Symbol.asyncDispose]();
  process.exit(0);
});
setInterval(() => {}, 1000);
