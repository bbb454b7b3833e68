// Adds up the results that .ci/run collected and prints the plain closing line.
//   node scripts/count-results.mjs FOLDER TEST_EXIT_CODE CHECK_EXIT_CODE
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Sums tests and checks. A part that failed without counting a failure (it did not start, a test
 * file did not load, an error outside any test) counts as one; so does a run without any test.
 *
 * @param {{numPassedTests: number, numFailedTests: number} | undefined} tests vitest's JSON report
 * @param {{passed: number, failed: number} | undefined} checks
 */
export function countResults(tests, testExitCode, checks, checkExitCode) {
  const passedTests = tests?.numPassedTests ?? 0;
  const failedTests = tests?.numFailedTests ?? 0;
  const failedChecks = checks?.failed ?? 0;
  const hiddenTestFailure = failedTests === 0 && (testExitCode !== 0 || passedTests === 0);
  const hiddenCheckFailure = failedChecks === 0 && (checkExitCode !== 0 || !checks);
  return {
    passed: passedTests + (checks?.passed ?? 0),
    failed: failedTests + failedChecks + Number(hiddenTestFailure) + Number(hiddenCheckFailure),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder = '.', testExitCode, checkExitCode] = process.argv.slice(2);
  const { passed, failed } = countResults(
    readReport(folder, 'tests.json'),
    Number(testExitCode),
    readReport(folder, 'checks.json'),
    Number(checkExitCode),
  );
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function readReport(folder, name) {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8'));
  } catch {
    return undefined;
  }
}
