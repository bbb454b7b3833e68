import { Script } from 'node:vm';
import type { BrowserContext, Page } from 'playwright-core';
import type { ActTarget } from '../model/act-target.ts';
import { OrielError } from '../kernel/errors.ts';
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
    const isBare = typeof thrown === 'object' && thrown !== null && !thrown.stack;
    return { error: isBare ? 'threw ' + JSON.stringify(thrown) : String(thrown?.stack || thrown) };
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
  // Playwright takes what a condition gives for its answer, and a promise is always true: so the
  // script is asked aside, and each look at the condition sees what the last asking has come to.
  const condition = inPage(`(() => {
  let answer, isAsking = false;
  const ask = async () => {
    try {
      const made = await (async () => {${bodyOf(script)}\n})();
      return (typeof made === 'function' ? await made() : made) ? {} : undefined;
    } catch (thrown) {
      return { error: String(thrown?.stack || thrown) };
    }
  };
  return () => {
    if (!answer && !isAsking) {
      isAsking = true;
      ask().then((given) => ((answer = given), (isAsking = false)));
    }
    return answer;
  };
})()`);
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
  if (parseFailure(script) === null) return withLastValue(script);
  throw new OrielError('bad_input', `The script is not valid JavaScript: ${failure}.`, {
    hint: 'Give an expression such as document.title, or a function such as () => document.title.',
  });
}

/** As in a console, the value of statements is that of their last expression. */
function withLastValue(script: string): string {
  const trimmed = script.trim().replace(/;+$/, '');
  const at = Math.max(trimmed.lastIndexOf(';'), trimmed.lastIndexOf('\n'));
  if (at === -1 || /\breturn\b/.test(trimmed)) return script;
  const body = `${trimmed.slice(0, at + 1)}return (${trimmed.slice(at + 1)}\n);`;
  return parseFailure(body) === null ? body : script;
}

function parseFailure(body: string): string | null {
  try {
    // Parses only; nothing here is ever run.
    void new Script(`(async () => {${body}\n})`);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function scriptThrew(error: string): OrielError {
  return new OrielError('bad_input', 'The script threw an error.', {
    hint: 'Correct the script; `function` is an expression or a function such as () => document.title.',
    pageText: ownStack(error).slice(0, 2_000),
  });
}

/** What was thrown, with the frames of the script and of the page, without those that ran it. */
function ownStack(text: string): string {
  return text
    .replace(/^(?:page|locator)\.\w+: /, '')
    .replace(/\n\s*Call log:[\s\S]*$/, '')
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || !isOurFrame(line))
    .map((line) =>
      // Two lines of ours stand before the script.
      line.replace(
        /\(eval at evaluate .*, <anonymous>:(\d+):\d+\)/,
        (_, at) => `(script:${Number(at) - 2})`,
      ),
    )
    .join('\n')
    .trimEnd();
}

function isOurFrame(line: string): boolean {
  return /UtilityScript|^\s+at (?:async )?(?:eval \(eval at evaluate |eval at evaluate |eval \(<anonymous>\)|<anonymous>:\d+:\d+$)/.test(
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
