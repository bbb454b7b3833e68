import { expect } from 'vitest';
import { startMcp, type TestMcp } from '../../harness/mcp-client.ts';
import type { TestOriel } from '../../harness/oriel.ts';

export interface Answer {
  readonly value: Readonly<Record<string, unknown>>;
  readonly blocks: readonly { readonly type: string; readonly text?: string }[];
  readonly isError: boolean;
}

type Call = (name: string, input: Record<string, unknown>) => Promise<Omit<Answer, 'value'>>;

/** Speaks the dialect, whatever is behind it. */
export class Speaker {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.#call(name, input);
    const value = JSON.parse(answer.blocks[0]?.text ?? '') as Answer['value'];
    return { ...answer, value };
  }

  async done(name: string, input: Record<string, unknown> = {}): Promise<Answer['value']> {
    const { value, isError } = await this.call(name, input);
    expect(value, name).toMatchObject({ success: true });
    expect(isError).toBe(false);
    return value;
  }

  async fails(name: string, input: Record<string, unknown> = {}): Promise<Answer['value']> {
    const { value, isError } = await this.call(name, input);
    expect(value, name).toMatchObject({
      success: false,
      error: expect.stringMatching(/./) as string,
      message: expect.stringMatching(/./) as string,
    });
    expect(isError).toBe(true);
    return value;
  }

  /** @returns The id of the session that was made, or given. */
  async open(url: string, id?: string): Promise<string> {
    const given = id === undefined ? {} : { session_id: id };
    return String((await this.done('browser_navigate', { url, ...given }))['session_id']);
  }

  async elements(id: string): Promise<readonly Element[]> {
    const { elements } = await this.done('browser_snapshot', { session_id: id });
    return elements as Element[];
  }

  async js(id: string, script: string): Promise<unknown> {
    return (await this.done('browser_execute_js', { session_id: id, script }))['result'];
  }
}

export interface Element {
  readonly ref: string;
  readonly tag: string;
  readonly text: string;
  readonly visible: boolean;
}

/** `oriel mcp --dialect octopus`, over its standard streams. */
export async function startOctopus(
  args: readonly string[] = [],
): Promise<{ mcp: TestMcp; speaker: Speaker }> {
  const mcp = await startMcp({ era: '2025', args: ['--dialect=octopus', ...args] });
  return { mcp, speaker: overMcp(mcp) };
}

export function overMcp(mcp: TestMcp): Speaker {
  return new Speaker(async (name, input) => {
    const result = await mcp.client.callTool({ name, arguments: input });
    return { blocks: result.content as Answer['blocks'], isError: result.isError === true };
  });
}

export function inProcess(oriel: TestOriel): Speaker {
  return new Speaker(async (name, input) => {
    const { content, status } = await oriel.speak(name, input);
    return { blocks: content as Answer['blocks'], isError: status !== 'done' };
  });
}
