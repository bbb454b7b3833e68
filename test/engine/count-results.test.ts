import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { countResults } from '../../scripts/count-results.mjs';

const count = countResults as (
  tests: { numPassedTests: number; numFailedTests: number } | undefined,
  testExitCode: number,
  checks: { passed: number; failed: number } | undefined,
  checkExitCode: number,
) => { passed: number; failed: number };

const tests = (passed: number, failed: number) => ({
  numPassedTests: passed,
  numFailedTests: failed,
});

test.each([
  ['all is well', tests(10, 0), 0, { passed: 4, failed: 0 }, 0, 14, 0],
  ['tests and checks failed', tests(10, 2), 1, { passed: 3, failed: 1 }, 1, 13, 3],
  ['a test file did not load', tests(10, 0), 1, { passed: 4, failed: 0 }, 0, 14, 1],
  ['no test ran', tests(0, 0), 0, { passed: 4, failed: 0 }, 0, 4, 1],
  ['the tests did not start', undefined, 1, { passed: 4, failed: 0 }, 0, 4, 1],
  ['the checks did not start', tests(10, 0), 0, undefined, 1, 10, 1],
  ['the checks left no report', tests(10, 0), 0, undefined, 0, 10, 1],
])('when %s the sum says so', (_, ran, testExit, checks, checkExit, passed, failed) => {
  expect(count(ran, testExit, checks, checkExit)).toEqual({ passed, failed });
});
