import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import plugin from '../../../src/app/aalis-plugin.ts';
import type {
  AalisServices,
  HostCall,
  HostTool,
  PluginStatus,
} from '../../../src/surface/plugin/aalis-host.ts';
import { LeakCheck } from '../../harness/leak-check.ts';

export type ServiceName = keyof AalisServices;

export interface HostOptions {
  /** Settings of the plugin. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The host's own section `network`. */
  readonly network?: unknown;
  readonly absent?: readonly ServiceName[];
  /** Root of a session, for those in the host's table. */
  readonly roots?: Readonly<Record<string, string>>;
  /** Whether the storage refuses to write. */
  readonly hasFullStorage?: boolean;
}

export interface HostAnswer {
  /** The first line, read as JSON. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly images: readonly { readonly mimeType: string; readonly data: string }[];
  readonly isError: boolean;
}

/** A host of Aalis, as small as the plugin lets it be. */
export class FakeHost implements AsyncDisposable {
  readonly tools = new Map<string, HostTool>();
  readonly files = new Map<string, Uint8Array>();
  readonly warnings: string[] = [];
  status: PluginStatus | null = null;
  readonly #leaks = new LeakCheck();
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'aalis-host-'));
  readonly #listeners = new Set<(event: { sessionId: string }) => void>();
  #disable: () => Promise<void> = async () => {};

  constructor({ config = {}, network, absent = [], roots = {}, hasFullStorage }: HostOptions = {}) {
    const services: AalisServices = {
      config: {
        get: () => config,
        host: (section) => (section === 'network' ? network : undefined),
      },
      logger: {
        info: () => {},
        warn: (text) => void this.warnings.push(text),
        error: () => {},
      },
      lifecycle: {
        onDisable: (disable) => (this.#disable = disable),
        setStatus: (status) => (this.status = status),
      },
      events: {
        on: (_event, listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
      },
      tools: {
        register: (tool) => {
          this.tools.set(tool.name, tool);
          return () => this.tools.delete(tool.name);
        },
      },
      sessionManager: { rootSessionOf: (id) => roots[id] },
      storage: {
        write: async (uri, content) => {
          if (hasFullStorage) throw new Error('no room');
          this.files.set(uri, content);
        },
        sessionDirName: (id) => `dir-of-${id}`,
      },
      webui: {},
      proc: {},
    };
    const given = Object.fromEntries(
      Object.entries(services).filter(([name]) => !absent.includes(name as ServiceName)),
    ) as unknown as AalisServices;
    inEnvironment(
      { ORIEL_DATA_DIR: this.#folder, ORIEL_OUTPUT_DIR: path.join(this.#folder, 'output') },
      () => plugin.apply(given),
    );
  }

  /** Calls a tool as an agent of that session. */
  async call(
    name: string,
    input: object = {},
    context: Partial<HostCall> = {},
  ): Promise<HostAnswer> {
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`${name} is not registered`);
    return read(await tool.execute(input, { sessionId: 's1', ...context }));
  }

  /** Calls and expects success. */
  async done(name: string, input: object = {}, context: Partial<HostCall> = {}) {
    const answer = await this.call(name, input, context);
    expect(answer.isError, answer.content).toBe(false);
    return answer;
  }

  /** Calls and expects a failure; answers with its text. */
  async fails(name: string, input: object = {}, context: Partial<HostCall> = {}): Promise<string> {
    const answer = await this.call(name, input, context);
    expect(answer.isError, answer.content).toBe(true);
    expect(Object.keys(answer.value)).toEqual(['error']);
    return String(answer.value['error']);
  }

  /** Opens an address in a page of its own, and answers with its id. */
  async open(url: string, sessionId = 's1'): Promise<string> {
    const { value } = await this.done('browser_navigate', { url }, { sessionId });
    return String(value['pageId']);
  }

  deleteSession(sessionId: string): void {
    for (const listener of this.#listeners) listener({ sessionId });
  }

  disable(): Promise<void> {
    return this.#disable();
  }

  get folder(): string {
    return this.#folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disable();
    rmSync(this.#folder, { recursive: true, force: true });
    await this.#leaks.expectNothingNew();
  }
}

function read(result: Awaited<ReturnType<HostTool['execute']>>): HostAnswer {
  const [first = ''] = result.content.split('\n');
  return {
    value: JSON.parse(first) as Record<string, unknown>,
    content: result.content,
    images: result.images ?? [],
    isError: result.isError === true,
  };
}

/** The plugin reads its environment as it is applied. */
function inEnvironment(values: Readonly<Record<string, string>>, work: () => void): void {
  const before = { ...process.env };
  Object.assign(process.env, values);
  try {
    work();
  } finally {
    for (const name of Object.keys(values)) {
      const old = before[name];
      if (old === undefined) delete process.env[name];
      else process.env[name] = old;
    }
  }
}
