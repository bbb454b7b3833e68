import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cli, ENTRY } from './run-cli.ts';

const run = promisify(execFile);

let cli: Cli;
beforeAll(async () => {
  cli = await Cli.create();
});
afterAll(() => cli[Symbol.asyncDispose]());

/** What bash offers at the end of `words`, the last of which is being typed. */
async function offers(...words: string[]): Promise<string[]> {
  const script = `
    source <("$NODE" "$ENTRY" completion bash)
    [[ $(complete -p oriel) == *_oriel* ]] || exit 9
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _oriel
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await run('bash', ['-c', script, 'bash', 'oriel', ...words], {
    env: { ...cli.env, NODE: process.execPath, ENTRY },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  test('offers commands first', async () => {
    expect(await offers('')).toEqual(expect.arrayContaining(['demo', 'mcp', 'call', 'doctor']));
    expect(await offers('do')).toEqual(['doctor']);
    expect(await offers('--json', 'do')).toEqual(['doctor']);
  });

  test('offers tools to call and to show, and nothing after them', async () => {
    expect(await offers('call', 'browser_nav')).toEqual(['browser_navigate']);
    expect(await offers('tools', 'browser_clic')).toEqual(['browser_click']);
    expect(await offers('call', '--json', 'browser_nav')).toEqual(['browser_navigate']);
    expect(await offers('call', 'browser_navigate', '')).toEqual([]);
    expect(await offers('doctor', '')).toEqual([]);
  });

  test('offers flags anywhere, and the values of those that have a few', async () => {
    expect(await offers('mcp', '--exempt')).toEqual(['--exempt-hosts']);
    expect(await offers('mcp', '--mode', '')).toEqual(['full', 'readonly']);
    expect(await offers('mcp', '--mode', 'r')).toEqual(['readonly']);
    expect(await offers('mcp', '--mode', '=', 'r')).toEqual(['readonly']);
    expect(await offers('mcp', '--mode', '=')).toEqual(['full', 'readonly']);
    expect(await offers('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });
});

test.each(['zsh', 'fish'])('the script for %s knows commands, tools and flags', async (shell) => {
  const { stdout, exitCode } = await cli.run(['completion', shell]);
  expect(exitCode).toBe(0);
  for (const word of ['doctor', 'browser_navigate', 'exempt-hosts']) expect(stdout).toContain(word);
});
