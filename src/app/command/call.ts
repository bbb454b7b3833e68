import { createInterface } from 'node:readline';
import { within } from '../../kernel/deadline.ts';
import { OrielError, toOrielError, ERROR_CODES } from '../../kernel/errors.ts';
import type { Outcome } from '../../model/outcome.ts';
import { exitCodeOf, outcomeText } from '../../surface/cli/outcome-text.ts';
import { neutralise } from '../../tool/untrusted.ts';
import { createCore, type Core } from '../core.ts';
import type { CommandContext } from './context.ts';

const CALLER = { surface: 'cli', principal: 'local', connection: 'cli' } as const;

/** Calls one tool, or with `-` one after the other from stdin, in one process. */
export async function runCall(context: CommandContext): Promise<number> {
  const [tool, ...rest] = context.words;
  if (tool === undefined) {
    throw new OrielError('bad_input', 'oriel call needs the name of a tool.', {
      hint: 'For example: oriel call browser_navigate url=example.com; `oriel tools` lists them.',
    });
  }
  const input = tool === '-' ? null : readInput(rest);
  const core = createCore(context.loaded.config, context.env, context.log, {
    dialect: context.dialect,
  });
  try {
    if (input === null) return await callLines(core, context);
    const outcome = await callOne(core, tool, input, context);
    context.terminal.out(outcomeText(outcome, context.argv.options.json));
    return exitCodeOf(outcome);
  } finally {
    // What is not closed by then ends with this process: the browser with its pipe, the gate with
    // its channel, and the watchdog sees to the rest.
    await within(
      AbortSignal.timeout(FAREWELL_MS),
      Promise.resolve(core[Symbol.asyncDispose]()),
    ).catch(() => {});
  }
}

/** A shell waits for us: the result is out, so the process may not linger. */
const FAREWELL_MS = 150;

async function callLines(core: Core, context: CommandContext): Promise<number> {
  const { argv, terminal, signal } = context;
  if (process.stdin.isTTY) {
    terminal.progress('Reading lines such as {"tool": "browser_tabs", "input": {}}; Ctrl-D ends.');
  }
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const stop = () => lines.close();
  signal.addEventListener('abort', stop, { once: true });
  let exitCode = 0;
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    try {
      const { tool, input } = parseLine(line, number);
      const outcome = await callOne(core, tool, input, context);
      terminal.out(outcomeText(outcome, argv.options.json));
      exitCode ||= exitCodeOf(outcome);
    } catch (thrown) {
      const error = toOrielError(thrown);
      const { pageText, hint } = error;
      const more = [pageText && neutralise(pageText), hint]
        .filter(Boolean)
        .map((line) => `\n${line}`);
      terminal.out(
        argv.options.json
          ? `${JSON.stringify({ status: 'failed', error })}\n`
          : `Error (${error.code}): ${error.message}${more.join('')}\n`,
      );
      exitCode ||= ERROR_CODES[error.code].exit;
    }
  }
  return exitCode;
}

function callOne(
  core: Core,
  tool: string,
  input: unknown,
  { signal, terminal }: CommandContext,
): Promise<Outcome> {
  return core.repertoire.call(
    { tool, input, caller: CALLER },
    { signal, onProgress: terminal.progress },
  );
}

function parseLine(line: string, number: number): { tool: string; input: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(line) as unknown;
  } catch (cause) {
    throw new OrielError('bad_input', `Line ${number} is not JSON.`, {
      hint: 'Give lines such as {"tool": "browser_snapshot", "input": {}}.',
      cause,
    });
  }
  const { tool, input } = (value ?? {}) as { tool?: unknown; input?: unknown };
  if (typeof tool === 'string') return { tool, input: input ?? {} };
  throw new OrielError('bad_input', `Line ${number} names no tool.`, {
    hint: 'Give lines such as {"tool": "browser_snapshot", "input": {}}.',
  });
}

/** JSON, or `name=value` words as people type them. */
function readInput(words: readonly string[]): Record<string, unknown> {
  const [first] = words;
  if (first === undefined) return {};
  if (first.trimStart().startsWith('{')) {
    if (words.length > 1) {
      throw new OrielError('bad_input', 'There is more after the JSON input.', {
        hint: 'Quote the whole input: \'{"url": "https://example.com"}\'.',
      });
    }
    try {
      return JSON.parse(first) as Record<string, unknown>;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new OrielError('bad_input', `The input is not valid JSON: ${why}.`, {
        hint: 'Quote it for the shell: \'{"url": "https://example.com"}\'.',
        cause,
      });
    }
  }
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
      throw new OrielError(
        'bad_input',
        `${JSON.stringify(word)} is neither a JSON object nor name=value.`,
        {
          hint: 'For example: oriel call browser_navigate url=example.com',
        },
      );
    }),
  );
}
