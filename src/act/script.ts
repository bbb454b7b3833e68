import type { BrowserContext, Frame, JSHandle, Locator, Page } from 'playwright-core';
import { firstLine, OrielError } from '../kernel/errors.ts';
import type { ActTarget } from '../model/act-target.ts';
import { doing } from './doing.ts';

/**
 * Runs an expression or a function of the agent in the page; a function gets the target element
 * first, if there is one, then `arg`. An expression may await.
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
      if (/closed|crashed|destroyed/i.test(firstLine(text))) throw cause;
      throw new OrielError('bad_input', 'The script threw an error.', {
        hint: 'Correct the script; `function` is an expression or a function such as () => document.title.',
        pageText: ownStack(text).slice(0, 2_000),
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
    await using handle = await handleOf(page, script);
    return await handle.evaluate(
      (value: unknown, given) => (typeof value === 'function' ? (value(given) as unknown) : value),
      arg,
    );
  }
  await using element = await target.elementHandle({ timeout: 0 });
  const frame = (await element?.ownerFrame()) ?? page.mainFrame();
  await using handle = await handleOf(frame, script);
  return await handle.evaluate(
    (value: unknown, given) =>
      typeof value === 'function' ? (value(given.element, given.arg) as unknown) : value,
    { element, arg },
  );
}
/** An expression that awaits is no script by itself; it becomes the body of an async function. */
async function handleOf(world: Page | Frame, script: string): Promise<JSHandle> {
  try {
    return await world.evaluateHandle(script);
  } catch (cause) {
    const isSyntax = cause instanceof Error && cause.message.includes('SyntaxError');
    if (!isSyntax || !/\bawait\b/.test(script)) throw cause;
    return world.evaluateHandle(`(async () => (${script}\n))()`);
  }
}

/** What was thrown, with the frames of the script and of the page, without those that ran it. */
function ownStack(text: string): string {
  return text
    .replace(/^(?:page|locator)\.\w+: /, '')
    .replace(/\n\s*Call log:[\s\S]*$/, '')
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || !isOurFrame(line))
    .map((line) =>
      line
        // `new Function` puts two lines before its body.
        .replace(/eval at compile .*, <anonymous>:(\d+):\d+/, (_, at) => `script:${Number(at) - 2}`)
        .replace(/eval at <anonymous> .*, <anonymous>:(\d+):\d+/, 'script:$1'),
    )
    .join('\n')
    .trimEnd();
}

function isOurFrame(line: string): boolean {
  return /UtilityScript|^\s+at (?:async )?(?:\S+ \(eval at evaluate |eval \(<anonymous>\)|<anonymous>:\d+:\d+$)/.test(
    line,
  );
}

/** Script that runs in every document of a session before the document's own. */
export interface InitScript {
  readonly id: string;
  readonly script: string;
}

interface Installed extends InitScript {
  readonly remove: () => Promise<void>;
}

const installed = new WeakMap<BrowserContext, Installed[]>();
const MAX_INIT_SCRIPTS = 50;

export function initScripts(context: BrowserContext): InitScript[] {
  return (installed.get(context) ?? []).map(({ id, script }) => ({ id, script }));
}

/**
 * Has script run in every document that opens from now on, frames and popups included.
 *
 * @throws `over_limit` past 50 scripts.
 */
export async function addInitScript(
  context: BrowserContext,
  script: string,
  signal: AbortSignal,
): Promise<InitScript> {
  const scripts = installed.get(context) ?? [];
  if (scripts.length >= MAX_INIT_SCRIPTS) {
    throw new OrielError('over_limit', `The session has ${scripts.length} init scripts already.`, {
      hint: 'Clear some with browser_init_script {"action": "clear"}.',
    });
  }
  const handle = await doing('init script', signal, () =>
    context.addInitScript({ content: script }),
  );
  const last = Number(scripts.at(-1)?.id.slice(1) ?? 0);
  const added = { id: `i${last + 1}`, script, remove: () => handle.dispose() };
  installed.set(context, [...scripts, added]);
  return { id: added.id, script };
}

/**
 * Takes back one init script, or all; documents that are open keep what it did to them.
 *
 * @returns How many were taken back.
 * @throws `not_found` for an id that none has.
 */
export async function clearInitScripts(
  context: BrowserContext,
  id: string | null,
  signal: AbortSignal,
): Promise<number> {
  const scripts = installed.get(context) ?? [];
  const going = scripts.filter((script) => id === null || script.id === id);
  if (id !== null && going.length === 0) {
    throw new OrielError('not_found', `There is no init script ${JSON.stringify(id)}.`, {
      hint: 'List them with browser_init_script {"action": "list"}.',
    });
  }
  for (const script of going) {
    await doing('clearing of an init script', signal, script.remove);
    installed.set(
      context,
      (installed.get(context) ?? []).filter((other) => other !== script),
    );
  }
  return going.length;
}
