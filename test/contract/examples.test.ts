import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDemoSite, type DemoSite } from '../../src/app/demo/site.ts';
import type { Oriel } from '../../src/app/library.ts';
import type { Example } from '../../src/tool/declaration.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { openOriel } from '../library/fixture.ts';

let shop: DemoSite;
let oriel: Oriel;

beforeAll(async () => {
  shop = await serveDemoSite();
  oriel = await openOriel();
}, 120_000);

afterAll(async () => {
  await oriel?.close();
  await shop?.[Symbol.asyncDispose]();
});

const EXAMPLES = TOOLS.flatMap((tool) =>
  (tool.examples as readonly Example<Record<string, unknown>>[]).map(
    (example) => [`${tool.name}: ${example.title}`, tool, example] as const,
  ),
);

describe('each example of the reference runs on the demo shop', () => {
  it.each(EXAMPLES)('%s', async (_, tool, { on = '/', input }) => {
    // A cart, because the checkout wants one; each example meets a shop that was just entered.
    await using visitor = await oriel.newSession();
    await visitor.navigate({ url: new URL('/products/bay-lamp', shop.url).href });
    await visitor.click({ target: 'text=Add to cart' });
    await visitor.wait({ selector: '#cart-count:has-text("1")' });
    await visitor.navigate({ url: new URL(on, shop.url).href });
    const outcome = await visitor.call(tool.name, placed(input));
    expect(outcome).toMatchObject({ status: 'done' });
    expect(tool.output.safeParse(outcome.status === 'done' && outcome.output)).toMatchObject({
      success: true,
    });
  });
});

/** Paths of the shop stand for its addresses. */
function placed(input: Record<string, unknown>): Record<string, unknown> {
  const { url } = input;
  return typeof url === 'string' ? { ...input, url: new URL(url, shop.url).href } : input;
}
