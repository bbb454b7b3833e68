import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Cli } from './run-cli.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await Cli.create();
});
afterAll(() => cli[Symbol.asyncDispose]());

const ESCAPE = String.fromCharCode(27);

describe('help and version', () => {
  test('--version prints the version alone', async () => {
    const { stdout, stderr, exitCode } = await cli.run(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(JSON.parse((await cli.run(['-v', '--json'])).stdout)).toEqual({
      version: stdout.trim(),
    });
  });

  test('--help names every command and the settings that most need, on one screen', async () => {
    const { stdout, exitCode } = await cli.run(['--help']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(50);
    expect(stdout).toContain('oriel help settings');
    expect(stdout).not.toContain('--no-dns');
    expect((await cli.run(['gate', '--help'])).stdout).toContain('--no-dns');
    for (const word of [
      'demo',
      'mcp',
      'call',
      'doctor',
      '--exempt-hosts',
      '--mode full|readonly',
    ]) {
      expect(stdout).toContain(word);
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain(ESCAPE);
  });

  test('help settings names every setting', async () => {
    const { stdout, exitCode } = await cli.run(['help', 'settings']);
    expect(exitCode).toBe(0);
    const settings = JSON.parse((await cli.run(['config', '--json'])).stdout) as { flag: string }[];
    expect(settings.length).toBeGreaterThan(40);
    for (const { flag } of settings)
      expect(stdout).toMatch(new RegExp(`--(\\[no-\\])?${flag.slice(2)}\\b`));
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stdout).not.toContain(ESCAPE);
  });

  test('every command that help names has help of its own', async () => {
    const { stdout } = await cli.run(['help']);
    const [, list = ''] = /Commands\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const names = Array.from(list.matchAll(/^ {2}(\w+)/gm), ([, name = '']) => name);
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      const help = await cli.run([name, '--help']);
      expect(help.stdout).toContain(`Usage: oriel ${name}`);
      expect(help.exitCode).toBe(0);
    }
  });
});

describe('what is not understood', () => {
  test.each([
    [['dmeo'], 'There is no command "dmeo".', 'Did you mean `oriel demo`?'],
    [['browser_click'], 'browser_click is a tool, not a command.', 'oriel call browser_click'],
    [['zzzzzzzz'], 'There is no command "zzzzzzzz".', 'Run `oriel --help`'],
    [['help', 'tols'], 'There is no command "tols".', 'Did you mean `oriel tools`?'],
    [['demo', '--headles'], 'There is no flag --headles.', 'Did you mean --headless?'],
    [['demo', 'now'], 'oriel demo does not take "now".', 'Usage: oriel demo'],
    [['tools', 'a', 'b'], 'oriel tools does not take "b".', 'Usage: oriel tools [tool]'],
    [['config', '--mode'], '--mode needs a value.', 'readonly'],
    [['config', '--config'], '--config needs a value.', 'For example'],
    [['config', '--mode', 'fast'], 'mode (from flag)', 'oriel config'],
    [['config', '--policy-rules', 'none'], 'expected JSON', 'oriel config'],
    [['config', '--viewport-width', 'wide'], 'expected a number', 'oriel config'],
    [['config', '--config', 'none.json'], 'none.json cannot be read', '--config'],
    [['call'], 'needs the name of a tool', 'oriel tools'],
    [
      ['call', 'browser_wait', 'text'],
      '"text" is neither a JSON object nor name=value.',
      'For example',
    ],
    [['call', 'browser_wait', '{"text"'], 'not valid JSON', 'Quote it'],
    [['call', 'browser_wait', '{}', 'x=1'], 'more after the JSON', 'Quote the whole'],
    [['completion', 'tcsh'], 'knows no shell tcsh', 'bash, zsh, fish'],
    [['tools', '--packs', 'pointr'], 'There is no pack "pointr".', 'Did you mean pointer?'],
  ])('oriel %s says what is wrong and what to do', async (args, message, hint) => {
    const { stdout, stderr, exitCode } = await cli.run(args);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  test('with --json a failure is one JSON value on stdout', async () => {
    const { stdout, stderr, exitCode } = await cli.run(['dmeo', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      error: { code: 'bad_input', hint: 'Did you mean `oriel demo`?' },
    });
    expect(stderr).toBe('');
    expect(exitCode).toBe(2);
  });
});

describe('oriel tools', () => {
  test('lists what a client is shown, and tells of more', async () => {
    const { stdout } = await cli.run(['tools']);
    expect(stdout).toMatch(/^browser_navigate +Open an address/m);
    expect(stdout).not.toContain('browser_mouse');
    expect(stdout).toContain('--packs');
    expect((await cli.run(['tools', '--packs', 'all'])).stdout).toContain('browser_mouse');
  });

  test('shows one tool with what its arguments take', async () => {
    const { stdout } = await cli.run(['tools', 'browser_click']);
    expect(stdout).toMatch(/target +Ref such as e12, or a selector/);
    expect((await cli.run(['tools', 'browser_type'])).stdout).toMatch(/text +.*\(required\)/);
    expect(stdout).toMatch(/button +Mouse button\. \(left, right, middle; default "left"\)/);
    expect(stdout).toContain("oriel call browser_click '{");
  });

  test('takes a name without its prefix, and suggests the nearest to a wrong one', async () => {
    expect((await cli.run(['tools', 'click'])).stdout).toContain('browser_click');
    const { stderr, exitCode } = await cli.run(['tools', 'browser_clik']);
    expect(stderr).toContain('Did you mean browser_click?');
    expect(exitCode).toBe(3);
  });

  test('as JSON is one value, with the schema of each', async () => {
    const { stdout } = await cli.run(['tools', '--json']);
    const tools = JSON.parse(stdout) as { name: string; inputSchema: { type: string } }[];
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.every((tool) => tool.inputSchema.type === 'object')).toBe(true);
  });
});

describe('oriel config', () => {
  test('tells where each value came from, flags over environment over file', async () => {
    const file = path.join(cli.home, 'oriel.json');
    await writeFile(
      file,
      JSON.stringify({ mode: 'readonly', viewport: { width: 1000, height: 600 }, packs: ['all'] }),
    );
    const { stdout } = await cli.run(
      ['config', '--json', '--config', file, '--viewport-width', '800'],
      { env: { ORIEL_VIEWPORT_WIDTH: '900', ORIEL_VIEWPORT_HEIGHT: '500' } },
    );
    const rows = JSON.parse(stdout) as { path: string; value: unknown; source: string }[];
    const row = (name: string) => rows.find((candidate) => candidate.path === name);
    expect(row('mode')).toMatchObject({ value: 'readonly', source: 'file' });
    expect(row('viewport.height')).toMatchObject({ value: 500, source: 'environment' });
    expect(row('viewport.width')).toMatchObject({ value: 800, source: 'flag' });
    expect(row('script')).toMatchObject({ value: true, source: 'default' });
  });

  test('never shows a secret', async () => {
    const args = ['config', '--network-upstream', 'http://user:geheim@127.0.0.1:9'];
    for (const more of [[], ['--json']]) {
      const { stdout } = await cli.run([...args, ...more]);
      expect(stdout).toContain('[secret]');
      expect(stdout).not.toContain('geheim');
    }
  });
});

test('a reader that stops reading is no failure', async () => {
  const child = cli.start(['--help']);
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
});

test('FORCE_COLOR colours, and NO_COLOR alone leaves plain', async () => {
  const coloured = await cli.run(['tools'], { env: { FORCE_COLOR: '1' } });
  expect(coloured.stdout).toContain(ESCAPE);
  const plain = await cli.run(['tools'], { env: { NO_COLOR: '1' } });
  expect(plain.stdout).not.toContain(ESCAPE);
});
