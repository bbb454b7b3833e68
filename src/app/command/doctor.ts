import { toOrielError } from '../../kernel/errors.ts';
import { wrap } from '../../surface/cli/layout.ts';
import { diagnose } from '../doctor/diagnose.ts';
import type { Finding, Verdict } from '../doctor/finding.ts';
import type { CommandContext } from './context.ts';

const MARKS = { ok: '✓', warn: '!', fail: '✗' } as const;
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const NAME_WIDTH = 15;
/** The exit code of `setup_needed`. */
const SOMETHING_FAILS = 12;

/** Says what works on this machine, what does not, and what to do; opens a real page. */
export async function runDoctor(context: CommandContext): Promise<number> {
  const { terminal, argv, loaded, env, log, signal, version } = context;
  const findings: Finding[] = [];
  if (!argv.options.json) terminal.out(`${terminal.style('bold', `Oriel ${version}`)}\n`);
  const record = (finding: Finding) => {
    findings.push(finding);
    if (!argv.options.json) terminal.out(findingText(finding, context));
  };
  try {
    for await (const finding of diagnose({
      config: loaded.config,
      env,
      log,
      signal,
      progress: terminal.progress,
    })) {
      record(finding);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const { message, hint, pageText } = toOrielError(thrown);
    const says = pageText ? `${message} ${pageText}` : message;
    record({ name: 'Doctor', verdict: 'fail', says, ...(hint ? { advice: hint } : {}) });
  }
  const verdict = worst(findings);
  if (argv.options.json) {
    const { platform, arch } = process;
    const host = { node: process.versions.node, platform, arch };
    terminal.out(`${JSON.stringify({ verdict, version, ...host, findings }, null, 2)}\n`);
  } else {
    terminal.out(`\n${closingText(findings, verdict)}\n`);
  }
  return verdict === 'fail' ? SOMETHING_FAILS : 0;
}

function worst(findings: readonly Finding[]): Verdict {
  const verdicts = findings.map((finding) => finding.verdict);
  return verdicts.includes('fail') ? 'fail' : verdicts.includes('warn') ? 'warn' : 'ok';
}

function findingText({ name, verdict, says, advice }: Finding, { terminal }: CommandContext) {
  const { style, columns } = terminal;
  const margin = ' '.repeat(NAME_WIDTH + 2);
  const [first = '', ...rest] = wrap(says, columns - margin.length);
  const lines = [
    `${style(COLOURS[verdict], MARKS[verdict])} ${style('bold', name.padEnd(NAME_WIDTH))}${first}`,
    ...rest.map((line) => margin + line),
    ...(advice ? wrap(advice, columns - margin.length - 2) : []).map(
      (line, index) => `${margin}${style('cyan', index === 0 ? '→' : ' ')} ${line}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function closingText(findings: readonly Finding[], verdict: Verdict): string {
  const count = findings.filter((finding) => finding.verdict === verdict).length;
  const points = `${count} point${count === 1 ? '' : 's'}`;
  if (verdict === 'ok') return 'All is well.';
  return verdict === 'warn' ? `It works; ${points} to know about.` : `${points} to mend.`;
}
