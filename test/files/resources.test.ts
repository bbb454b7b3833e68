import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';

const ENTRY = fileURLToPath(new URL('../../src/bin/oriel.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

let folder: string;
let server: FixtureServer;
let client: Client;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'oriel-resources-'));
  server = await startFixtureServer();
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        '--import',
        TSX,
        ENTRY,
        'mcp',
        '--packs',
        'files',
        '--data-dir',
        folder,
        '--local',
        'true',
      ],
      env: { ...(process.env as Record<string, string>) },
    }),
  );
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('artifacts are listed and read as resources, whole and in ranges', async () => {
  expect((await client.listResources()).resources).toEqual([]);
  await client.callTool({
    name: 'browser_navigate',
    arguments: { url: server.url('/blank.html') },
  });
  await client.callTool({ name: 'browser_screenshot', arguments: {} });
  await client.callTool({ name: 'browser_pdf', arguments: {} });
  const { resources } = await client.listResources();
  expect(resources.map(({ mimeType }) => mimeType ?? '').toSorted()).toEqual([
    'application/pdf',
    'image/png',
  ]);
  const shot = resources.find(({ mimeType }) => mimeType === 'image/png');
  expect(shot?.uri).toMatch(/^oriel:\/\/artifact\/\d{14}-[0-9a-f]{8}\/shot-[0-9a-f]{16}\.png$/);
  const whole = await client.readResource({ uri: shot?.uri ?? '' });
  const blob = (whole.contents[0] as { blob: string }).blob;
  expect(Buffer.from(blob, 'base64').byteLength).toBe(shot?.size);
  const part = await client.readResource({ uri: `${shot?.uri}?offset=1&length=3` });
  expect(part.contents[0]).toMatchObject({
    blob: Buffer.from('PNG').toString('base64'),
    _meta: { 'oriel/nextOffset': 4 },
  });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates[0]?.uriTemplate).toBe(
    'oriel://artifact/{session}/{name}{?offset,length}',
  );
});

test('what is not there is told as not there', async () => {
  for (const uri of [
    'oriel://artifact/20000101000000-00000000/shot-0000000000000000.png',
    'oriel://artifact/x',
    'file:///etc/passwd',
  ]) {
    await expect(client.readResource({ uri }), uri).rejects.toThrow(/not found/i);
  }
});

test('the annotation of a tool is that of its strongest effect', async () => {
  const { tools } = await client.listTools();
  const isReadOnly = (name: string) =>
    tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint ?? false;
  expect(isReadOnly('browser_dom')).toBe(true);
  expect(isReadOnly('browser_downloads')).toBe(false);
  expect(isReadOnly('browser_artifacts')).toBe(false);
  expect(isReadOnly('browser_upload')).toBe(false);
});
