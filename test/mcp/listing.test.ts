import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOLS } from '../../src/tools/index.ts';
import { describe, expect, it } from 'vitest';
import { startFixtureServer } from '../harness/fixture-server.ts';
import { ERAS, startMcp, type Era } from '../harness/mcp-client.ts';

const DEFAULT_TOOLS = [
  'browser_batch',
  'browser_click',
  'browser_evaluate',
  'browser_fill',
  'browser_hover',
  'browser_navigate',
  'browser_press',
  'browser_read',
  'browser_screenshot',
  'browser_scroll',
  'browser_select',
  'browser_session',
  'browser_snapshot',
  'browser_tabs',
  'browser_type',
  'browser_wait',
];
const READS = [
  'browser_batch',
  'browser_read',
  'browser_screenshot',
  'browser_session',
  'browser_snapshot',
  'browser_tabs',
  'browser_wait',
];

async function listed(era: Era, ...args: string[]) {
  await using mcp = await startMcp({ era, args });
  return (await mcp.client.listTools()).tools;
}
const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name).toSorted();

describe.each(ERAS)('tools/list in the protocol of %s', (era) => {
  it('names exactly the default tools', async () => {
    expect(namesOf(await listed(era))).toEqual(DEFAULT_TOOLS);
  });

  it('costs at most 10,000 characters and 16 tools', async () => {
    const tools = await listed(era);
    expect(tools.length).toBeLessThanOrEqual(16);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(10_000);
  });

  it('explains each tool in one sentence, and each argument but the common ones', async () => {
    for (const tool of await listed(era)) {
      expect(tool.description, tool.name).toMatch(/^[A-Z][^.]*\.$/);
      const schema = tool.inputSchema as {
        properties: Record<string, { description?: string }>;
        required?: string[];
      };
      for (const [name, property] of Object.entries(schema.properties)) {
        const isCommon = ['session', 'page', 'timeoutMs', 'snapshot', 'target'].includes(name);
        expect(property.description === undefined, `${tool.name}.${name}`).toBe(isCommon);
      }
      expect(JSON.stringify(schema)).not.toMatch(/\$schema|additionalProperties":false/);
    }
  });

  it('explains the common arguments once, in the instructions', async () => {
    await using mcp = await startMcp({ era });
    const instructions = mcp.client.getInstructions() ?? '';
    for (const name of ['session', 'page', 'timeoutMs', 'snapshot', 'target']) {
      expect(instructions).toContain(name);
    }
  });

  it('annotates by the strongest effect', async () => {
    for (const { name, annotations } of await listed(era)) {
      const onlyReads = ['browser_read', 'browser_screenshot', 'browser_snapshot'].includes(name);
      expect(annotations?.readOnlyHint ?? false, name).toBe(onlyReads);
    }
  });

  it('takes up packs, and the dialog tool for manual dialogs', async () => {
    const pointer = ['browser_drag', 'browser_mouse'];
    expect(namesOf(await listed(era, '--packs', 'pointer'))).toEqual(
      [...DEFAULT_TOOLS, ...pointer].toSorted(),
    );
    const all = namesOf(await listed(era, '--packs', 'all'));
    expect(all).toEqual(TOOLS.map((tool) => tool.name).toSorted());
    expect(namesOf(await listed(era, '--dialogs-policy', 'manual'))).toEqual(
      [...DEFAULT_TOOLS, 'browser_dialog'].toSorted(),
    );
  });

  it('leaves out what a readonly server, or one without script, would refuse', async () => {
    expect(namesOf(await listed(era, '--mode', 'readonly'))).toEqual(READS);
    expect(namesOf(await listed(era, '--script=false'))).toEqual(
      DEFAULT_TOOLS.filter((name) => name !== 'browser_evaluate'),
    );
  });

  it('is answered without loading the browser library', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oriel-trace-'));
    const trace = async (file: string, useBrowser: boolean): Promise<string[]> => {
      await using site = await startFixtureServer();
      const path = join(folder, file);
      {
        await using mcp = await startMcp({
          era,
          nodeArgs: ['--import', fileURLToPath(new URL('module-trace.mjs', import.meta.url))],
          env: { MODULE_TRACE: path },
        });
        await mcp.client.listTools();
        if (useBrowser) await mcp.call('browser_navigate', { url: site.url('/blank.html') });
      }
      const modules = JSON.parse(readFileSync(path, 'utf8')) as string[];
      return modules.filter((module) => module.includes('/playwright-core/'));
    };
    try {
      expect(await trace('list.json', false)).toEqual([]);
      expect((await trace('browse.json', true)).length).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
