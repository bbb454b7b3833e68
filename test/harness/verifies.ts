import { TestRunner } from 'vitest';
import type { RequirementId } from '../requirements.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The requirements that the test cites, as `verifies()` left them. */
    verifies?: string[];
  }
}

/**
 * Says that the running test proves these requirements: `verifies('A-029', 'A-034')`, inside the
 * test. Only a test that passes counts. In a concurrent test call it before the first `await`,
 * for afterwards the running test may be another one.
 */
export function verifies(...ids: readonly RequirementId[]): void {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error('verifies() was called outside a test.');
  test.meta.verifies = [...new Set([...(test.meta.verifies ?? []), ...ids])];
}
