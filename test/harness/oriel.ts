import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createCore, type Core, type Host } from '../../src/app/core.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import type { Dialect } from '../../src/dialect/dialect.ts';
import type { ErrorCode, ErrorJson } from '../../src/kernel/errors.ts';
import { lineLog } from '../../src/kernel/log.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import type { Caller, CallAnswer, Done, Failed, Outcome } from '../../src/model/outcome.ts';
import type { CallOptions } from '../../src/tool/call.ts';
import type { Repertoire } from '../../src/tool/repertoire.ts';
import { startFixtureServer, type FixtureServer } from './fixture-server.ts';
import { LeakCheck } from './leak-check.ts';

export interface StartOptions {
  readonly config?: ConfigInput;
  readonly host?: Host;
  /** Spoken by {@link TestOriel.speak}; its preset lies beneath `config`. */
  readonly dialect?: Dialect;
}

export interface CallSettings extends CallOptions {
  /** Defaults to one caller, `local`, over one connection, who cannot be asked anything. */
  readonly caller?: Partial<Caller>;
  readonly answer?: CallAnswer;
}

/** Oriel in this process, with a server of fixture pages. */
export interface TestOriel extends AsyncDisposable {
  readonly core: Core;
  readonly fixtures: FixtureServer;
  readonly dataDir: string;
  readonly outputDir: string;
  call(tool: string, input?: unknown, settings?: CallSettings): Promise<Outcome>;
  /** Calls a tool of the dialect. */
  speak(tool: string, input?: unknown, settings?: CallSettings): Promise<Outcome>;
  /** Calls and expects `done`. */
  done(tool: string, input?: unknown, settings?: CallSettings): Promise<Done>;
  /** Calls and expects a failure with that code. */
  fails(
    code: ErrorCode,
    tool: string,
    input?: unknown,
    settings?: CallSettings,
  ): Promise<Failed & { readonly text: string }>;
  /** Opens a fixture page, `/form-50.html`, in the current page. */
  open(path: string): Promise<Done>;
  /** The browser's own page behind a page id; the current page without one. */
  raw(page?: string): Page;
  /** What the page shows in its element `#result`, or another. */
  result(selector?: string): Promise<string | null>;
  audit(): Promise<AuditEntry[]>;
}

/**
 * Starts everything behind the surfaces with folders of its own; loopback may be reached. On
 * disposal asserts that no page, context, browser process, temporary file, socket or timer is
 * left.
 */
export async function startOriel({
  config = {},
  host = {},
  dialect,
}: StartOptions = {}): Promise<TestOriel> {
  const leaks = new LeakCheck();
  const dataDir = mkdtempSync(join(tmpdir(), 'data-'));
  const outputDir = join(dataDir, 'output');
  const loaded = loadConfig({
    ...(dialect ? { preset: dialect.preset(config.dialectOptions ?? {}, () => {}) } : {}),
    values: {
      ...config,
      dataDir,
      outputDir,
      // A namespace a browser costs a second; the tests of the gate see to that level.
      network: { exemptHosts: ['127.0.0.1:*', 'localhost:*'], egress: 'gate', ...config.network },
    },
  });
  const fixtures = await startFixtureServer();
  const log = lineLog('error', (line) => process.stderr.write(line));
  const core = createCore(loaded.config, process.env, log, {
    ...host,
    ...(dialect ? { dialect } : {}),
  });
  const { sessions } = core.deps;
  const seen = new Set<Page>();

  const callOf =
    (through: Pick<Repertoire, 'call'>): TestOriel['call'] =>
    async (tool, input = {}, { caller, answer, ...options } = {}) => {
      const outcome = await through.call(
        {
          tool,
          input,
          caller: { ...CALLER, ...caller },
          ...(answer ? { answer } : {}),
        },
        options,
      );
      for (const session of sessions.all) for (const page of session.pages) seen.add(page.raw);
      return outcome;
    };
  const call = callOf(core.calls);
  const raw: TestOriel['raw'] = (name) => {
    const session = sessions.ownOf(CALLER);
    const page = name === undefined ? session?.current : session?.find(name);
    if (!page) throw new Error(`There is no page ${name ?? ''}`);
    return page.raw;
  };
  const done: TestOriel['done'] = async (tool, input, settings) => {
    const outcome = await call(tool, input, settings);
    if (outcome.status !== 'done') throw new Error(`${tool} did not succeed: ${textOf(outcome)}`);
    return outcome;
  };
  return {
    core,
    fixtures,
    dataDir,
    outputDir,
    call,
    speak: callOf(core.repertoire),
    done,
    raw,
    async fails(code, tool, input, settings) {
      const outcome = await call(tool, input, settings);
      const text = textOf(outcome);
      if (outcome.status !== 'failed') throw new Error(`${tool} did not fail: ${text}`);
      expect(outcome.error.code, text).toBe(code);
      return { ...outcome, text };
    },
    open: (path) => done('browser_navigate', { url: fixtures.url(path), waitUntil: 'load' }),
    result: (selector = '#result') => raw().locator(selector).textContent({ timeout: 2000 }),
    async audit() {
      // The stream writes in order, and at once; the file is there after the first line.
      const folder = join(dataDir, 'audit');
      await expect.poll(() => readdirSync(folder).length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return readdirSync(folder)
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
        .map((line) => JSON.parse(line) as AuditEntry);
    },
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await fixtures[Symbol.asyncDispose]();
      const open = [...seen].filter((page) => !page.isClosed()).map((page) => page.url());
      const contexts = [...seen].flatMap((page) => page.context().browser()?.contexts() ?? []);
      const status = core.deps.engine as unknown as { status(): { leases: number } };
      const { leases } = status.status();
      const launches = listIn(join(dataDir, 'run/browsers'));
      rmSync(dataDir, { recursive: true, force: true });
      await leaks.expectNothingNew();
      expect({
        open,
        contexts: contexts.length,
        sessions: sessions.size,
        leases,
        launches,
      }).toEqual({ open: [], contexts: 0, sessions: 0, leases: 0, launches: [] });
    },
  };
}

const CALLER: Caller = { surface: 'library', principal: 'local', connection: 'test' };

/** The text of an answer, as a model reads it. */
export function textOf({ content }: Outcome): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The failure of an outcome; throws when it did not fail. */
export function errorOf(outcome: Outcome): ErrorJson {
  if (outcome.status === 'failed') return outcome.error;
  throw new Error(`It did not fail: ${textOf(outcome)}`);
}

function listIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
