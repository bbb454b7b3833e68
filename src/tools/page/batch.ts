import { z } from 'zod';
import { isOrielError, OrielError, toOrielError } from '../../kernel/errors.ts';
import type { Condition } from '../../model/condition.ts';
import { EFFECTS } from '../../model/policy.ts';
import { actArgs } from '../../tool/args.ts';
import { defineTool, type PageRun, type Part, type Step } from '../../tool/declaration.ts';
import { MAX_STEPS, strongestOf } from '../../tool/plan.ts';

/** How long what a step is expected to bring about may take. */
const EXPECT_MS = 3_000;
/** After these nothing can be said of the page, so no step may follow. */
const FINAL = new Set(['timeout', 'cancelled', 'gone', 'dialog_open']);

/** Part of the address, visible text, a ref or selector that shows, and its or the target's value. */
const expectSchema = z.strictObject({
  url: z.string().min(1).max(2_000).optional(),
  text: z.string().min(1).max(2_000).optional(),
  element: z.string().min(1).max(2_000).optional(),
  value: z.string().max(10_000).optional(),
});
type Expectation = z.output<typeof expectSchema>;

const stepReport = z.strictObject({
  tool: z.string(),
  output: z.unknown().describe('Its structured result; null when it failed.'),
  error: z.string().optional().describe('Why it failed.'),
  said: z.string().describe('Its answer.'),
  shown: z.string().describe('The part of its answer that the page wrote.'),
  images: z.array(z.strictObject({ mimeType: z.string(), base64: z.string() })),
});
type StepReport = z.output<typeof stepReport>;

export const batch = defineTool({
  name: 'browser_batch',
  summary:
    'Run several page tools in one call, in order; stops when one fails or the page unexpectedly goes elsewhere.',
  effect: (_input, steps) => strongestOf(steps),
  effects: EFFECTS,
  scope: 'page',
  limit: 'wait',
  aliases: { actions: 'steps' },
  steps: ({ steps }) => steps,
  input: z.strictObject({
    steps: z
      .array(
        z.strictObject({
          tool: z.string().min(1).max(200),
          input: z.record(z.string(), z.unknown()).default({}),
          expect: expectSchema.optional(),
        }),
      )
      .min(1)
      .max(MAX_STEPS)
      .describe('All on one page; `expect` must hold after its step.'),
    stopOnError: z.boolean().default(true).describe('false: go on after a step that failed.'),
    ...actArgs,
  }),
  output: z.strictObject({
    steps: z.array(stepReport).describe('The steps that ran, in order.'),
  }),
  examples: [
    {
      title: 'Search in one call',
      on: '/',
      input: {
        steps: [
          { tool: 'browser_type', input: { target: 'role=searchbox', text: 'lamp' } },
          { tool: 'browser_press', input: { key: 'Enter' }, expect: { text: 'lamp' } },
        ],
      },
    },
  ],
  async run(run, { steps: wanted, stopOnError }) {
    const reports: StepReport[] = [];
    for (const [index, step] of run.steps.entries()) {
      const expected = wanted[index]?.expect;
      const { mark } = run.deps.journals.of(run.page.raw);
      try {
        const { output, parts } = await step.run();
        reports.push(reportOf(step, output, parts));
        if (expected) await requireExpected(run, step, expected);
      } catch (thrown) {
        const error = toOrielError(thrown);
        if (run.signal.aborted) throw thrown;
        if (stopOnError || FINAL.has(error.code)) {
          // A step that ran and did not bring about what was expected is the one that failed.
          throw stopped(error, index, run.steps, reports.slice(0, index));
        }
        reports[index] = {
          ...reportOf(step, null, []),
          error: `${error.code}: ${error.message}`,
          shown: error.pageText ?? '',
        };
      }
      if (index < run.steps.length - 1) {
        const reason = whyEnd(run, step, mark, expected);
        if (reason) throw stopped(reason, index, run.steps, reports);
      }
    }
    return { steps: reports };
  },
  render({ steps }) {
    const failed = steps.filter((step) => step.error !== undefined).length;
    return [
      {
        source: 'oriel',
        text: [
          failed > 0
            ? `${steps.length - failed} of ${steps.length} steps done, ${failed} failed:`
            : `${steps.length} step${steps.length === 1 ? '' : 's'} done:`,
          ...steps.map((step, index) => `${index + 1}. ${step.tool}: ${step.error ?? step.said}`),
        ].join('\n'),
      },
      { source: 'page', text: shownOf(steps) },
      ...steps.flatMap(({ images }) =>
        images.map((image) => ({ source: 'image' as const, ...image })),
      ),
    ];
  },
});

