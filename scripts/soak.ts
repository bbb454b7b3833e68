import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCore } from '../src/app/core.ts';
import { loadConfig } from '../src/config/load.ts';
import { startFixtureServer } from '../test/harness/fixture-server.ts';
import { LeakCheck } from '../test/harness/leak-check.ts';
import { soak } from '../test/reliability/soak.ts';

/** `npm run soak -- --minutes 5 [--seed 1]`: exits with 1 when anything was not as it must be. */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 600)) throw new Error('--minutes takes a number from 0 to 600.');

const leaks = new LeakCheck();
const dataDir = mkdtempSync(join(tmpdir(), 'oriel-soak-'));
const { config } = loadConfig({
  values: {
    dataDir,
    outputDir: join(dataDir, 'output'),
    network: { exemptHosts: ['127.0.0.1:*', 'localhost:*'] },
  },
});
const fixtures = await startFixtureServer();
const core = createCore(config, process.env, () => {});
const figures = await soak({ core, fixtures }, { ms: minutes * 60_000, seed: Number(values.seed) });
await core[Symbol.asyncDispose]();
await fixtures[Symbol.asyncDispose]();
rmSync(dataDir, { recursive: true, force: true });
const left = await leaks.expectNothingNew().then(
  () => null,
  (thrown: unknown) => String(thrown),
);
const [early, late] = figures.heapMb;
const violations = [
  ...figures.violations,
  ...(left === null ? [] : [left]),
  // Generous: what must be found is growth without bound.
  ...(late > early * 2 + 64 ? [`the heap grew from ${early} to ${late} MB`] : []),
];
process.stdout.write(`${JSON.stringify({ ...figures, violations }, null, 2)}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
