import type { Outcome } from '../../model/outcome.ts';
import { chosenTools, type AdapterOptions } from './chosen-tools.ts';
import type { ClientBase } from './client.ts';
import type { CallOptions } from './methods.ts';

/** A function tool of OpenAI's chat completions, which many other providers also take. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}

/** A call as a model makes it. */
export interface OpenAiToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface OpenAiToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

export interface OpenAiPicturesMessage {
  readonly role: 'user';
  readonly content: (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  )[];
}

export interface OpenAiTools {
  /** For `tools` of a request. */
  readonly tools: OpenAiTool[];
  /** Runs one call; never rejects. Pictures are left out, but for the path of their file. */
  readonly run: (call: OpenAiToolCall, options?: CallOptions) => Promise<OpenAiToolMessage>;
  /**
   * Runs the calls of one answer of the model, in order, and gives the messages to append: one a
   * call, then one from the user with the pictures, which a tool's message cannot hold.
   */
  readonly runAll: (
    calls: readonly OpenAiToolCall[],
    options?: CallOptions,
  ) => Promise<(OpenAiToolMessage | OpenAiPicturesMessage)[]>;
}

/**
 * The tools of a client for OpenAI's chat completions and what speaks like them. Give the model
 * `oriel.instructions` as well.
 *
 * @throws `bad_input` for a name that no tool has.
 */
export function toOpenAiTools(client: ClientBase, options: AdapterOptions = {}): OpenAiTools {
  const chosen = chosenTools(client, options);
  const names = new Set(chosen.map((tool) => tool.name));

  function outcomeOf(call: OpenAiToolCall, callOptions: CallOptions): Promise<Outcome> {
    // A tool that was not handed over is as unknown as one that does not exist.
    const name = names.has(call.function.name) ? call.function.name : `(${call.function.name})`;
    return client.call(name, readArguments(call.function.arguments), callOptions);
  }

  return {
    tools: chosen.map(({ name, summary, inputSchema }) => ({
      type: 'function',
      function: { name, description: summary, parameters: structuredClone(inputSchema) },
    })),
    async run(call, callOptions = {}) {
      return toMessage(call, await outcomeOf(call, callOptions));
    },
    async runAll(calls, callOptions = {}) {
      const messages: OpenAiToolMessage[] = [];
      const pictures: OpenAiPicturesMessage['content'] = [];
      for (const call of calls) {
        const outcome = await outcomeOf(call, callOptions);
        messages.push(toMessage(call, outcome));
        pictures.push(...toPictures(call, outcome));
      }
      return pictures.length === 0 ? messages : [...messages, { role: 'user', content: pictures }];
    },
  };
}

/** Arguments that are no JSON go on as they are: the call says what it takes. */
function readArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function toMessage(call: OpenAiToolCall, { content }: Outcome): OpenAiToolMessage {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return { role: 'tool', tool_call_id: call.id, content: texts.join('\n') };
}

function toPictures(call: OpenAiToolCall, { content }: Outcome): OpenAiPicturesMessage['content'] {
  const urls = content.flatMap((block) =>
    block.type === 'image' ? [`data:${block.mimeType};base64,${block.base64}`] : [],
  );
  if (urls.length === 0) return [];
  return [
    { type: 'text', text: `Picture of ${call.function.name} (${call.id}):` },
    ...urls.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
  ];
}
