import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkRequirements, tallyRequirements } from './harness/requirement-check.ts';
import { verifies } from './harness/verifies.ts';
import { REQUIREMENTS } from './requirements.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('the requirements', () => {
  test('are well formed', () => {
    expect(checkRequirements(REQUIREMENTS)).toEqual([]);
  });

  test('are those of the five systems, none lost', () => {
    const totals = Object.entries(tallyRequirements(REQUIREMENTS)).map(([name, { total }]) => [
      name,
      total,
    ]);
    expect(Object.fromEntries(totals)).toEqual({ A: 98, B: 80, C: 108, D: 57, E: 119 });
  });

  test('are counted by the script', async () => {
    const { stdout } = await run(['--import', 'tsx', 'scripts/requirements.ts', '--json']);
    expect(JSON.parse(stdout)).toEqual({ systems: tallyRequirements(REQUIREMENTS) });
    const table = await run(['--import', 'tsx', 'scripts/requirements.ts']);
    expect(table.stdout).toMatch(/^all +462/m);
  });
});

describe('a test run', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oriel-requirements-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function runSamples(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const output = join(folder, 'requirements.json');
    await rm(output, { force: true });
    const vitest = 'node_modules/vitest/vitest.mjs';
    const config = 'test/fixtures/requirements/vitest.config.ts';
    const { code, stderr } = await run([vitest, 'run', '--config', config, ...args], {
      ...env,
      SAMPLE_OUTPUT: output,
    });
    const report = JSON.parse(await readFile(output, 'utf8')) as {
      isFullRun: boolean;
      problems: string[];
      cited: Record<string, string[]>;
    };
    return { code, stderr, ...report };
  }

  test('collects what passing tests cite, and passes when each done id is cited', async () => {
    const { code, isFullRun, problems, cited } = await runSamples({ SAMPLE_DONE: 'A-001,A-004' });
    expect({ code, isFullRun, problems }).toEqual({ code: 0, isFullRun: true, problems: [] });
    expect(cited).toEqual({
      'A-001': ['one.sample.ts > passes', 'two.sample.ts > passes too'],
      'A-004': ['two.sample.ts > passes too'],
    });
  });

  test('fails when a done id is cited only by a test that is expected to fail', async () => {
    const { code, stderr, problems } = await runSamples({ SAMPLE_DONE: 'A-001,A-002' });
    expect(problems).toEqual(['A-002 is marked done, but no passing test cites it.']);
    expect(stderr).toContain(problems[0]);
    expect(code).toBe(1);
  });

  test('fails when a done id is cited only by a skipped test', async () => {
    const { code, problems } = await runSamples({ SAMPLE_DONE: 'A-003' });
    expect(problems).toEqual(['A-003 is marked done, but no passing test cites it.']);
    expect(code).toBe(1);
  });

  test('does not count a failing test', async () => {
    const { code, cited, problems } = await runSamples({
      SAMPLE_DONE: 'A-003',
      SAMPLE_FAILING: '1',
    });
    expect(cited['A-003']).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(code).toBe(1);
  });

  test('fails on an unknown id, also in a part of the suite', async () => {
    const { code, isFullRun, problems } = await runSamples({ SAMPLE_UNKNOWN: '1' }, 'two');
    expect(isFullRun).toBe(false);
    expect(problems).toEqual([
      'Z-999 is not a requirement, but "two.sample.ts > cites what nobody knows" cites it.',
    ]);
    expect(code).toBe(1);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['file', {}, ['one']],
    ['name', {}, ['-t', 'passes']],
    ['shard', {}, ['--shard', '1/2']],
    ['ORIEL_FULL_RUN=0', { ORIEL_FULL_RUN: '0' }, []],
  ])('filtered by %s is not full and asks for no citations', async (_name, env, args) => {
    const { code, isFullRun, problems } = await runSamples(
      { SAMPLE_DONE: 'A-003', ...env },
      ...args,
    );
    expect({ code, isFullRun, problems }).toEqual({ code: 0, isFullRun: false, problems: [] });
  });

  test('that names every file is full, and so is any by ORIEL_FULL_RUN=1', async () => {
    expect(await runSamples({}, 'sample')).toMatchObject({ code: 0, isFullRun: true });
    const forced = await runSamples({ SAMPLE_DONE: 'A-004', ORIEL_FULL_RUN: '1' }, 'one');
    expect(forced).toMatchObject({ code: 1, isFullRun: true });
  });

  test('verifies() outside a test is an error', async () => {
    const outside = await run([
      '--import',
      'tsx',
      '-e',
      "import('./test/harness/verifies.ts').then(({ verifies }) => verifies('A-001'))",
    ]);
    expect(outside.code).toBe(1);
    expect(outside.stderr).toContain('verifies() was called outside a test');
  });

  test('leaves the ids on the test that cites them', ({ task }) => {
    verifies('A-001');
    verifies('A-002', 'A-001');
    expect(task.meta.verifies).toEqual(['A-001', 'A-002']);
    // These prove nothing about the product, so they must not count.
    delete task.meta.verifies;
  });
});

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the project's root; never rejects. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  const { ORIEL_FULL_RUN: _mine, VITEST: _vitest, NODE_OPTIONS: _options, ...rest } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args],
      { cwd: ROOT, env: { ...rest, ...env }, timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, stderr });
      },
    );
  });
}
