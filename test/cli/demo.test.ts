import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BROWSER_TEST_MS, Cli, ENTRY } from './run-cli.ts';

let cli: Cli;
beforeEach(async () => {
  cli = await Cli.create();
});
afterEach(async () => {
  expect(await cli.browsers()).toEqual([]);
  await cli[Symbol.asyncDispose]();
});

describe('oriel demo', { timeout: BROWSER_TEST_MS }, () => {
  test('tells the story to its end, with a picture and the lines to paste', async () => {
    const { stdout, stderr, exitCode } = await cli.run(['demo']);
    expect(stderr).not.toContain('✗');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/✓ The shop has order \S+: Wool Throw, €143\.00\./);
    expect(stdout).toMatch(/→ browser_click \{"target": "\w+"\}/);
    expect(stdout).toMatch(/… \d+ more lines/);
    const picture = /The picture: (.*\.png)/.exec(stdout)?.[1] ?? '';
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
    expect(stdout).toContain(`claude mcp add oriel -- ${process.execPath} ${ENTRY} mcp`);
    for (const client of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code']) {
      expect(stdout).toContain(client);
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
      // Paths and commands to paste are never broken.
      Math.max(100, ENTRY.length + process.execPath.length + 40),
    );
  });

  test('as JSON is one value', async () => {
    const { stdout, exitCode } = await cli.run(['demo', '--json']);
    const told = JSON.parse(stdout) as { status: string; steps: { tookMs: number }[] };
    expect(told.status).toBe('done');
    expect(told.steps.length).toBeGreaterThan(8);
    expect(told.steps.every(({ tookMs }) => tookMs > 0)).toBe(true);
    expect(exitCode).toBe(0);
  });

  test('fails where a step fails, and says which', async () => {
    const { stdout, stderr, exitCode } = await cli.run(['demo', '--executable-path=/no/browser']);
    expect(stdout).toContain('Open the shop');
    expect(stdout).not.toContain('Give your own agent');
    expect(stdout).toContain('not an executable file: /no/browser');
    expect(stderr).toContain('✗ browser_navigate failed.');
    expect(exitCode).toBe(1);
  });
});

describe('oriel doctor', { timeout: BROWSER_TEST_MS }, () => {
  test('opens a real page and finds what there is to know', async () => {
    const { stdout, exitCode } = await cli.run(['doctor', '--json']);
    const { verdict, findings } = JSON.parse(stdout) as {
      verdict: string;
      findings: { name: string; verdict: string; says: string; advice?: string }[];
    };
    const named = (name: string) => findings.find((finding) => finding.name === name);
    expect(named('Node')).toMatchObject({ verdict: 'ok' });
    expect(named('Browser')?.says).toMatch(/\d+\.\d+\.\d+\.\d+/);
    expect(named('A real page')).toMatchObject({ verdict: 'ok' });
    expect(named('Network')?.says).toMatch(/^Egress level (kernel|gate|intercept|none):/);
    expect(named('Sandbox')?.verdict).toBe(process.getuid?.() === 0 ? 'warn' : 'ok');
    expect(verdict).not.toBe('fail');
    expect(exitCode).toBe(0);
  });

  test('leaves nothing in the data folder', async () => {
    await cli.run(['doctor']);
    const { readdir } = await import('node:fs/promises');
    expect(await readdir(cli.home)).toEqual([]);
  });

  test('says what fails and what to do, and exits by it', async () => {
    const run = await cli.run([
      'doctor',
      '--executable-path=/no/browser',
      '--output-dir=/proc/nowhere',
    ]);
    expect(run.stdout).toMatch(/✗ Output folder +\/proc cannot be written/);
    expect(run.stdout).toContain('--output-dir <folder>');
    expect(run.stdout).toMatch(/✗ Browser +The configured browser is not an executable file/);
    expect(run.exitCode).toBe(12);
  });
});
