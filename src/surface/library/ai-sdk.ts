import type { Outcome } from '../../model/outcome.ts';
import { chosenTools, type AdapterOptions } from './chosen-tools.ts';
import type { ClientBase, ListedTool } from './client.ts';

/** The arguments of a tool as Standard Schema with JSON Schema, which the AI SDK reads. */
interface ArgumentsSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'oriel';
    readonly validate: (value: unknown) => { readonly value: Record<string, unknown> };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

type ModelOutput =
  | { readonly type: 'error-text'; readonly value: string }
  | {
      readonly type: 'content';
      readonly value: (
        | { readonly type: 'text'; readonly text: string }
        | { readonly type: 'image-data'; readonly mediaType: string; readonly data: string }
      )[];
    };

/** A tool of the Vercel AI SDK (version 6). Its result is the whole outcome, as data. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: ArgumentsSchema;
  readonly execute: (
    input: Record<string, unknown>,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<Outcome>;
  readonly toModelOutput: (result: { readonly output: Outcome }) => ModelOutput;
}

/**
 * The tools of a client for `generateText`, `streamText` and agents of the Vercel AI SDK. A call
 * that fails does not throw: the model reads the error and its hint, and may try again. Pictures
 * reach the model as content. Give the model `oriel.instructions` as well.
 *
 * @throws `bad_input` for a name that no tool has.
 */
export function toAiSdkTools(
  client: ClientBase,
  options: AdapterOptions = {},
): Record<string, AiSdkTool> {
  return Object.fromEntries(
    chosenTools(client, options).map((tool) => [tool.name, toAiSdkTool(client, tool)]),
  );
}

function toAiSdkTool(client: ClientBase, tool: ListedTool): AiSdkTool {
  const schema = () => structuredClone(tool.inputSchema);
  return {
    description: tool.summary,
    inputSchema: {
      '~standard': {
        version: 1,
        vendor: 'oriel',
        // The call itself checks: it knows peers' spellings and answers with what fits.
        validate: (value) => ({ value: value as Record<string, unknown> }),
        jsonSchema: { input: schema, output: schema },
      },
    },
    execute: (input, { abortSignal }) => client.call(tool.name, input, { signal: abortSignal }),
    toModelOutput: ({ output }) => toModelOutput(output),
  };
}

function toModelOutput({ status, content }: Outcome): ModelOutput {
  if (status !== 'done') {
    const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return { type: 'error-text', value: texts.join('\n') };
  }
  return {
    type: 'content',
    value: content.map((block) =>
      block.type === 'text'
        ? { type: 'text', text: block.text }
        : { type: 'image-data', mediaType: block.mimeType, data: block.base64 },
    ),
  };
}
