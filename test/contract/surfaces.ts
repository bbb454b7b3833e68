import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createOriel, type ConfigInput, type Outcome } from '../../src/app/library.ts';
import { outcomeJson } from '../../src/surface/cli/outcome-text.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = path.join(ROOT, 'dist/bin/oriel.js');

const CONFIG: ConfigInput = {
  network: { exemptHosts: ['127.0.0.1:*', 'localhost:*'] },
  dialogs: { policy: 'manual' },
  packs: ['all'],
};
const FLAGS = ['--exempt-hosts=127.0.0.1:*,localhost:*', '--dialogs-policy=manual', '--packs=all'];

/** What a surface tells of an outcome; parts that its wire leaves out are absent. */
export interface Told {
  readonly isFailed: boolean;
  readonly code: string | null;
  /** The outcome as data: library and command line. */
  readonly data?: Record<string, unknown>;
  /** What a model is shown: library and MCP. */
  readonly content?: readonly string[];
}

/** One way into Oriel, with a process, a browser and a data folder of its own. */
export interface Surface extends AsyncDisposable {
  readonly name: string;
  call(tool: string, input: Record<string, unknown>): Promise<Told>;
}

export async function openSurfaces(): Promise<readonly Surface[]> {
  await requireBuild();
  return [await openLibrary(), openCommandLine(), await openMcp()];
}

/** The command line and MCP run what was built: an old build would be tested in silence. */
async function requireBuild(): Promise<void> {
  const stamp = (await import(new URL('../../scripts/build-stamp.mjs', import.meta.url).href)) as {
    isBuildCurrent(root: string): boolean;
  };
  if (!stamp.isBuildCurrent(ROOT)) throw new Error('dist is out of date: run `npm run build`.');
}

async function openLibrary(): Promise<Surface> {
  const dataDir = newFolder();
  const oriel = await createOriel({ ...CONFIG, dataDir });
  return {
    name: 'library',
    call: async (tool, input) => tell(await oriel.call(tool, input), dataDir),
    async [Symbol.asyncDispose]() {
      await oriel.close();
      removeFolder(dataDir);
    },
  };
}

function openCommandLine(): Surface {
  const dataDir = newFolder();
  const child = spawn(
    process.execPath,
    [ENTRY, 'call', '-', '--json', `--data-dir=${dataDir}`, ...FLAGS],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: 'command line',
    async call(tool, input) {
      child.stdin.write(`${JSON.stringify({ tool, input })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('The command line ended.');
      const { content: _, ...told } = tell(JSON.parse(value) as Outcome, dataDir);
      return told;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
      removeFolder(dataDir);
    },
  };
}

async function openMcp(): Promise<Surface> {
  const dataDir = newFolder();
  const client = new Client({ name: 'contract', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [ENTRY, 'mcp', `--data-dir=${dataDir}`, ...FLAGS],
      env: Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    }),
  );
  return {
    name: 'MCP',
    async call(tool, input) {
      const { content, isError } = await client.callTool({ name: tool, arguments: input });
      const blocks = content.map((block) => {
        if (block.type === 'text') return block.text;
        return block.type === 'image' ? `(${block.mimeType})` : block.type;
      });
      return {
        isFailed: isError === true,
        code: /^Error \((\w+)\):/.exec(blocks[0] ?? '')?.[1] ?? null,
        content: level(blocks, dataDir),
      };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      removeFolder(dataDir);
    },
  };
}

function tell(outcome: Outcome, dataDir: string): Told {
  const { tookMs: _, ...data } = outcomeJson(outcome);
  return {
    isFailed: outcome.status === 'failed',
    code: outcome.status === 'failed' ? outcome.error.code : null,
    data: level(data, dataDir),
    content: level(
      outcome.content?.map((block) =>
        block.type === 'text' ? block.text : `(${block.mimeType})`,
      ) ?? [],
      dataDir,
    ),
  };
}

/** Puts one word for what differs from run to run: ids, times, folders, hashes. */
function level<T>(value: T, dataDir: string): T {
  const text = JSON.stringify(value)
    .replaceAll(dataDir, 'DATA')
    .replace(/\bs_[\w-]{22}/g, 'HANDLE')
    .replace(/\d{14}-[0-9a-f]{8}/g, 'SESSION')
    .replace(/(page content) [0-9a-f]{8}/g, '$1 BOUNDARY')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"sha256":"[0-9a-f]+"/g, '"sha256":"HASH"')
    .replace(/([a-z]+)-[0-9a-f]{16}\./g, '$1-HASH.')
    .replace(/"bytes":\d+/g, '"bytes":0')
    .replace(/\d+ bytes/g, 'BYTES')
    .replace(/"(waitedMs|durationMs)":\d+/g, '"$1":0')
    .replace(/\b\d+(\.\d+)? (ms|s)\b/g, 'TIME')
    .replace(/"settled":\{[^}]*\}/g, '"settled":{}');
  return JSON.parse(text) as T;
}

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'oriel-test-contract-'));
const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });
