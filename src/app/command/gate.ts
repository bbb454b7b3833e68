import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { checkUrl } from '../../gate/check-url.ts';
import type { UrlVerdict } from '../../gate/guard-url.ts';
import { compilePolicy, type CompiledPolicy } from '../../gate/policy.ts';
import { sleep } from '../../kernel/deadline.ts';
import { OrielError } from '../../kernel/errors.ts';
import type { CommandContext } from './context.ts';

/** `gate check` asks what the policy says of addresses; `gate log` follows what it decided. */
export async function runGate(context: CommandContext): Promise<number> {
  const [verb, ...words] = context.words;
  if (verb === 'check') return check(context, words);
  if (verb === 'log') return follow(context);
  throw new OrielError('bad_input', `oriel gate has no ${verb ?? 'command without a verb'}.`, {
    hint: 'Use `oriel gate check <url…>` or `oriel gate log`.',
  });
}

/** Exits with 0 when all are allowed, else with the code of `blocked`. Connects to nothing. */
async function check(context: CommandContext, words: readonly string[]): Promise<number> {
  const { config } = context.loaded;
  const policy = compilePolicy(config.network, { workspace: config.workspace });
  let blocked = 0;
  const urls = words.length > 0 && words[0] !== '-' ? words : linesOfStdin();
  for await (const url of urls) {
    const verdict = await judge(url, policy, context);
    if (verdict.verdict === 'block') blocked++;
    print(context, verdict);
  }
  return blocked === 0 ? 0 : 5;
}

async function judge(
  url: string,
  policy: CompiledPolicy,
  { argv, signal }: CommandContext,
): Promise<UrlVerdict> {
  return checkUrl(url, policy, { dns: argv.options.dns, signal });
}

function print({ argv, terminal }: CommandContext, verdict: UrlVerdict): void {
  if (argv.options.json) {
    terminal.out(`${JSON.stringify(verdict)}\n`);
    return;
  }
  const isAllowed = verdict.verdict === 'allow';
  const mark = terminal.style(isAllowed ? 'green' : 'red', isAllowed ? 'allow' : 'block');
  terminal.out(`${mark}  ${verdict.url}\n`);
  if (!isAllowed)
    terminal.out(`       ${verdict.reason} (${verdict.rule})\n       ${verdict.remedy}\n`);
}

async function* linesOfStdin(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() !== '') yield line.trim();
  }
}

const POLL_MS = 500;

/** Prints the latest day's record and what is added to it, until the command is stopped. */
async function follow({ loaded, terminal, signal }: CommandContext): Promise<number> {
  const folder = path.join(loaded.config.dataDir, 'gate');
  let file = '';
  let offset = 0;
  while (!signal.aborted) {
    const days = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
    const latest = days.toSorted().at(-1);
    if (latest === undefined && file === '') {
      terminal.err(`Nothing is recorded in ${folder} yet; waiting.\n`);
      file = '-';
    } else if (latest !== undefined) {
      const current = path.join(folder, latest);
      if (current !== file) [file, offset] = [current, 0];
      const { size } = await stat(file);
      if (size > offset) {
        const added = createReadStream(file, { start: offset, end: size - 1, encoding: 'utf8' });
        for await (const chunk of added) terminal.out(String(chunk));
        offset = size;
      }
    }
    await sleep(POLL_MS, signal).catch(() => {});
  }
  return 0;
}
