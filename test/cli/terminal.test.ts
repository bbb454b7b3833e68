import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cli, ENTRY } from './run-cli.ts';

const run = promisify(execFile);
/** Gives a program a terminal; part of every Linux. */
const SCRIPT = '/usr/bin/script';
const ESCAPE = String.fromCharCode(27);

let cli: Cli;
beforeAll(async () => {
  cli = await Cli.create();
});
afterAll(() => cli[Symbol.asyncDispose]());

/** What a terminal of `columns` shows of `oriel <words>`. */
async function shown(words: string, columns: number, env: Record<string, string> = {}) {
  const command = `stty cols ${columns} rows 40; exec "$NODE" "$ENTRY" ${words}`;
  const { stdout } = await run(SCRIPT, ['-qec', command, '/dev/null'], {
    env: { ...cli.env, SHELL: '/bin/sh', NODE: process.execPath, ENTRY, ...env },
  });
  return stdout.replaceAll('\r\n', '\n');
}

const widest = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  );

describe.skipIf(!existsSync(SCRIPT))('on a terminal', () => {
  test('without arguments it welcomes and says what to do next', async () => {
    const text = await shown('', 80);
    expect(text).toContain(ESCAPE);
    expect(stripVTControlCharacters(text)).toContain('oriel demo');
    expect(widest(text)).toBeLessThanOrEqual(80);
  });

  test.each([60, 80, 120])('help fits %i columns', async (columns) => {
    for (const words of ['--help', 'help settings']) {
      const text = await shown(words, columns);
      expect(text).toContain(ESCAPE);
      expect(widest(text)).toBeLessThanOrEqual(columns);
    }
  });

  test.each(['tools', 'tools browser_click', 'config'])(
    'oriel %s fits 80 columns',
    async (words) => {
      expect(widest(await shown(words, 80))).toBeLessThanOrEqual(80);
    },
  );

  test('NO_COLOR and a dumb terminal get no colour', async () => {
    expect(await shown('tools', 80, { NO_COLOR: '1' })).not.toContain(ESCAPE);
    expect(await shown('tools', 80, { TERM: 'dumb' })).not.toContain(ESCAPE);
  });

  test('a redirected stderr gets no colour even when stdout has it', async () => {
    const text = await shown('nothing 2>&1 | cat', 80);
    expect(text).toContain('There is no command');
    expect(text).not.toContain(ESCAPE);
  });
});
