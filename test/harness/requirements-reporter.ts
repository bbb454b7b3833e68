import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { REQUIREMENTS, type Requirement } from '../requirements.ts';
import { checkCitations, type Citation } from './requirement-check.ts';

export interface RequirementsReporterOptions {
  readonly requirements?: readonly Requirement[];
  /** Where the coverage goes, relative to vitest's root. */
  readonly outputFile?: string;
}

/**
 * Collects what the tests cite with `verifies()`, writes it to `coverage/requirements.json`, and
 * fails the run when an id is unknown or, in a full run, when a requirement marked done is cited
 * by no passing test. `ORIEL_FULL_RUN=1` calls any run full, `0` none.
 */
export class RequirementsReporter implements Reporter {
  readonly #requirements: readonly Requirement[];
  readonly #outputFile: string;
  #vitest: Vitest | undefined;

  constructor({
    requirements = REQUIREMENTS,
    outputFile = 'coverage/requirements.json',
  }: RequirementsReporterOptions = {}) {
    this.#requirements = requirements;
    this.#outputFile = outputFile;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _unhandled: unknown,
    reason: TestRunEndReason,
  ): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || reason === 'interrupted') return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const isFullRun = await isFull(vitest, modules);
    const { cited, problems } = checkCitations(
      this.#requirements,
      tests.flatMap(citationOf),
      isFullRun,
    );
    const path = resolve(vitest.config.root, this.#outputFile);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify({ isFullRun, problems, cited }, null, 2)}\n`);
    if (problems.length === 0) return;
    vitest.logger.error(['Requirements:', ...problems.map((line) => `  ${line}`)].join('\n'));
    process.exitCode = 1;
  }
}

function citationOf(test: TestCase): Citation[] {
  const ids = test.meta().verifies;
  if (!ids) return [];
  // A test that is expected to fail "passes" because the behaviour does not hold.
  const hasPassed = test.result().state === 'passed' && !test.options.fails;
  return [{ test: `${test.module.relativeModuleId} > ${test.fullName}`, ids, hasPassed }];
}

/**
 * Whether nothing was left out by a filter of the run: file, name, project, shard, change. A
 * forgotten `.only` is no filter: what it silences is missed, and rightly so.
 */
async function isFull(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const told = process.env['ORIEL_FULL_RUN'];
  if (told === '1' || told === '0') return told === '1';
  const { config } = vitest;
  const isFiltered =
    config.watch ||
    config.testNamePattern !== undefined ||
    config.project.length > 0 ||
    config.shard !== undefined ||
    (config.dir !== undefined && config.dir !== config.root);
  if (isFiltered) return false;
  // Filters by path, --changed and --related all show in the files that were run.
  const ran = new Set(modules.map((module) => `${module.project.name}:${module.moduleId}`));
  const all = await vitest.globTestSpecifications();
  return all.every((one) => ran.has(`${one.project.name}:${one.moduleId}`));
}
