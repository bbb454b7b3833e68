import { stat } from 'node:fs/promises';
import { OrielError } from '../../kernel/errors.ts';
import type { DemoSite } from './site.ts';
import { formatPrice } from './site/catalogue.ts';
import { findElement, type Listed } from './story-refs.ts';

/** What came back from one call, as an MCP client gets it. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** The picture that came along; null for none. */
  readonly picture: { readonly mimeType: string; readonly bytes: number } | null;
  readonly tookMs: number;
}

/** Calls a tool of the server. Rejects with the signal's reason, or when the server is gone. */
export type CallTool = (tool: string, input: Record<string, unknown>) => Promise<Answer>;

/** Shows the story while it happens. */
export interface Narrator {
  /** A step begins: what the agent wants, and what it sends. */
  began(title: string, tool: string, input: Record<string, unknown>): void;
  /** It was answered. Lines that match `focus` are what the agent looks for. */
  answered(answer: Answer, focus: readonly RegExp[]): void;
  /** What the step proved, one sentence. */
  proved(fact: string): void;
}

export interface StoryOptions {
  readonly shop: Pick<DemoSite, 'url' | 'orders'>;
  readonly call: CallTool;
  readonly narrator: Narrator;
}

export interface Told {
  /** Path of the picture that the story ends with. */
  readonly screenshot: string;
}

const CUSTOMER = 'Ada Lovelace';
const DAYS_AHEAD = 7;

/**
 * An agent buys a throw: it searches, orders, and looks at the result. It knows elements only by
 * the refs that it reads.
 *
 * @throws `upstream` at the first step whose answer is not what the shop must show.
 */
