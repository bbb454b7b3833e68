import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { OctopusBackend } from '../../../src/dialect/octopus/backend.ts';
import { octopus } from '../../../src/dialect/octopus/octopus.ts';
import { startOriel } from '../../harness/oriel.ts';
import { verifies } from '../../harness/verifies.ts';
import { startOctopus, inProcess } from './speaker.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TEXT = readFileSync(path.join(ROOT, 'docs/dialects/octopus.md'), 'utf8');

const section = (title: string): string =>
  TEXT.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';

describe('what an agent is told', () => {
  it('leads from the address to its content, and passes the session on', async () => {
    verifies('D-053', 'D-054');
    const { mcp } = await startOctopus();
    await using _mcp = mcp;
    const told = mcp.client.getInstructions() ?? '';
    expect(told).toMatch(
      /visit an address and get its content, call browser_navigate, then browser_snapshot with the session_id/,
    );
    expect(told).toMatch(/that session_id in every later call/);
    const { tools } = await mcp.client.listTools();
    for (const { name, inputSchema } of tools.slice(1)) {
      expect(inputSchema.required, name).toContain('session_id');
      const properties = inputSchema.properties as Record<string, { description?: string }>;
      expect(properties['session_id']?.description).toContain('browser_navigate');
    }
  });
});

describe('the page for those who come from Octopus', () => {
  it('has installation, tools with examples, sessions, refs, backends and tests', () => {
    verifies('D-055');
    expect(section('Installing')).toContain('oriel mcp --dialect octopus');
    expect(section('The same')).toMatch(
      /browser_\{timestamp\}[\s\S]*5 idle minutes[\s\S]*At most 10/,
    );
    expect(section('The same')).toMatch(/`@e0`[\s\S]*CSS[\s\S]*XPath/);
    expect(section('Another backend')).toContain('octopus({ backend');
    const rows = [...section('The tools').matchAll(/^\| `(browser_\w+)`.*?`(\{.*\})`/gm)];
    const { tools } = octopus();
    expect(rows.map(([, name]) => name)).toEqual(tools.map(({ name }) => name));
    for (const [, name, example = ''] of rows) {
      const tool = tools.find((one) => one.name === name);
      expect(() => tool?.input.parse(JSON.parse(example)), name).not.toThrow();
    }
  });

  it('names tests that are there, as a suite and singly', () => {
    verifies('D-055', 'D-056');
    const commands = [...section('Tests').matchAll(/^npx vitest run (\S+)/gm)].map(([, at]) => at);
    expect(commands).toHaveLength(3);
    for (const at of commands) expect(existsSync(path.join(ROOT, at ?? '')), at).toBe(true);
    const [, filter = ''] = /-t "([^"]+)"/.exec(section('Tests')) ?? [];
    const file = readFileSync(path.join(ROOT, commands[2] ?? ''), 'utf8');
    expect(filter).not.toBe('');
    expect(file).toContain(filter);
  });

  it('has a skeleton of a backend that stands before the tools as it is', async () => {
    verifies('D-003', 'D-057');
    const [, skeleton = ''] = /<!-- skeleton -->\s+```ts\n([\s\S]*?)```/.exec(TEXT) ?? [];
    const folder = mkdtempSync(path.join(tmpdir(), 'octopus-skeleton-'));
    const file = path.join(folder, 'cloud-backend.ts');
    writeFileSync(file, skeleton);
    try {
      const { CloudBackend } = (await import(file)) as { CloudBackend: new () => OctopusBackend };
      await using oriel = await startOriel({ dialect: octopus({ backend: new CloudBackend() }) });
      const failed = await inProcess(oriel).fails('browser_navigate', {
        url: oriel.fixtures.url('/blank.html'),
        session_id: 'cloud',
      });
      expect(failed['error']).toContain('createSession');
      const declared = readFileSync(
        path.join(ROOT, 'src/dialect/octopus/backend.ts'),
        'utf8',
      ).match(/^ {2}(\w+)\(/gm);
      expect(declared).toHaveLength(11);
      for (const method of declared ?? []) {
        const name = method.trim().slice(0, -1) as keyof OctopusBackend;
        expect(new CloudBackend()[name], name).toBeTypeOf('function');
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
