import { listFields } from '../../config/fields.ts';
import { toOrielError } from '../../kernel/errors.ts';
import { clientConfigs, type ServerStart } from '../../surface/cli/client-config.ts';
import { wrap } from '../../surface/cli/layout.ts';
import type { Terminal } from '../../surface/cli/terminal.ts';
import { serveDemoSite } from '../demo/site.ts';
import { connectStoryClient, type StoryClient } from '../demo/story-client.ts';
import { PrintingNarrator } from '../demo/story-print.ts';
import { tellStory, type Answer, type Narrator, type Told } from '../demo/story.ts';
import { installedStart, runningEntry } from '../entry.ts';
import type { CommandContext } from './context.ts';

const STORY_FAILED = 1;

/** Serves the shop, starts our MCP server with a real client, and lets an agent buy something. */
export async function runDemo(context: CommandContext): Promise<number> {
  const { terminal, version, signal, env, argv } = context;
  const { out, style } = terminal;
  const entry = runningEntry(process.argv, process.execArgv);
  const steps: StepRecord[] = [];
  const isJson = argv.options.json;
  const narrator = isJson ? silentNarrator() : new PrintingNarrator(terminal);

  await using shop = await serveDemoSite({ signal });
  const args = [...entry.args, 'mcp', ...settingsFor(context, `127.0.0.1:${shop.port}`)];
  await using client = await connectStoryClient({
    command: entry.command,
    args,
    env,
    version,
    onProgress: terminal.progress,
    signal,
  });
  if (!isJson) printOpening(terminal, shop.url, client);
  let told: Told | undefined;
  let failure: ReturnType<typeof toOrielError> | undefined;
  const startedAt = performance.now();
  try {
    told = await tellStory({ shop, call: client.call, narrator: recording(narrator, steps) });
  } catch (thrown) {
    signal.throwIfAborted();
    failure = toOrielError(thrown);
  }
  const tookMs = Math.round(performance.now() - startedAt);
  const start = installedStart(entry);
  if (isJson) {
    const status = failure ? 'failed' : 'done';
    out(
      `${JSON.stringify({ status, ...(failure ? { error: failure } : {}), tookMs, ...told, steps, clients: clientConfigs(start) })}\n`,
    );
  } else if (failure || !told) {
    terminal.err(
      `\n${terminal.errStyle('red', '✗')} ${failure?.message ?? ''} ${failure?.pageText ?? ''}\n`,
    );
    const log = client.serverLog();
    if (log) terminal.err(`The server wrote:\n${log}\n`);
    if (failure?.hint) terminal.err(`${failure.hint}\n`);
  } else {
    out(
      `\n${style('green', `✓ ${steps.length} calls in ${(tookMs / 1000).toFixed(1)} s`)}, with the start of the browser\n`,
    );
    out(`${style('bold', 'The picture')}: ${told.screenshot}\n`);
    printClients(context, start);
  }
  return failure ? STORY_FAILED : 0;
}

function printOpening(
  { out, style, columns }: Terminal,
  shopUrl: string,
  client: StoryClient,
): void {
  const paragraphs = [
    `The shop: ${shopUrl}, served from here for this run alone.`,
    `The server: oriel mcp over stdio, MCP ${client.protocol}, ${client.toolCount} tools; the shop is the one private address that it may reach.`,
    'Lines behind │ came from the page; a model gets them marked as data, not instructions.',
  ];
  out(`${style('bold', 'An agent buys a woollen throw')}\n`);
  for (const line of paragraphs.flatMap((text) => wrap(text, columns))) out(`${line}\n`);
  out(`${style('cyan', '→')} what the agent sends  ${style('magenta', '←')} what it sees\n`);
}

interface StepRecord {
  readonly title: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  tookMs: number | null;
  proved: string[];
}

function recording(narrator: Narrator, steps: StepRecord[]): Narrator {
  return {
    began(title, tool, input) {
      steps.push({ title, tool, input, tookMs: null, proved: [] });
      narrator.began(title, tool, input);
    },
    answered(answer: Answer, focus) {
      const step = steps.at(-1);
      if (step) step.tookMs = answer.tookMs;
      narrator.answered(answer, focus);
    },
    proved(fact) {
      steps.at(-1)?.proved.push(fact);
      narrator.proved(fact);
    },
  };
}

function silentNarrator(): Narrator {
  return { began: () => {}, answered: () => {}, proved: () => {} };
}

/** The settings this run was given, for the server too, with the shop allowed. */
function settingsFor({ argv, loaded }: CommandContext, shopHost: string): string[] {
  const flags = listFields().flatMap((field) => {
    const value = argv.settings[field.path];
    if (value === undefined || field.path === 'network.exemptHosts') return [];
    return [`${field.flags.at(-1) ?? ''}=${value}`];
  });
  const exempt = [...loaded.config.network.exemptHosts, shopHost];
  return [
    ...(argv.options.config === undefined ? [] : [`--config=${argv.options.config}`]),
    ...flags,
    `--exempt-hosts=${exempt.join(',')}`,
  ];
}

function printClients({ terminal }: CommandContext, start: ServerStart): void {
  const { out, style } = terminal;
  out(`\n${style('bold', 'Give your own agent this browser')}\n`);
  const configs = clientConfigs(start);
  for (const text of new Set(configs.map((config) => config.text))) {
    out('\n');
    for (const { client, where } of configs.filter((config) => config.text === text)) {
      out(`${style('cyan', client)}  ${style('dim', where)}\n`);
    }
    out(`${text}\n`);
  }
}
