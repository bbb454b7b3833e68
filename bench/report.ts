import { judge } from './goals.ts';
import { PAGES, SIZES } from './pages.ts';
import { median, type Samples } from './sample.ts';

/** Where and how a run was made. */
export interface Facts {
  readonly date: string;
  readonly rounds: number;
  readonly repeats: number;
  readonly browser: string;
  readonly node: string;
  readonly machine: string;
  /** Load averages of one minute at the start of each round and at the end. */
  readonly loads: readonly number[];
  readonly cores: number;
  /** `name version` of all that were measured. */
  readonly versions: readonly string[];
}

/** The report of a run as Markdown. `names` are the subjects, Oriel first. */
export function report(samples: Samples, names: readonly string[], facts: Facts): string {
  const peers = names.filter((name) => name !== 'oriel');
  const cell = (name: string, measure: string) => {
    const value = median(samples.of(name, measure));
    return value === undefined ? '—' : Math.round(value).toLocaleString('en');
  };
  const table = (title: string, rows: readonly (readonly [label: string, measure: string])[]) => [
    `### ${title}`,
    '',
    `| | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---:|').join('')}`,
    ...rows.map(
      ([label, measure]) =>
        `| ${label} | ${names.map((name) => cell(name, measure)).join(' | ')} |`,
    ),
    '',
  ];
  const verdicts = judge(samples, peers);
  const [highest, lowest] = [Math.max(...facts.loads), Math.min(...facts.loads)];
  return [
    `Measured on ${facts.date}: ${facts.rounds} rounds, each page ${facts.repeats} times a round; medians.`,
    '',
    `- ${facts.versions.join(', ')}`,
    `- ${facts.browser} for all of them, Node ${facts.node}, ${facts.machine}`,
    `- load average ${lowest.toFixed(1)} to ${highest.toFixed(1)} on ${facts.cores} cores` +
      (highest > facts.cores * 1.5
        ? ': others were at work on the machine, so read ratios, not milliseconds'
        : ''),
    '',
    '### Goals',
    '',
    '| goal | measured | |',
    '|---|---|---|',
    ...verdicts.map(
      ({ goal, measured, isMet }) =>
        `| ${goal} | ${measured} | ${isMet === undefined ? '—' : isMet ? 'met' : 'not met'} |`,
    ),
    '',
    ...table('Start', [
      ['start to `tools/list`, ms', 'listed'],
      ['tools', 'tools'],
      ['tools as JSON, characters', 'tools chars'],
      ['first page with its browser, ms', 'cold page'],
    ]),
    ...PAGES.flatMap(({ name, path }) =>
      table(`Page ${name} (\`${path}\`)`, [
        ['open, ms', `open ${name}`],
        ['open, characters of answer', `open ${name} chars`],
        ['snapshot, ms', `snapshot ${name}`],
        ['snapshot, characters', `snapshot ${name} chars`],
        ['click by ref, ms', `click ${name}`],
        ['click, characters of answer', `click ${name} chars`],
        ['memory of all processes (PSS), MiB', `memory ${name}`],
      ]),
    ),
    ...table('Twenty fields', [
      ['in one call, ms', 'fill 20'],
      ['in one call, characters of answer', 'fill 20 chars'],
      ['in 20 calls, ms', 'fill singly'],
      ['in 20 calls, characters of answers', 'fill singly chars'],
    ]),
    '### A raw Playwright click beside Oriel’s',
    '',
    '| | raw, ms | Oriel with its answer, ms | ratio |',
    '|---|---:|---:|---:|',
    ...PAGES.map(({ name }) => {
      const [raw, ours] = [`raw`, 'oriel'].map((who) => median(samples.of(who, `click ${name}`)));
      return `| ${name} | ${cell('raw', `click ${name}`)} | ${cell('oriel', `click ${name}`)} | ${raw && ours ? (ours / raw).toFixed(2) : '—'} |`;
    }),
    '',
    '### Growth of Oriel’s snapshot',
    '',
    '| nodes | in the page, ms | whole call, ms | characters |',
    '|---:|---:|---:|---:|',
    ...SIZES.map(
      (size) =>
        `| ${size.toLocaleString('en')} | ${cell('oriel', `in page ${size}`)} | ${cell('oriel', `nodes ${size}`)} | ${cell('oriel', `nodes ${size} chars`)} |`,
    ),
    '',
    ...(samples.failures.length > 0
      ? ['### What failed', '', ...samples.failures.map((failure) => `- ${failure}`), '']
      : []),
  ].join('\n');
}
