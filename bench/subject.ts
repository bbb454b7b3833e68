import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { awaitEnd, MARK, markedProcesses, pssMiB } from './process-group.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PEERS = join(ROOT, 'bench/peers/node_modules');

/** A call of a tool: its name and arguments. */
export type ToolCall = readonly [tool: string, input: Record<string, unknown>];

/** A text field of the form, by its id and label, and what to write into it. */
export interface Field {
  readonly id: string;
  readonly label: string;
  readonly value: string;
}

/** One of those that are measured: how it is started and how it is asked. */
export interface Subject {
  readonly name: string;
  readonly version: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly open: (url: string) => ToolCall;
  readonly snapshot: () => ToolCall;
  /** Finds the ref of a control in the text of a snapshot. */
  readonly ref: (text: string, role: string, name: string) => string | undefined;
  /** Looks for what the default snapshot leaves out. */
  readonly search?: (words: string) => ToolCall;
  readonly click: (ref: string) => ToolCall;
  /** Fills many fields in one call; `text` is a snapshot. */
  readonly fill?: (fields: readonly Field[], text: string) => ToolCall;
  readonly fillOne?: (field: Field) => ToolCall;
  /** Command line that takes many commands at once from its input, where no tool does. */
  readonly batch?: readonly string[];
  /** Ends what outlives the server. */
  readonly close?: () => ToolCall;
}

