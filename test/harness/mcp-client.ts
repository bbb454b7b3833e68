import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientCapabilities, type RequestOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  collectTree,
  listProcesses,
  stillRunning,
  type ProcessRow,
} from '../../src/engine/process-table.ts';
import { until } from '../engine/fixture.ts';

/** The built entry; `npm test` builds before it runs. */
export const ORIEL_ENTRY = fileURLToPath(new URL('../../dist/bin/oriel.js', import.meta.url));

/** The handshake of 2025, and the stateless revision of 2026. */
export type Era = '2025' | '2026';
export const ERAS: readonly Era[] = ['2025', '2026'];

export interface McpOptions {
  readonly era: Era;
  /** More arguments for `oriel mcp`. */
  readonly args?: readonly string[];
  /** More arguments for Node itself, before the entry. */
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers a question to a person; without it the client has no elicitation capability. */
  readonly onQuestion?: (message: string) => {
    action: 'accept' | 'decline' | 'cancel';
    content?: Record<string, boolean>;
  };
}

export interface McpAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly images: readonly { readonly mimeType: string; readonly data: string }[];
}

export interface TestMcp extends AsyncDisposable {
  readonly client: Client;
  /** The server's process. */
  readonly pid: number;
  readonly dataDir: string;
  call(tool: string, input?: Record<string, unknown>, options?: RequestOptions): Promise<McpAnswer>;
  /** The browser processes of this server. */
  browsers(): Promise<ProcessRow[]>;
  /** All that descends from the server, itself left out. */
  tree(): Promise<ProcessRow[]>;
  /** The lines of its audit log. */
  audit(): string;
}

/**
 * Starts `oriel mcp` with folders of its own and connects a real client. On disposal closes it
 * and asserts that no process of it and no temporary file is left after 5 s.
 */
export async function startMcp(options: McpOptions): Promise<TestMcp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'oriel-mcp-data-'));
  const tempDir = mkdtempSync(join(tmpdir(), 'oriel-mcp-temp-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...(options.nodeArgs ?? []),
      ORIEL_ENTRY,
      'mcp',
      `--data-dir=${dataDir}`,
      '--exempt-hosts=127.0.0.1:*,localhost:*',
      '--network-egress=gate',
      ...(options.args ?? []),
    ],
    env: { ...inherited(), TMPDIR: tempDir, ...options.env },
    stderr: 'ignore',
  });
  const capabilities: ClientCapabilities = options.onQuestion ? { elicitation: {} } : {};
  const client = new Client(
    { name: 'oriel-test', version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: {
        mode: options.era === '2025' ? 'legacy' : { pin: '2026-07-28' },
      },
    },
  );
  const { onQuestion } = options;
  if (onQuestion) {
    client.setRequestHandler('elicitation/create', (request) =>
      onQuestion((request.params as { message: string }).message),
    );
  }
  await client.connect(transport);
  const pid = transport.pid;
  if (pid === null) throw new Error('The server has no process');
  const tree = async () => {
    const rows = await listProcesses();
    const root = rows.filter((row) => row.pid === pid);
    return collectTree(rows, root).filter((row) => row.pid !== pid);
  };
  const known: ProcessRow[] = [];
  const call: TestMcp['call'] = async (name, input = {}, settings) => {
    const result = await client.callTool({ name, arguments: input }, settings);
    return readResult(result);
  };
  return {
    client,
    pid,
    dataDir,
    call,
    tree,
    async browsers() {
      const rows = (await tree()).filter((row) => row.command.includes('--oriel-launch='));
      known.push(...rows);
      return rows;
    },
    audit: () =>
      readdirSync(join(dataDir, 'audit'))
        .map((name) => readFileSync(join(dataDir, 'audit', name), 'utf8'))
        .join(''),
    async [Symbol.asyncDispose]() {
      const rows = await listProcesses();
      const own = collectTree(
        rows,
        rows.filter((row) => row.pid === pid),
      );
      await client.close();
      await until(async () => (await stillRunning([...own, ...known])).length === 0, 5000);
      await until(() => readdirSync(tempDir).length === 0, 5000);
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(tempDir, { recursive: true, force: true });
    },
  };
}

/** Opens a page, and tells which processes stand behind the server then. */
export async function browse(mcp: TestMcp, url: string): Promise<ProcessRow[]> {
  const answer = await mcp.call('browser_navigate', { url });
  if (answer.isError) throw new Error(answer.text);
  const tree = await mcp.tree();
  if (!tree.some((row) => row.command.includes('--type=renderer'))) throw new Error('No renderer');
  return tree;
}

function readResult(result: unknown): McpAnswer {
  const { content, isError } = result as {
    content: { type: string; text?: string; mimeType?: string; data?: string }[];
    isError?: boolean;
  };
  return {
    isError: isError === true,
    text: content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n'),
    images: content.flatMap((block) =>
      block.type === 'image' ? [{ mimeType: block.mimeType ?? '', data: block.data ?? '' }] : [],
    ),
  };
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('ORIEL_') ? [] : [[name, value]],
    ),
  );
}
