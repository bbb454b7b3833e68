import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toOpenAiTools, type Oriel, type OpenAiToolCall } from '../../src/app/library.ts';
import { serveDemoSite, type DemoSite } from '../../src/app/demo/site.ts';
import { openOriel } from './fixture.ts';
import { shoppingSteps } from './shopping.ts';

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

const call = (name: string, input: unknown, id = 'call-1'): OpenAiToolCall => ({
  id,
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
});

describe('toOpenAiTools', () => {
  it('lets a loop over tool calls search, fill the cart and check out', async () => {
    const { tools, run } = toOpenAiTools(oriel);
    let seen = '';
    for (const { tool, input } of shoppingSteps(shop.url)) {
      expect(tools.map((one) => one.function.name)).toContain(tool);
      seen = (await run(call(tool, input(seen)))).content;
    }
    expect(shop.orders()).toMatchObject([{ customer: 'Ada Lovelace', country: 'Ireland' }]);
  });

  it('answers every call of a turn in order, and puts pictures after them', async () => {
    const { runAll } = toOpenAiTools(oriel);
    const messages = await runAll([
      call('browser_navigate', { url: shop.url }, 'a'),
      call('browser_screenshot', {}, 'b'),
      call('browser_tabs', '', 'c'),
    ]);
    expect(messages.map((message) => message.role)).toEqual(['tool', 'tool', 'tool', 'user']);
    expect(messages[1]).toMatchObject({
      tool_call_id: 'b',
      content: expect.stringMatching(/\.png\n\d+x\d+/) as string,
    });
    expect(messages[3]).toMatchObject({
      content: [
        { type: 'text', text: 'Picture of browser_screenshot (b):' },
        {
          type: 'image_url',
          image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) as string },
        },
      ],
    });
  });

  it('tells the model of arguments that are no JSON, and of tools it was not given', async () => {
    const { run } = toOpenAiTools(oriel, { tools: ['snapshot'] });
    expect((await run(call('browser_snapshot', '{"budget": '))).content).toContain(
      'Error (bad_input): browser_snapshot takes an object of arguments.',
    );
    expect((await run(call('browser_evaluate', { function: '1' }))).content).toContain(
      'Error (not_found)',
    );
  });
});
