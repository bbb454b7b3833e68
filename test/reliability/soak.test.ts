import { expect, it } from 'vitest';
import { startOriel } from '../harness/oriel.ts';
import { soak } from './soak.ts';

it(
  'eight agents and many faults, for 20 s: no cross-talk, no hang, nothing left',
  {
    timeout: 120_000,
  },
  async () => {
    // Its end asserts that no process, context, page or temporary file is left.
    await using oriel = await startOriel();
    const figures = await soak(oriel, { ms: 20_000, seed: 20 });
    expect(figures.violations).toEqual([]);
    expect(figures.calls).toBeGreaterThan(50);
    expect(figures.byStatus['done']).toBeGreaterThan(20);
  },
);