export async function tellStory(options: StoryOptions): Promise<Told> {
  const { shop, narrator } = options;
  const agent = new Agent(options);

  await agent.act('Open the shop', 'browser_navigate', { url: shop.url }, [/searchbox "/]);
  agent.expect(/Oriel Goods/, 'The shop is open.');

  const search = await agent.seek('searchbox', 'Search');
  await agent.act('Search for wool', 'browser_type', { target: search.ref, text: 'wool' }, [
    /wool/,
  ]);
  agent.expect(/wool/, 'The field holds what was typed.');
  await agent.until(/1 product for/, 'Wait for the results', '1 product for');

  await agent.act('Look at the results', 'browser_snapshot', {}, [/Wool Throw"/, /€135/]);
  const product = await agent.seek('link', 'Wool Throw');
  narrator.proved(`${describe(product)} is what it looks for.`);

  await agent.act('Open the product', 'browser_click', { target: product.ref }, [
    /navigated/,
    /Add to cart/,
  ]);
  agent.expect(/\/products\/wool-throw/, 'Its page has opened.');

  const add = await agent.seek('button', 'Add to cart');
  await agent.act('Put it into the cart', 'browser_click', { target: add.ref }, [/in your cart/]);
  await agent.until(/is in your cart/, 'See what that did', 'Wool Throw is in your cart');
  const cart = await agent.seek('link', 'Cart 1');
  narrator.proved('The cart holds one item.');

  await agent.act('Go to the cart', 'browser_click', { target: cart.ref }, [/€135/, /checkout/i]);
  agent.expect(/\/cart\b/, 'The cart is open.');
  const toCheckout = await agent.seek('link', 'Go to checkout');
  await agent.act('Go to the checkout', 'browser_click', { target: toCheckout.ref }, [
    /textbox "Full name"/,
    /combobox "/,
    /radio "Express/,
    /checkbox "I accept/,
  ]);
  agent.expect(/\/checkout\b/, 'The form is open.');
  await agent.act('Fill in the form', 'browser_fill', { fields: await checkoutFields(agent) }, [
    /= |Set \d/,
  ]);
  agent.expect(/Set 7 fields as asked/, 'Every field holds what was asked.');

  const review = await agent.seek('button', 'Review and place order');
  await agent.act('Ask for the order', 'browser_click', { target: review.ref }, [
    /dialog/,
    /Place (this )?order/,
  ]);
  const confirm = await agent.seek('button', 'Place order');
  narrator.proved('A dialog of the shop asks for a confirmation.');

  await agent.act('Confirm it', 'browser_click', { target: confirm.ref }, [
    /navigated/,
    /Thank you/,
  ]);
  const order = shop.orders().at(-1);
  if (shop.orders().length !== 1 || order?.customer !== CUSTOMER) {
    throw unexpected('The shop did not get the order.');
  }
  agent.expect(
    new RegExp(`Thank you, ${CUSTOMER}`),
    `The shop has order ${order.number}: ${order.lines[0]?.name ?? ''}, ${formatPrice(order.totalCents)}.`,
  );

  const seen = await agent.act('Take a picture', 'browser_screenshot', {}, [/\.png/, /\d+x\d+/]);
  const screenshot = /^(.*\.png)$/m.exec(seen.text)?.[1] ?? '';
  const { size } = await stat(screenshot).catch(() => ({ size: 0 }));
  if (size === 0 || seen.picture === null) throw unexpected('There is no picture.');
  narrator.proved(`The picture came to the agent and lies in a file, ${size} bytes.`);
  return { screenshot };
}

async function checkoutFields(
  agent: Agent,
): Promise<{ target: string; value: string | boolean }[]> {
  const date = new Date(Date.now() + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
  const wanted: [role: string | null, name: string, value: string | boolean][] = [
    ['textbox', 'Full name', CUSTOMER],
    ['textbox', 'E-mail', 'ada@example.com'],
    ['textbox', 'Postcode', 'SW1Y 4LE'],
    ['combobox', 'Country', 'Ireland'],
    ['radio', 'Express', true],
    // Browsers do not agree on the role of a date field.
    [null, 'Delivery date', date],
    ['checkbox', 'I accept the terms', true],
  ];
  const fields = [];
  for (const [role, name, value] of wanted) {
    fields.push({ target: (await agent.seek(role, name)).ref, value });
  }
  return fields;
}

/** Sends calls and remembers what it saw of the page that is open, as a model does. */
class Agent {
  readonly #call: CallTool;
  readonly #narrator: Narrator;
  #seen = '';
  /** Answers since the page was last seen whole; what they list is still there. */
  #memory: string[] = [];

  constructor({ call, narrator }: StoryOptions) {
    this.#call = call;
    this.#narrator = narrator;
  }

  async act(
    title: string,
    tool: string,
    input: Record<string, unknown>,
    focus: readonly RegExp[],
  ): Promise<Answer> {
    this.#narrator.began(title, tool, input);
    const answer = await this.#call(tool, input);
    this.#narrator.answered(answer, focus);
    if (answer.isError) throw unexpected(`${tool} failed.`);
    this.#seen = answer.text;
    const isSearch = 'query' in input;
    const isWhole = tool === 'browser_snapshot' ? !isSearch : /^navigated: /m.test(answer.text);
    this.#memory = isWhole ? [answer.text] : [...this.#memory, answer.text];
    return answer;
  }

  expect(pattern: RegExp, fact: string): void {
    if (!pattern.test(this.#seen)) throw unexpected(`The answer does not hold ${String(pattern)}.`);
    this.#narrator.proved(fact);
  }

  /** Waits for what the last answer did not tell yet. */
  async until(pattern: RegExp, title: string, text: string): Promise<void> {
    if (pattern.test(this.#seen))
      return this.#narrator.proved(`The answer already says “${text}”.`);
    await this.act(title, 'browser_wait', { text }, [/./]);
    this.#narrator.proved(`It says “${text}”.`);
  }

  /** An element of what was seen, by how its name begins; searches when that left it out. */
  async seek(role: string | null, name: string): Promise<Listed> {
    const known = findElement(this.#memory.join('\n'), role, name);
    if (known) return known;
    await this.act(`Search the page for “${name}”`, 'browser_snapshot', { query: name }, [/"/]);
    const found = findElement(this.#seen, role, name);
    if (found) return found;
    throw unexpected(`The page has no ${role ?? 'element'} “${name}”.`);
  }
}

function describe({ role, name, ref }: Listed): string {
  return `${role} "${name}" [${ref}]`;
}

function unexpected(message: string): OrielError {
  return new OrielError('upstream', message, {
    hint: 'Run `oriel doctor` to see what this machine lacks.',
  });
}
