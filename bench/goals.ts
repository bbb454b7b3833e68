import { PAGES, SIZES } from './pages.ts';
import { least, median, type Samples, type Values } from './sample.ts';

/** A goal, what was measured for it, and whether it is met. */
export interface Verdict {
  readonly goal: string;
  readonly measured: string;
  /** undefined when something it needs was not measured. */
  readonly isMet: boolean | undefined;
}

/** What Oriel sets itself, judged by the medians of one run. */
export function judge(samples: Samples, peers: readonly string[]): Verdict[] {
  const oriel = (measure: string) => samples.of('oriel', measure);
  const fastest = (measure: string): Values =>
    peers
      .map((peer) => samples.of(peer, measure))
      .filter((values) => values.length > 0)
      .toSorted((a, b) => (median(a) ?? 0) - (median(b) ?? 0))[0] ?? [];

  const snapshots = (
    [
      ['form', 3_000, 1],
      ['table', 4_000, 1 / 8],
      ['deep', 3_000, 1 / 4],
    ] as const
  ).flatMap(([page, chars, ratio]) => [
    atMost(
      `snapshot of ${page}: at most ${chars} characters`,
      median(oriel(`snapshot ${page} chars`)),
      chars,
      '',
    ),
    within(
      `snapshot of ${page}: at most ${share(ratio)} of the fastest peer's time`,
      oriel(`snapshot ${page}`),
      fastest(`snapshot ${page}`),
      ratio,
    ),
  ]);
  const clicks = PAGES.flatMap(({ name }) => [
    within(
      `click on ${name} with its effect: at most 1.8 of a raw Playwright click`,
      oriel(`click ${name}`),
      samples.of('raw', `click ${name}`),
      1.8,
    ),
    within(
      `click on ${name}: at most 0.15 of playwright-mcp's`,
      oriel(`click ${name}`),
      samples.of('playwright-mcp', `click ${name}`),
      0.15,
    ),
  ]);
  const [small = 0, , large = 0] = SIZES;
  return [
    within(
      "start to tools/list: at most 0.5 of playwright-mcp's time",
      oriel('listed'),
      samples.of('playwright-mcp', 'listed'),
      0.5,
    ),
    ...snapshots,
    ...clicks,
    atMost(
      'snapshot of 20,000 nodes: at most 60 ms in the page',
      median(oriel(`in page ${large}`)),
      60,
      ' ms',
    ),
    within(
      `snapshot: 4 times the nodes take at most 4 times the time`,
      oriel(`nodes ${large}`),
      oriel(`nodes ${small}`),
      4,
    ),
    atMost(
      '20 fields in one call: at most 400 characters of answer',
      median(oriel('fill 20 chars')),
      400,
      '',
    ),
    within(
      "20 fields in one call: at most 1.2 of agent-browser's batch",
      oriel('fill 20'),
      samples.of('agent-browser', 'fill 20'),
      1.2,
    ),
  ];
}

function atMost(goal: string, value: number | undefined, limit: number, unit: string): Verdict {
  if (value === undefined) return { goal, measured: 'not measured', isMet: undefined };
  return { goal, measured: `${Math.round(value)}${unit}`, isMet: value <= limit };
}

function within(goal: string, ours: Values, theirs: Values, ratio: number): Verdict {
  const [our, their] = [median(ours), median(theirs)];
  if (our === undefined || their === undefined) {
    return { goal, measured: 'not measured', isMet: undefined };
  }
  const ofLeast = (least(ours) ?? 0) / (least(theirs) ?? 1);
  return {
    goal,
    measured: `${(our / their).toFixed(2)} (${Math.round(our)} / ${Math.round(their)} ms; of the least times ${ofLeast.toFixed(2)})`,
    isMet: our / their <= ratio,
  };
}

function share(ratio: number): string {
  return ratio === 1 ? 'once' : `1/${1 / ratio}`;
}
