import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { createCore, type Core } from '../../src/app/core.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import { silentLog } from '../../src/kernel/log.ts';
import type { Done, Failed, Outcome } from '../../src/model/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';

/**
 * The core in this process with a real Chromium, a fixture server, and folders of its own.
 * Disposing it asserts that its browser has ended and removes the folders.
 */
export class CoreFixture implements AsyncDisposable {
  readonly core: Core;
  readonly server: FixtureServer;
  readonly folder: string;
  readonly workspace: string;
  readonly outputDir: string;

  private constructor(server: FixtureServer, values: ConfigInput) {
    this.server = server;
    this.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'oriel-stage-')));
    this.workspace = mkdtempSync(path.join(this.folder, 'workspace-'));
    this.outputDir = path.join(this.folder, 'output');
    const { config } = loadConfig({
      values: {
        workspace: this.workspace,
        outputDir: this.outputDir,
        dataDir: path.join(this.folder, 'data'),
        network: { exemptHosts: ['127.0.0.1:*', 'localhost:*'] },
        ...values,
      },
    });
    this.core = createCore(config, process.env, silentLog);
  }

  static async open(values: ConfigInput = {}): Promise<CoreFixture> {
    return new CoreFixture(await startFixtureServer(), values);
  }

  /** Calls a tool as the caller of `connection`. */
  call(tool: string, input: object = {}, connection = 'test'): Promise<Outcome> {
    const caller = { surface: 'library', principal: 'local', connection } as const;
    return this.core.calls.call({ tool, input, caller }, {});
  }

  /** Calls a tool that must succeed. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what the test knows
  async done<T = Record<string, unknown>>(
    tool: string,
    input: object = {},
    connection?: string,
  ): Promise<Done & { output: T; text: string }> {
    const outcome = await this.call(tool, input, connection);
    expect(outcome, JSON.stringify(outcome).slice(0, 2_000)).toMatchObject({ status: 'done' });
    return { ...(outcome as Done & { output: T }), text: textOf(outcome) };
  }

  /** Calls a tool that must fail. */
  async failed(tool: string, input: object = {}, connection?: string): Promise<Failed> {
    const outcome = await this.call(tool, input, connection);
    expect(outcome, JSON.stringify(outcome).slice(0, 2_000)).toMatchObject({ status: 'failed' });
    return outcome as Failed;
  }

  goto(page: string, connection?: string): Promise<Done> {
    return this.done('browser_navigate', { url: this.server.url(page) }, connection);
  }

  /** Runs a function in the current page, beside the tools. */
  async evaluate<T>(script: string, connection = 'test'): Promise<T> {
    const page = this.session(connection).page(undefined);
    return (await page.raw.evaluate(`(${script})()`)) as T;
  }

  session(connection = 'test'): Session {
    const session = this.core.deps.sessions.ownOf({ principal: 'local', connection });
    if (!session) throw new Error(`There is no session of ${connection}`);
    return session;
  }

  /** Folder of the caller's session. */
  sessionFolder(connection = 'test'): string {
    return this.core.deps.artifacts.folder(this.session(connection).key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.core[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
    expect(this.core.deps.engine.running).toBeNull();
  }
}

export function textOf(outcome: Outcome): string {
  return outcome.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
