import { readEnvironment } from '../config/environment.ts';
import { listMisspelled } from '../config/load.ts';
import { readHostFacts } from '../engine/host-facts.ts';
import { runBelowInit } from '../engine/init.ts';
import { ERROR_CODES, OrielError, toOrielError } from '../kernel/errors.ts';
import { lineLog } from '../kernel/log.ts';
import { parseArgv } from '../surface/cli/argv.ts';
import { completionScript } from '../surface/cli/completion.ts';
import { COMMANDS } from '../surface/cli/commands.ts';
import { commandHelpText, helpText, settingsText, welcomeText } from '../surface/cli/help.ts';
import { terminalOf, type Terminal } from '../surface/cli/terminal.ts';
import { nearest } from '../kernel/nearest.ts';
import { neutralise } from '../tool/untrusted.ts';
import type { Command } from './command/context.ts';
import { loadSetup } from './dialects.ts';

/** Loaded when needed: most commands need little of the package. */
const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('./command/demo.ts')).runDemo,
  mcp: async () => (await import('./command/mcp.ts')).runMcp,
  call: async () => (await import('./command/call.ts')).runCall,
  tools: async () => (await import('./command/tools.ts')).runTools,
  dialects: async () => (await import('./command/dialects.ts')).runDialects,
  setup: async () => (await import('./command/setup.ts')).runSetup,
  doctor: async () => (await import('./command/doctor.ts')).runDoctor,
  gate: async () => (await import('./command/gate.ts')).runGate,
  config: async () => (await import('./command/config.ts')).runConfig,
};

const NAMES = Object.keys(COMMANDS);

/** Runs the command line to its end and resolves with the exit code. Never rejects. */
export async function main(args: readonly string[], version: string): Promise<number> {
  const env = readEnvironment();
  const { stdout, stderr, stdin } = process;
  // A reader that has had enough (`oriel tools | head -1`) is no failure.
  const onPipeError = (failure: NodeJS.ErrnoException) =>
    process.exit(failure.code === 'EPIPE' ? 0 : 1);
  stdout.on('error', onPipeError);
  const terminal = terminalOf({ stdout, stderr, stdin, env });
  try {
    const belowInit = runBelowInit(readHostFacts(env));
    if (belowInit) return await belowInit;
    return await dispatch(args, version, env, terminal);
  } catch (thrown) {
    return report(toOrielError(thrown), args.includes('--json'), terminal);
  }
}

async function dispatch(
  args: readonly string[],
  version: string,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  const argv = parseArgv(args);
  const [given, ...words] = argv.words;
  if (argv.options.version) {
    terminal.out(argv.options.json ? `${JSON.stringify({ version })}\n` : `${version}\n`);
    return 0;
  }
  if (argv.options.help || given === 'help') {
    const about = given === 'help' ? words[0] : given;
    if (given === 'help' && about === 'settings') {
      terminal.out(settingsText(terminal));
      return 0;
    }
    if (about !== undefined && !NAMES.includes(about)) throw await unknownCommand(about);
    const command = about === undefined ? undefined : COMMANDS[about];
    terminal.out(command ? commandHelpText(terminal, command) : helpText(terminal));
    return 0;
  }
  if (given === undefined && process.stdin.isTTY) {
    terminal.out(welcomeText(terminal));
    return 0;
  }
  const name = given ?? 'mcp';
  const known = NAMES.includes(name) ? COMMANDS[name] : undefined;
  if (!known) throw await unknownCommand(name);
  if (words.length > known.maxOperands) throw tooManyOperands(name, words[known.maxOperands] ?? '');
  if (name === 'completion') {
    const { TOOLS } = await import('../tools/index.ts');
    const tools = TOOLS.map((tool) => tool.name);
    terminal.out(completionScript(words[0], { commands: NAMES, tools }));
    return 0;
  }
  const load = LOADERS[name];
  if (!load) throw await unknownCommand(name);
  const { loaded, dialect, warnings } = await loadSetup({
    file: argv.options.config ?? env['ORIEL_CONFIG'],
    env,
    flags: argv.settings,
  });
  const stop = new AbortController();
  const log = lineLog(loaded.config.log.level, (line) => terminal.err(line));
  for (const warning of warnings) log('warn', warning);
  for (const { name: wrong, meant } of listMisspelled(env)) {
    log('warn', `${wrong} in the environment is not a setting. Did you mean ${meant}?`);
  }
  const onSignal = () => stop.abort(new OrielError('cancelled', 'Stopped by a signal.'));
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  process.once('SIGHUP', onSignal);
  const command = await load();
  return command({
    argv,
    words,
    loaded,
    dialect,
    env,
    terminal,
    version,
    log,
    signal: stop.signal,
  });
}

async function unknownCommand(name: string): Promise<OrielError> {
  const { TOOLS } = await import('../tools/index.ts');
  if (TOOLS.some((tool) => tool.name === name)) {
    return new OrielError('bad_input', `${name} is a tool, not a command.`, {
      hint: `Call it: oriel call ${name}`,
    });
  }
  const near = nearest(name, NAMES);
  return new OrielError('bad_input', `There is no command ${JSON.stringify(name)}.`, {
    hint: near ? `Did you mean \`oriel ${near}\`?` : 'Run `oriel --help` to see all commands.',
  });
}

function tooManyOperands(name: string, word: string): OrielError {
  return new OrielError('bad_input', `oriel ${name} does not take ${JSON.stringify(word)}.`, {
    hint: `Usage: oriel ${COMMANDS[name]?.usage ?? name}`,
  });
}

function report(error: OrielError, asJson: boolean, terminal: Terminal): number {
  if (asJson) {
    terminal.out(`${JSON.stringify({ status: 'failed', error })}\n`);
  } else {
    terminal.err(`${terminal.errStyle('red', 'Error')} (${error.code}): ${error.message}\n`);
    if (error.pageText) terminal.err(`${neutralise(error.pageText)}\n`);
    if (error.hint) terminal.err(`${error.hint}\n`);
  }
  return ERROR_CODES[error.code].exit;
}