function reportOf(step: Step, output: unknown, parts: readonly Part[]): StepReport {
  const text = (source: 'oriel' | 'page') =>
    parts.flatMap((part) => (part.source === source ? [part.text] : [])).join('\n');
  return {
    tool: step.tool,
    output,
    said: text('oriel'),
    // What the page shows after going elsewhere is told once, at the end.
    shown: step.goesElsewhere ? '' : text('page'),
    images: parts.flatMap((part) =>
      part.source === 'image' ? [{ mimeType: part.mimeType, base64: part.base64 }] : [],
    ),
  };
}

function shownOf(steps: readonly StepReport[]): string {
  return steps
    .flatMap(({ shown }, index) => (shown === '' ? [] : [`${index + 1}. ${shown}`]))
    .join('\n');
}

/** @throws `not_actionable` when it does not come about in time. */
async function requireExpected(
  { page, deps, signal }: PageRun,
  { input }: Step,
  { url, text, element, value }: Expectation,
): Promise<void> {
  const target = element ?? (typeof input['target'] === 'string' ? input['target'] : undefined);
  if (value !== undefined && target === undefined) {
    throw new OrielError('bad_input', '`expect.value` needs an element to have it.', {
      hint: 'Give `expect.element` as well.',
    });
  }
  const conditions: Condition[] = [
    ...(url === undefined ? [] : [{ kind: 'url' as const, contains: url }]),
    ...(text === undefined ? [] : [{ kind: 'text' as const, contains: text }]),
    ...(element === undefined
      ? []
      : [{ kind: 'element' as const, target: element, state: 'visible' as const }]),
    ...(value === undefined || target === undefined
      ? []
      : [{ kind: 'element' as const, target, value }]),
  ];
  const results = await deps.observe.checkConditions(
    {
      page: page.raw,
      journal: deps.journals.of(page.raw),
      selector: (one) => deps.lens.selector(one),
    },
    conditions,
    EXPECT_MS,
    signal,
  );
  const failed = results.filter((result) => !result.holds);
  if (failed.length === 0) return;
  throw new OrielError('not_actionable', 'It ran, but what was expected did not come about.', {
    hint: 'Look at the page with browser_snapshot.',
    pageText: failed.map((one) => `expected ${one.expected}; found: ${one.found}`).join('\n'),
  });
}

/** Why no step may follow this one. */
function whyEnd(
  { page, deps }: PageRun,
  step: Step,
  mark: number,
  expected: Expectation | undefined,
): OrielError | null {
  if (page.raw.isClosed()) return new OrielError('gone', `${page.id} was closed.`);
  if (step.goesElsewhere || expected?.url !== undefined || step.tool === batch.name) return null;
  const landed = deps.journals.of(page.raw).navigatedSince(mark);
  // Without a response an http address is the same document under another name.
  if (!landed || (landed.status === null && /^https?:/.test(landed.url))) return null;
  return new OrielError('stale_ref', 'The page went elsewhere, which the step did not expect.', {
    hint: 'Go on with refs of the page as it is now; a step that is meant to leave says so with expect.url.',
    pageText: `now at ${landed.url}`,
  });
}

function stopped(
  error: OrielError,
  index: number,
  steps: readonly Step[],
  ran: readonly StepReport[],
): OrielError {
  const { length } = ran;
  const total = steps.length;
  const isFailure = length === index;
  const tool = steps[index]?.tool ?? '';
  const left = total - index - 1;
  const facts = [
    isFailure ? `Step ${index + 1} of ${total} (${tool}) failed: ${error.message}` : '',
    isFailure ? '' : `Stopped after step ${index + 1} of ${total} (${tool}): ${error.message}`,
    length === 0 ? 'No step is done.' : `Done: ${numbers(1, length)}.`,
    left === 0 ? '' : `Not run: ${numbers(index + 2, total)}.`,
  ];
  const inner = isOrielError(error) ? error.details : undefined;
  const shown = [shownOf(ran), error.pageText ?? ''].filter((text) => text !== '').join('\n');
  return new OrielError(error.code, facts.filter((fact) => fact !== '').join(' '), {
    hint: error.hint,
    details: { ...inner, step: index + 1, done: length, total },
    ...(shown === '' ? {} : { pageText: shown }),
    cause: error,
  });
}

function numbers(from: number, to: number): string {
  return from === to ? `step ${from}` : `steps ${from} to ${to}`;
}
