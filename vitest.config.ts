import { RequirementsReporter } from './test/harness/requirements-reporter.ts';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `npm run test:long` sets this: tests that install browsers or run for minutes. */
const isLong = process.env['ORIEL_TEST_LONG'] === '1';

/** Where `.ci/run` wants the results counted from; the other reporters stay. */
const jsonFile = process.env['ORIEL_TEST_JSON'];

/** The soak takes minutes of one worker: begun last, the other would wait for it with nothing to do. */
class SoakFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSoak = ({ moduleId }: TestSpecification) => moduleId.endsWith('/soak.test.ts');
    const others = files.filter((file) => !isSoak(file));
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method, not an array's
    return [...files.filter(isSoak), ...(await super.sort(others))];
  }
}

export default defineConfig({
  oxc: { target: 'es2023' },
  test: {
    include: isLong
      ? ['{src,test,scripts,rules}/**/*.test.ts']
      : ['{src,test,scripts,rules}/**/!(*.long).test.ts'],
    exclude: configDefaults.exclude,
    testTimeout: isLong ? 300_000 : 60_000,
    // Real browsers and real processes on a busy machine: what fails thrice in a row is broken.
    retry: process.env['CI'] ? 2 : 0,
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { sequencer: SoakFirst },
    reporters: ['default', ...(jsonFile ? ['json'] : []), new RequirementsReporter()],
    ...(jsonFile ? { outputFile: { json: jsonFile } } : {}),
  },
});
