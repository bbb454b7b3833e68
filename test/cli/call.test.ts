import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveDemoSite, type DemoSite } from '../../src/app/demo/site.ts';
import { BROWSER_TEST_MS, Cli, outcomeOf } from './run-cli.ts';

/** The promise is 300 ms; a machine that is busy with other tests gets more. */
const EXIT_BOUND_MS = 10_000;

let site: DemoSite;
let cli: Cli;
let env: Record<string, string>;
beforeAll(async () => {
  site = await serveDemoSite();
  env = { ORIEL_NETWORK_EXEMPT_HOSTS: `127.0.0.1:${site.port}` };
});
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  cli = await Cli.create();
});
afterEach(async () => {
  expect(await cli.browsers()).toEqual([]);
  await cli[Symbol.asyncDispose]();
});

interface Line {
  readonly status: string;
  readonly tool: string;
  readonly output: Record<string, unknown>;
  readonly error: { code: string; message: string; hint?: string };
}

const parse = (text: string) => JSON.parse(text) as Line;
const lines = (text: string) => text.trimEnd().split('\n').map(parse);
const jsonl = (...calls: [tool: string, input: Record<string, unknown>][]) =>
  calls.map(([tool, input]) => JSON.stringify({ tool, input })).join('\n');

describe('one call', { timeout: BROWSER_TEST_MS }, () => {
  test('takes name=value, answers on stdout, tells progress on stderr, and exits soon', async () => {
    const run = await cli.run(['call', 'browser_navigate', `url=${site.url}`], { env });
    expect(run.stdout).toContain('p1 is open (200).');
    expect(run.stdout).toContain('searchbox "Search products"');
    expect(run.stdout).not.toContain('Starting the browser');
    expect(run.stderr).toContain('Starting the browser');
    expect(run.exitCode).toBe(0);
    console.log(`exit ${Math.round(run.exitedAfterMs)} ms after the last byte`);
    expect(run.exitedAfterMs).toBeLessThan(EXIT_BOUND_MS);
  });

  test('takes JSON, and with --json answers in one JSON value', async () => {
    const input = JSON.stringify({ url: site.url });
    const run = await cli.run(['call', 'browser_navigate', input, '--json'], { env });
    const outcome = parse(run.stdout);
    expect(outcome).toMatchObject({
      status: 'done',
      tool: 'browser_navigate',
      output: { page: 'p1', url: site.url, status: 200 },
    });
    expect(outcome).not.toHaveProperty('content');
    expect(run.exitCode).toBe(0);
  });

  test('a wrong tool or argument starts no browser and has the exit code of its error', async () => {
    const tool = await cli.run(['call', 'browser_navigat', 'url=x']);
    expect(tool.stdout).toContain('Did you mean browser_navigate?');
    expect(tool.exitCode).toBe(3);
    const argument = await cli.run(['call', 'browser_navigate', 'ulr=x', '--json']);
    expect(parse(argument.stdout)).toMatchObject({
      status: 'failed',
      error: { code: 'bad_input', message: expect.stringContaining('did you mean `url`?') },
    });
    expect(argument.exitCode).toBe(2);
    expect(tool.stderr + argument.stderr).not.toContain('Starting the browser');
  });

  test('a browser that is not there is a matter of set-up', async () => {
    const args = ['call', 'browser_navigate', `url=${site.url}`, '--executable-path=/no/browser'];
    const run = await cli.run(args, { env });
    expect(run.stdout).toContain('not an executable file: /no/browser');
    expect(run.exitCode).toBe(12);
  });
});

describe('call -', { timeout: BROWSER_TEST_MS }, () => {
  test('keeps a page from line to line', async () => {
    const stdin = jsonl(
      ['browser_navigate', { url: `${site.url}products/bay-lamp` }],
      ['browser_click', { target: 'role=button[name="Add to cart"]' }],
      ['browser_wait', { text: 'Bay Lamp is in your cart' }],
      ['browser_navigate', { url: `${site.url}cart` }],
    );
    const run = await cli.run(['call', '-', '--json'], { stdin, env });
    const outcomes = lines(run.stdout);
    expect(outcomes.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
    expect(outcomes[3]?.output['snapshot']).toContain('Bay Lamp');
    expect(run.exitCode).toBe(0);
  });

  test('goes on after a failure and ends with the exit code of the first', async () => {
    const stdin = [
      jsonl(['browser_navigate', { url: site.url }]),
      '',
      jsonl(['browser_click', { target: 'e9999' }]),
      'not json',
      '{"input": {}}',
      jsonl(['browser_wait', { text: 'never there', timeoutMs: 200 }], ['browser_tabs', {}]),
    ].join('\n');
    const run = await cli.run(['call', '-', '--json'], { stdin, env });
    const outcomes = lines(run.stdout);
    expect(outcomes.map(({ status, error }) => error?.code ?? status)).toEqual([
      'done',
      'stale_ref',
      'bad_input',
      'bad_input',
      'timeout',
      'done',
    ]);
    expect(run.exitCode).toBe(4);
  });

  test('without a line ends at once and starts nothing', async () => {
    const run = await cli.run(['call', '-']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});

describe('Ctrl-C', { timeout: BROWSER_TEST_MS }, () => {
  test('during a long wait ends at once, with its exit code and no browser left', async () => {
    const child = cli.start(['call', '-', '--json'], env);
    const outcome = outcomeOf(child);
    const opened = new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.write(`${jsonl(['browser_navigate', { url: site.url }])}\n`);
    await opened;
    expect(await cli.browsers()).not.toEqual([]);
    child.stdin.write(`${jsonl(['browser_wait', { timeMs: 30_000, timeoutMs: 60_000 }])}\n`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const interruptedAt = performance.now();
    child.kill('SIGINT');
    const run = await outcome;
    expect(performance.now() - interruptedAt).toBeLessThan(20_000);
    expect(lines(run.stdout)[1]).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(run.exitCode).toBe(130);
  });

  test('while the browser starts leaves none', async () => {
    const child = cli.start(['call', 'browser_navigate', `url=${site.url}`], env);
    const outcome = outcomeOf(child);
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    expect((await outcome).exitCode).toBe(130);
  });
});

test('without arguments and without a terminal it serves MCP', async () => {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  };
  const child = cli.start([]);
  const outcome = outcomeOf(child);
  const answered = new Promise<Buffer>((resolve) => child.stdout.once('data', resolve));
  child.stdin.write(`${JSON.stringify(request)}\n`);
  const answer = JSON.parse((await answered).toString()) as { result: unknown };
  expect(answer.result).toMatchObject({ serverInfo: { name: 'oriel' } });
  child.stdin.end();
  expect((await outcome).exitCode).toBe(0);
});
