import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createCore, type Core } from '../../src/app/core.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import { silentLog } from '../../src/kernel/log.ts';
import type { Content, Outcome } from '../../src/model/outcome.ts';

/** Oriel without a surface, with a real browser behind it. */
export interface Bench extends AsyncDisposable {
  readonly core: Core;
  /** Where this bench keeps all its files. */
  readonly folder: string;
  /** Calls a tool to its end, whatever that is. */
  outcome(tool: string, input?: object, signal?: AbortSignal): Promise<Outcome>;
  /** Calls a tool that must succeed; its output and the text a model is shown. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a test says what it expects
  call<Output = Record<string, unknown>>(
    tool: string,
    input?: object,
  ): Promise<{ output: Output; text: string }>;
  /** Calls a tool that must fail; its error and the text a model is shown. */
  fail(tool: string, input?: object): Promise<{ code: string; message: string; text: string }>;
}

const CALLER = {
  surface: 'library',
  principal: 'test',
  connection: 'test',
  canAsk: false,
} as const;

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) =>
  existsSync(file),
);

export async function openBench(values: ConfigInput = {}): Promise<Bench> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'oriel-observe-'));
  const { config } = loadConfig({
    values: {
      dataDir: folder,
      outputDir: path.join(folder, 'output'),
      browser: { sandbox: 'auto', ...(CHROMIUM ? { executablePath: CHROMIUM } : {}) },
      network: { local: true },
      ...values,
    },
  });
  const core = createCore(config, process.env, silentLog);
  const outcome = (tool: string, input: object = {}, signal?: AbortSignal) =>
    core.calls.call({ tool, input, caller: CALLER }, signal ? { signal } : {});
  return {
    core,
    folder,
    outcome,
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as declared above
    async call<Output>(tool: string, input?: object) {
      const ended = await outcome(tool, input);
      const text = textOf(ended.content);
      if (ended.status !== 'done') throw new Error(`${tool} ended ${ended.status}: ${text}`);
      return { output: ended.output as Output, text };
    },
    async fail(tool, input) {
      const ended = await outcome(tool, input);
      const text = textOf(ended.content);
      if (ended.status !== 'failed') throw new Error(`${tool} did not fail: ${text}`);
      return { code: ended.error.code, message: ended.error.message, text };
    },
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function textOf(content: readonly Content[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
