import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAiSdkTools, type Oriel } from '../../src/app/library.ts';
import { serveDemoSite, type DemoSite } from '../../src/app/demo/site.ts';
import { openOriel } from './fixture.ts';
import { shoppingSteps, type Step } from './shopping.ts';

type Prompt = Parameters<MockLanguageModelV3['doGenerate']>[0]['prompt'];
type ToolResult = Extract<
  Extract<Prompt[number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>;

let shop: DemoSite;
let oriel: Oriel;

beforeAll(async () => {
  shop = await serveDemoSite();
  oriel = await openOriel();
});

afterAll(async () => {
  await oriel?.close();
  await shop?.[Symbol.asyncDispose]();
});

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that makes the calls of `steps`, one an answer, and reads each result as it is sent. */
function scriptedModel(steps: readonly Step[]): MockLanguageModelV3 {
  let next = 0;
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const step = steps[next++];
      const shared = { usage: USAGE, warnings: [] };
      if (!step) {
        return {
          ...shared,
          content: [{ type: 'text', text: 'Bought.' }],
          finishReason: { unified: 'stop', raw: 'stop' },
        };
      }
      return {
        ...shared,
        content: [
          {
            type: 'tool-call',
            toolCallId: `call-${next}`,
            toolName: step.tool,
            input: JSON.stringify(step.input(textOf(resultsIn(prompt).at(-1)))),
          },
        ],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
      };
    },
  });
}

function resultsIn(prompt: Prompt): ToolResult[] {
  return prompt.flatMap((message) =>
    message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : [],
  );
}

function textOf(result: ToolResult | undefined): string {
  if (!result) return '';
  const { output } = result;
  if (output.type === 'error-text') return output.value;
  if (output.type !== 'content') throw new Error(`A model was sent ${output.type}`);
  return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

describe('toAiSdkTools', () => {
  it('lets an agent search, fill the cart and check out', async () => {
    const steps = shoppingSteps(shop.url);
    const model = scriptedModel(steps);
    const { text, steps: taken } = await generateText({
      model,
      tools: toAiSdkTools(oriel),
      system: oriel.instructions,
      prompt: 'Buy a Bay Lamp for Ada Lovelace.',
      stopWhen: stepCountIs(steps.length + 2),
    });
    expect(text).toBe('Bought.');
    expect(taken).toHaveLength(steps.length + 1);
    expect(shop.orders()).toMatchObject([
      { customer: 'Ada Lovelace', country: 'Ireland', lines: [{ slug: 'bay-lamp', quantity: 1 }] },
    ]);

    const sent = resultsIn(model.doGenerateCalls.at(-1)!.prompt);
    const failed = sent.filter((result) => result.output.type === 'error-text');
    expect(failed.map((result) => result.toolCallId)).toEqual(['call-8']);
    expect(textOf(failed[0])).toContain('Error (stale_ref)');
    const picture = sent.find((result) => result.toolName === 'browser_screenshot');
    expect(picture?.output).toMatchObject({
      type: 'content',
      value: [{ type: 'text' }, { type: 'image-data', mediaType: 'image/png' }],
    });
    expect(taken[0]?.toolResults[0]?.output).toMatchObject({ status: 'done', page: 'p1' });
  });

  it('hands over what the configuration lists, or what is asked for', async () => {
    const listed = oriel.tools.filter((tool) => tool.isListed).map((tool) => tool.name);
    expect(Object.keys(toAiSdkTools(oriel))).toEqual(listed);
    expect(listed).not.toContain('browser_drag');
    expect(Object.keys(toAiSdkTools(oriel, { tools: ['drag', 'browser_click'] }))).toEqual([
      'browser_drag',
      'browser_click',
    ]);
    expect(() => toAiSdkTools(oriel, { tools: ['clik'] })).toThrow('There is no tool "clik".');
  });

  it('sends the provider a plain JSON schema of the arguments', async () => {
    const model = scriptedModel([]);
    await generateText({ model, tools: toAiSdkTools(oriel, { tools: ['click'] }), prompt: 'Hi' });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      {
        type: 'function',
        name: 'browser_click',
        description: expect.stringContaining('Click an element') as string,
        inputSchema: {
          type: 'object',
          properties: { target: { type: 'string' }, count: { type: 'integer', default: 1 } },
        },
      },
    ]);
  });

  it('hands the abort signal of the run to the call', async () => {
    const stop = new AbortController();
    const { execute } = toAiSdkTools(oriel, { tools: ['wait'] })['browser_wait']!;
    setTimeout(() => stop.abort(), 100);
    await expect(
      execute({ text: 'never there' }, { abortSignal: stop.signal }),
    ).resolves.toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });
});
