import { expect, it } from 'vitest';
import { startOriel } from '../harness/oriel.ts';
import { soak } from './soak.ts';

/** `.ci/run` has it go on for five minutes; by itself it is a short look. */
const MINUTES = Number(process.env['ORIEL_SOAK_MINUTES'] ?? 1 / 3);
const SEED = Number(process.env['ORIEL_SOAK_SEED'] ?? 20);
if (!(MINUTES > 0 && MINUTES <= 60 && Number.isInteger(SEED))) {
  throw new Error('ORIEL_SOAK_MINUTES takes a number from 0 to 60, ORIEL_SOAK_SEED a whole one.');
}
const ms = MINUTES * 60_000;

it(
  'eight agents and many faults: no cross-talk, no hang, nothing left, flat memory',
  // What fails here under one seed is no accident of a busy machine.
  { timeout: ms + 100_000, retry: 0 },
  async () => {
    // Its end asserts that no process, context, page or temporary file is left.
    await using oriel = await startOriel();
    const figures = await soak(oriel, { ms, seed: SEED });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.violations).toEqual([]);
    expect(figures.calls).toBeGreaterThan(MINUTES * 150);
    expect(figures.byStatus['done']).toBeGreaterThan(MINUTES * 60);
    // Without faults nothing would be proven.
    const faults = Object.values(figures.faults).reduce((sum, count) => sum + count, 0);
    expect(faults).toBeGreaterThan(MINUTES * 6);
    const [early, late] = figures.heapMb;
    // Generous: what must be found is growth without bound.
    expect(late).toBeLessThan(early * 2 + 64);
  },
);
