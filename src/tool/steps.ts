import { Deadline, within } from '../kernel/deadline.ts';
import { isOrielError, OrielError } from '../kernel/errors.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import type { PageRun, Step, StepResult } from './declaration.ts';
import { lastWords, untilInterrupted } from './interrupt.ts';
import type { PageEntry } from './page-entry.ts';
import { partsOf } from './parts-of.ts';
import type { Plan } from './plan.ts';

/** A call that makes others, while it holds its page. */
export interface StepCourse {
  /** What its own run is given, but for the steps. */
  readonly run: Omit<PageRun, 'steps'>;
  readonly entry: PageEntry;
  /** Judges a step again, for the page as it is now. @throws `denied` */
  readonly admit: (step: Plan) => void;
}

/** The steps of a call as its tool runs them. */
export function stepsOf(plan: Plan, course: StepCourse): Step[] {
  return plan.steps.map((step) => ({
    tool: step.tool.name,
    effect: step.effect,
    input: step.input,
    goesElsewhere: step.tool.opensPage === true,
    run: () => runStep(step, course),
  }));
}

/** @throws `bad_input` when a step is about another page or session than the call. */
export function requireOnePage(plan: Plan, session: Session, page: OpenPage): void {
  for (const [index, step] of plan.steps.entries()) {
    const { session: handle, page: name } = step.input as { session?: string; page?: string };
    const isSame =
      (handle === undefined || handle === session.id) &&
      (name === undefined || session.find(name) === page);
    if (!isSame) {
      throw new OrielError('bad_input', `Step ${index + 1} is about another page.`, {
        hint: `All steps of ${plan.tool.name} work on ${page.id}; leave \`page\` out of them.`,
        details: { step: index + 1 },
      });
    }
    requireOnePage(step, session, page);
  }
}

async function runStep(step: Plan, course: StepCourse): Promise<StepResult> {
  const { run, entry } = course;
  const { deps, page, session } = run;
  const { tool, input } = step;
  run.signal.throwIfAborted();
  if (page.raw.isClosed()) throw new OrielError('gone', `${page.id} was closed.`);
  course.admit(step);
  if (!tool.opensPage) deps.urls.observe(page.url, session.narrower);
  using limit = new Deadline(step.limitMs, run.signal);
  const stop = new AbortController();
  const signal = AbortSignal.any([limit.signal, stop.signal]);
  const own: PageRun = {
    ...run,
    signal,
    steps: stepsOf(step, { ...course, run: { ...run, signal } }),
  };
  if (tool.steps) return resultOf(step, await tool.run(own, input));
  const journal = deps.journals.of(page.raw);
  let work: Promise<unknown> = Promise.resolve();
  try {
    if (step.effect !== 'read' && input['target'] === undefined) {
      const marking = deps.lens.mark(page.raw, limit.signal);
      await within(
        limit.signal,
        untilInterrupted(journal, marking, () => {}),
      );
    }
    work = tool.run(own, input) as Promise<unknown>;
    const output = await within(
      limit.signal,
      untilInterrupted(journal, work, () => entry.leavePending(work, stop)),
    );
    if (step.effect !== 'read' && !page.raw.isClosed() && !journal.openDialog) {
      await untilInterrupted(
        journal,
        deps.lens.settle(page.raw, deps.config.timeouts.settleMs, limit.signal),
        () => {},
      );
    }
    return resultOf(step, output);
  } catch (thrown) {
    // The call's own deadline is the call's own business.
    if (run.signal.aborted) throw thrown;
    if (limit.signal.aborted) {
      throw (await lastWords(work, limit.signal)) ?? entry.giveUp(limit.signal.reason);
    }
    if (isOrielError(thrown) || !deps.act.isPlaywrightError(thrown)) throw thrown;
    throw deps.act.translateError(thrown, tool.name.replace(/^browser_/, ''));
  }
}

function resultOf({ tool, input }: Plan, output: unknown): StepResult {
  return { output, parts: partsOf(tool, output, input) };
}