/** All of them, each with the browser at `executablePath`. */
export function subjects(executablePath: string): Subject[] {
  const isRoot = process.getuid?.() === 0;
  const agentBrowser = join(
    PEERS,
    `agent-browser/bin/agent-browser-${process.platform}-${process.arch}`,
  );
  return [
    {
      name: 'oriel',
      version: versionOf(join(ROOT, 'package.json')),
      command: process.execPath,
      args: [
        join(ROOT, 'dist/bin/oriel.js'),
        'mcp',
        '--exempt-hosts=127.0.0.1:*',
        `--executable-path=${executablePath}`,
      ],
      env: {},
      open: (url) => ['browser_navigate', { url }],
      snapshot: () => ['browser_snapshot', {}],
      search: (query) => ['browser_snapshot', { query }],
      ref: yamlRef,
      click: (ref) => ['browser_click', { target: ref }],
      fill: (fields) => [
        'browser_fill',
        { fields: fields.map(({ id, value }) => ({ target: `css=#${id}`, value })) },
      ],
      fillOne: ({ id, value }) => ['browser_fill', { fields: [{ target: `css=#${id}`, value }] }],
    },
    {
      name: 'playwright-mcp',
      version: versionOf(join(PEERS, '@playwright/mcp/package.json')),
      command: process.execPath,
      args: [
        join(PEERS, '@playwright/mcp/cli.js'),
        '--headless',
        '--isolated',
        ...(isRoot ? ['--no-sandbox'] : []),
        '--executable-path',
        executablePath,
      ],
      env: {},
      open: (url) => ['browser_navigate', { url }],
      snapshot: () => ['browser_snapshot', {}],
      ref: yamlRef,
      click: (ref) => ['browser_click', { element: 'the control', target: ref }],
      fill: (fields) => [
        'browser_fill_form',
        {
          fields: fields.map(({ id, label, value }) => ({
            element: label,
            target: `#${id}`,
            name: label,
            type: 'textbox',
            value,
          })),
        },
      ],
    },
    {
      name: 'chrome-devtools-mcp',
      version: versionOf(join(PEERS, 'chrome-devtools-mcp/package.json')),
      command: process.execPath,
      args: [
        join(PEERS, 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js'),
        '--headless',
        '--isolated',
        '--executablePath',
        executablePath,
        ...(isRoot ? ['--chromeArg=--no-sandbox'] : []),
        '--no-usage-statistics',
        '--no-performance-crux',
      ],
      env: {},
      open: (url) => ['navigate_page', { url, pageId: 1 }],
      snapshot: () => ['take_snapshot', { pageId: 1 }],
      ref: uidOf,
      click: (ref) => ['click', { uid: ref, pageId: 1 }],
      fill: (fields, text) => [
        'fill_form',
        {
          pageId: 1,
          elements: fields.map(({ label, value }) => ({
            uid: uidOf(text, '\\w+', label) ?? '',
            value,
          })),
        },
      ],
    },
    {
      name: 'agent-browser',
      version: versionOf(join(PEERS, 'agent-browser/package.json')),
      command: agentBrowser,
      args: ['mcp'],
      env: {
        AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
        AGENT_BROWSER_SESSION: 'bench',
        ...(isRoot ? { AGENT_BROWSER_ARGS: '--no-sandbox' } : {}),
      },
      open: (url) => ['agent_browser_open', { url }],
      snapshot: () => ['agent_browser_snapshot', {}],
      ref: (text, role, name) => {
        const ref = yamlRef(text, role, name);
        return ref === undefined ? undefined : `@${ref}`;
      },
      search: () => ['agent_browser_snapshot', { interactive: false }],
      click: (ref) => ['agent_browser_click', { selector: ref }],
      batch: [agentBrowser, 'batch', '--bail'],
      close: () => ['agent_browser_close', {}],
    },
  ];
}

/** What a call took and gave. */
export interface Answer {
  readonly ms: number;
  readonly text: string;
}

/** A subject that runs, in folders of its own. */
export interface Running extends AsyncDisposable {
  readonly subject: Subject;
  /** From the start of the process to the answer of `tools/list`. */
  readonly listedMs: number;
  /** Size of the tools in the answer, as JSON. */
  readonly toolsChars: number;
  readonly toolCount: number;
  /** @throws when the tool says that it failed. */
  call(call: ToolCall): Promise<Answer>;
  /** Fills by the command line's batch. */
  fillByBatch(fields: readonly Field[]): Promise<Answer>;
  memoryMiB(): Promise<number>;
  /** Without the browser's processes. */
  ownMemoryMiB(): Promise<number>;
}

/** Starts a subject and asks for its tools. On disposal no process of it is left. */
export async function start(subject: Subject): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'ob-'));
  const mark = randomUUID();
  const env = { ...inherited(), ...subject.env, HOME: home, TMPDIR: home, [MARK]: mark };
  const transport = new StdioClientTransport({
    command: subject.command,
    args: [...subject.args],
    env,
    cwd: home,
    stderr: 'ignore',
  });
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: 'legacy' } },
  );
  const call: Running['call'] = async ([name, input]) => {
    const startedAt = performance.now();
    const result = (await client.callTool(
      { name, arguments: input },
      { timeout: CALL_TIMEOUT_MS },
    )) as { content: { type: string; text?: string }[]; isError?: boolean };
    const ms = performance.now() - startedAt;
    const text = result.content.map((block) => block.text ?? '').join('\n');
    if (result.isError) throw new Error(text.slice(0, 300));
    return { ms, text };
  };
  const dispose = async () => {
    const rows = await markedProcesses(mark);
    if (subject.close) await call(subject.close()).catch(() => {});
    await client.close().catch(() => {});
    await awaitEnd(rows);
    await awaitEnd(await markedProcesses(mark));
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const startedAt = performance.now();
    await client.connect(transport);
    const { tools } = await client.listTools();
    const listedMs = performance.now() - startedAt;
    return {
      subject,
      listedMs,
      toolsChars: JSON.stringify(tools).length,
      toolCount: tools.length,
      call,
      fillByBatch: (fields) => runBatch(subject.batch ?? [], fields, env, home),
      memoryMiB: async () => pssMiB(await markedProcesses(mark)),
      ownMemoryMiB: async () =>
        pssMiB((await markedProcesses(mark)).filter(({ command }) => !isBrowser(command))),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function runBatch(
  [command = '', ...args]: readonly string[],
  fields: readonly Field[],
  env: Record<string, string>,
  cwd: string,
): Promise<Answer> {
  const startedAt = performance.now();
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(fields.map(({ id, value }) => ['fill', `#${id}`, value])));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`batch ended with ${code}: ${text.slice(0, 300)}`);
  return { ms: performance.now() - startedAt, text };
}

const CALL_TIMEOUT_MS = 60_000;

/** By the program itself: the path of a browser is also an argument of those that start it. */
function isBrowser(command: string): boolean {
  return /chrom|headless_shell/i.test(command.split(' ')[0] ?? '');
}

function yamlRef(text: string, role: string, name: string): string | undefined {
  return new RegExp(`- ${role} "${name}".*?ref=(\\w+)`).exec(text)?.[1];
}

function uidOf(text: string, role: string, name: string): string | undefined {
  return new RegExp(`uid=(\\w+) ${role} "${name}"`).exec(text)?.[1];
}

function versionOf(path: string): string {
  if (!existsSync(path)) return 'not installed';
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(ORIEL|AGENT_BROWSER|PLAYWRIGHT)_/.test(name) ? [] : [[name, value]],
    ),
  );
}
