import { Script } from 'node:vm';
import type { Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { ActTarget } from '../model/act-target.ts';
import { doing } from './doing.ts';

/**
 * Runs an expression, a function or statements of the agent in the page; a function gets the
 * target element first, if there is one, then `arg`.
 *
 * @throws `bad_input` with what the script threw.
 */
export async function evaluate(
  page: Page,
  script: string,
  target: ActTarget | null,
  arg: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  return doing('script', signal, async () => {
    const result = target
      ? await target.locator.evaluate(carry(script, 'element'), { arg }, { timeout: 0, signal })
      : await page.evaluate(carry(script, 'none'), { arg });
    const { value, error } = result as { value?: unknown; error?: string };
    if (error === undefined) return value;
    throw scriptThrew(error);
  });
}

/**
 * The agent's script as a function that Playwright will send: it is never run, nor compiled to be
 * run, in this process. In the page it gives back `{value}`, or `{error}` where the script throws,
 * so that an error of the script cannot pass for one of the browser.
 */
function carry(script: string, first: 'element' | 'none'): () => unknown {
  const [parameters, args] =
    first === 'element' ? ['element, given', 'element, given.arg'] : ['given', 'given.arg'];
  return inPage(`async (${parameters}) => {
  try {
    const made = await (async () => {${bodyOf(script)}\n})();
    return { value: typeof made === 'function' ? await made(${args}) : made };
  } catch (thrown) {
    return { error: String(thrown) };
  }
}`);
}

/**
 * Waits until an expression, function or statements of the agent give something true.
 *
 * @throws `bad_input` with what the script threw.
 */
export async function waitForScript(
  page: Page,
  script: string,
  signal: AbortSignal,
): Promise<void> {
  const condition = inPage(`async () => {
  try {
    const made = await (async () => {${bodyOf(script)}\n})();
    return (typeof made === 'function' ? await made() : made) ? {} : false;
  } catch (thrown) {
    return { error: String(thrown) };
  }
}`);
  const handle = await page.waitForFunction(condition, undefined, { timeout: 0, signal });
  const { error } = (await handle.jsonValue()) as { error?: string };
  if (error !== undefined) throw scriptThrew(error);
}

/** Playwright sends a function as its text, which needs no `eval` under a content policy. */
function inPage(source: string): () => unknown {
  const carrier = () => undefined;
  carrier.toString = () => source;
  return carrier;
}

/** An expression is returned; else it is statements, with a `return` of their own. */
function bodyOf(script: string): string {
  const expression = `return (${script.trim().replace(/;+$/, '')}\n);`;
  const failure = parseFailure(expression);
  if (failure === null) return expression;
  if (parseFailure(script) === null) return script;
  throw new OrielError('bad_input', `The script is not valid JavaScript: ${failure}.`, {
    hint: 'Give an expression such as document.title, or a function such as () => document.title.',
  });
}

function parseFailure(body: string): string | null {
  try {
    // Parses only; nothing here is ever run.
    new Script(`(async () => {${body}\n})`);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function scriptThrew(error: string): OrielError {
  return new OrielError('bad_input', 'The script threw an error.', {
    hint: 'Correct the script; `function` is an expression or a function such as () => document.title.',
    pageText: error.slice(0, 2_000),
  });
}
