import type { Locator, Page } from 'playwright-core';
import { firstLine, OrielError } from '../kernel/errors.ts';
import type { ActTarget } from '../model/act-target.ts';
import { doing } from './doing.ts';

/**
 * Runs an expression or a function of the agent in the page; a function gets the target element
 * first, if there is one, then `arg`.
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
    try {
      return await run(page, script, target?.locator ?? null, arg);
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause);
      const thrown = /^(?:page|locator)\.evaluate: (.*)$/s.exec(text)?.[1] ?? text;
      if (/closed|crashed|destroyed/i.test(firstLine(text))) throw cause;
      throw new OrielError('bad_input', 'The script threw an error.', {
        hint: 'Correct the script; `function` is an expression or a function such as () => document.title.',
        pageText: thrown
          .replace(/\n\s+at (?:eval \(eval at evaluate|UtilityScript)[\s\S]*$/, '')
          .slice(0, 2_000),
        cause,
      });
    }
  });
}

/**
 * Playwright takes every string for an expression, so that a function given as text would be the
 * result instead of being called. Hence in two steps: what the text means, then the call.
 */
async function run(
  page: Page,
  script: string,
  target: Locator | null,
  arg: unknown,
): Promise<unknown> {
  if (!target) {
    await using handle = await page.evaluateHandle(script);
    return await handle.evaluate(
      (value: unknown, given) => (typeof value === 'function' ? (value(given) as unknown) : value),
      arg,
    );
  }
  await using element = await target.elementHandle({ timeout: 0 });
  const frame = (await element?.ownerFrame()) ?? page.mainFrame();
  await using handle = await frame.evaluateHandle(script);
  return await handle.evaluate(
    (value: unknown, given) =>
      typeof value === 'function' ? (value(given.element, given.arg) as unknown) : value,
    { element, arg },
  );
}
