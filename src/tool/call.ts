import { Deadline, within } from '../kernel/deadline.ts';
import { isOrielError, OrielError, toOrielError } from '../kernel/errors.ts';
import type { Effect } from '../model/effect.ts';
import type { Caller, CallRequest, Content, Outcome } from '../model/outcome.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import { originOf, toAddress } from './address.ts';
import { Admission } from './admission.ts';
import { composeAnswer } from './answer.ts';
import { auditInput } from './audit-input.ts';
import type { AnyTool, Part } from './declaration.ts';
import type { Deps } from './deps.ts';
import {
  renderEffect,
  watchEffect,
  withNews,
  type EffectWatch,
  type SnapshotWish,
} from './effect-watch.ts';
import { lastWords, untilInterrupted } from './interrupt.ts';
import { enterPage } from './page-entry.ts';
import { partsOf } from './parts-of.ts';
import { leavesOf, planCall, type Plan } from './plan.ts';
import { redactor, type Redact } from './redact.ts';
import { maskSecrets } from './secret-input.ts';
import { requireOnePage, stepsOf } from './steps.ts';
import type { ToolSet } from './tool-set.ts';

export interface CallOptions {
  /** The caller's cancellation. */
  readonly signal?: AbortSignal;
  /** Told of slow steps, such as the start of a browser. */
  readonly onProgress?: (message: string) => void;
  /** Leave the content of the outcome empty, for who renders its output in words of its own. */
  readonly isContentLess?: boolean;
}

/** What a call has found out so far; what stands when it fails is its evidence. */
interface Course {
  readonly startedAt: number;
  tool: AnyTool | null;
  plan: Plan | null;
  session: Session | null;
  page: OpenPage | null;
  /** Origin that the call was admitted for. */
  origin: string | null;
  effect: Effect | undefined;
  readonly isContentLess: boolean;
  /** Keeps its session and page from being cleaned up until it has ended. */
  readonly uses: Disposable[];
}

/** The only way from any surface to any tool. */
export class Calls {
  readonly tools: ToolSet;
  readonly #deps: Deps;
  readonly #admission: Admission;
  readonly #redact: Redact;

  /** @throws `bad_input` when the policy names what does not exist. */
  constructor(tools: ToolSet, deps: Deps) {
    this.tools = tools;
    this.#deps = deps;
    this.#admission = new Admission(deps.config, tools);
    this.#redact = redactor(deps.config);
  }

  /** Runs one call to its end. Never throws: what goes wrong is an outcome too. */
  async call(request: CallRequest, options: CallOptions = {}): Promise<Outcome> {
    const course: Course = {
      startedAt: performance.now(),
      tool: null,
      plan: null,
      session: null,
      page: null,
      origin: null,
      effect: undefined,
      isContentLess: options.isContentLess === true,
      uses: [],
    };
    let outcome: Outcome;
    try {
      outcome = await this.#run(request, options, course);
    } catch (thrown) {
      outcome = await this.#fail(this.#understand(thrown, course), request, course);
    }
    for (const use of course.uses) use[Symbol.dispose]();
    try {
      this.#record(request, course, outcome);
    } catch (error) {
      this.#deps.log('error', 'a call could not be recorded', { reason: String(error) });
    }
    return outcome;
  }

  async #run(request: CallRequest, options: CallOptions, course: Course): Promise<Outcome> {
    course.tool = this.tools.get(request.tool);
    const plan = (course.plan = planCall(this.tools, this.#deps.config, request));
    const { caller } = request;
    course.origin = this.#originOf(plan, caller);
    const question = this.#admission.admit({
      ...plan,
      caller,
      origin: course.origin,
      answer: request.answer,
      parts: leavesOf(plan).map((leaf) => ({
        ...leaf,
        origin: addressOf(leaf) ?? course.origin,
      })),
    });
    const explicitMs = plan.input['timeoutMs'] as number | undefined;
    if (question) {
      const content: Content[] = [{ type: 'text', text: question.question }];
      return { status: 'needs_input', ...question, content, ...this.#facts(request, course) };
    }

    using whole = new Deadline(explicitMs ?? 0, options.signal);
    await this.#resolve(plan, caller, options, course, whole.signal);
    using limit = new Deadline(plan.limitMs, whole.signal);
    const { output, parts } = await this.#perform(plan, caller, options, course, limit.signal);
    const content = await this.#compose(parts, course);
    return {
      status: 'done',
      output: this.#redact(output),
      content,
      ...this.#facts(request, course),
    };
  }

  /** Finds or makes the session and the page that the call is about. */
  async #resolve(
    plan: Plan,
    caller: Caller,
    options: CallOptions,
    course: Course,
    signal: AbortSignal,
  ): Promise<void> {
    const { tool, input } = plan;
    if (tool.scope === 'server') return;
    const session = this.#deps.sessions.resolve(caller, input['session'] as string | undefined);
    course.session = session;
    session.throwIfLost();
    course.uses.push(session.use());
    if (tool.scope === 'session') return;
    const name = input['page'] as string | undefined;
    const known = name === undefined ? session.current : session.find(name);
    if (known || !leavesOf(plan)[0]?.tool.opensPage) {
      course.page = known ?? session.page(name);
      course.uses.push(course.page.use());
      return;
    }
    const address = tool.address?.(input);
    // What is refused starts no browser.
    if (address !== undefined) this.#deps.urls.admit(toAddress(address), session.narrower);
    using starting = new Deadline(this.#deps.config.browser.launchTimeoutMs, signal);
    using _pulse = this.#watchPulse();
    course.page = await session.newPage(starting.signal, options.onProgress);
    course.uses.push(course.page.use());
  }

  /**
   * Without a page whose silence would be noticed, a browser that no longer answers would hold the
   * call to its very end.
   */
  #watchPulse(): Disposable {
    const timer = setTimeout(() => void this.#deps.recoveries.checkBrowser(), PULSE_AFTER_MS);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }

  /** Runs the tool while holding its page, and gathers what that did. */
  async #perform(
    plan: Plan,
    caller: Caller,
    options: CallOptions,
    course: Course,
    signal: AbortSignal,
  ): Promise<{ output: unknown; parts: readonly Part[] }> {
    const { tool, input, effect } = plan;
    const { session, page } = course;
    const stop = new AbortController();
    const common = {
      deps: this.#deps,
      caller,
      // What a dialog interrupts outlives the call's own deadline.
      signal: AbortSignal.any([signal, stop.signal]),
      log: this.#deps.log,
      onProgress: options.onProgress ?? (() => {}),
    };
    if (!page || !session) {
      using _pulse = this.#watchPulse();
      const run = { ...common, session };
      const output: unknown = await within(signal, tool.run(run, input) as Promise<unknown>);
      const parts = partsOf(tool, output, input);
      if (!session) return { output, parts };
      course.effect = withNews(this.#deps, session, undefined);
      return { output, parts: [...parts, ...renderEffect(course.effect)] };
    }
    const dialog = this.#deps.journals.of(page.raw).openDialog;
    if (dialog && tool.runUnderDialog) {
      this.#deps.urls.observe(page.url, session.narrower);
      this.#admitAgain(plan, caller, course);
      const output: unknown = tool.runUnderDialog({ ...common, session, page }, dialog);
      return { output, parts: partsOf(tool, output, input) };
    }
    using entry = await enterPage(this.#deps, { tool, effect, session, page }, common);
    if (!tool.steps) this.#admitAgain(plan, caller, course);
    requireOnePage(plan, session, page);
    const admit = (step: Plan) => this.#admitAgain(step, caller, course);
    const onPage = { ...common, session, page };
    const run = { ...onPage, steps: stepsOf(plan, { run: onPage, entry, admit }) };
    const journal = this.#deps.journals.of(page.raw);
    const watch = effect === 'read' ? null : watchEffect(this.#deps, session, page);
    let work: Promise<unknown> = Promise.resolve();
    try {
      await within(signal, this.#deps.stages.ready(page.raw));
      // An action on an element is marked when the element is located.
      if (watch && input['target'] === undefined) {
        const marking = this.#deps.lens.mark(page.raw, signal);
        await within(
          signal,
          untilInterrupted(journal, marking, () => {}),
        );
      }
      work = tool.run(run, input) as Promise<unknown>;
      // Steps are interrupted one by one, so that none follows.
      const output = await within(
        signal,
        tool.steps ? work : untilInterrupted(journal, work, () => entry.leavePending(work, stop)),
      );
      const shown = partsOf(tool, output, input);
      const told = new Set(tool.tells?.(output));
      const changes = await this.#collect(watch, page, signal, snapshotWish(tool, input), told);
      course.effect = withNews(this.#deps, session, changes);
      return {
        output,
        parts: [...shown, ...renderEffect(course.effect, tool.opensPage === true)],
      };
    } catch (thrown) {
      const isPartDone = tool.steps && !signal.aborted && !isOrielError(thrown, 'timeout');
      course.effect = withNews(
        this.#deps,
        session,
        isPartDone
          ? await this.#collect(watch, page, signal, snapshotWish(tool, input))
          : await watch?.evidence(signal),
      );
      if (!signal.aborted) {
        // A step inside gave up before the call had to: the page may be as stuck.
        if (isOrielError(thrown, 'timeout')) entry.bringBack();
        throw thrown;
      }
      throw (await lastWords(work, signal)) ?? entry.giveUp(signal.reason);
    }
  }

  /** What the tool did stands, whatever comes between it and the look at what it did. */
  async #collect(
    watch: EffectWatch | null,
    page: OpenPage,
    signal: AbortSignal,
    wish: SnapshotWish,
    told?: ReadonlySet<string>,
  ): Promise<Effect | undefined> {
    if (!watch) return undefined;
    const journal = this.#deps.journals.of(page.raw);
    if (journal.openDialog) return watch.peek();
    try {
      return await untilInterrupted(journal, watch.collect(signal, wish, told), () => {});
    } catch (thrown) {
      if (isOrielError(thrown, 'cancelled')) throw thrown;
      return watch.peek();
    }
  }

  /** The page may have gone elsewhere since the call was admitted. */
  #admitAgain({ tool, effect, input }: Plan, caller: Caller, course: Course): void {
    const address = addressOf({ tool, input });
    // Where it goes was judged before, and has not changed.
    if (address !== undefined) return;
    const origin = originOf(course.page?.url);
    if (origin === course.origin) return;
    const request = { tool, effect, input, caller, origin, answer: undefined };
    if (!this.#admission.admit(request)) return;
    throw new OrielError(
      'denied',
      'The page went to another origin before the call had its turn.',
      {
        hint: 'Make the call again, so that a person is asked about the page as it is now.',
        details: { admitted: course.origin, origin },
      },
    );
  }

  /** What was thrown as one error; one that the browser's end explains is that end. */
  #understand(thrown: unknown, { session, tool }: Course): OrielError {
    const { act } = this.#deps;
    const error = act.isPlaywrightError(thrown)
      ? act.translateError(thrown, tool?.name.replace(/^browser_/, '') ?? 'call')
      : toOrielError(thrown);
    if (error.code !== 'gone' && error.code !== 'upstream') return error;
    return session?.takeLoss() ?? error;
  }

  async #fail(error: OrielError, request: CallRequest, course: Course): Promise<Outcome> {
    const parts: Part[] = [
      { source: 'oriel', text: `Error (${error.code}): ${error.message}` },
      ...(error.hint ? [{ source: 'oriel' as const, text: error.hint }] : []),
      pagePart(error.pageText ?? '', course),
      ...renderEffect(course.effect),
    ];
    if (isOrielError(error, 'bug')) {
      this.#deps.log('error', error.message, { tool: request.tool, stack: causeOf(error) });
    }
    const content = await this.#compose(parts, course).catch((): Content[] => [
      { type: 'text', text: `Error (${error.code}): ${error.message}` },
    ]);
    const safe = this.#redact(error.toJSON());
    return { status: 'failed', error: safe, content, ...this.#facts(request, course) };
  }

  async #compose(parts: readonly Part[], course: Course): Promise<Content[]> {
    if (course.isContentLess) return [];
    const { config, artifacts } = this.#deps;
    const session = course.session;
    return composeAnswer(parts, {
      maxChars: config.answer.maxChars,
      origin: originOf(course.page?.url),
      redact: this.#redact,
      spill:
        session && config.mode !== 'readonly'
          ? async (text) =>
              (
                await artifacts.put({
                  session: session.key,
                  prefix: 'answer',
                  extension: 'txt',
                  mimeType: 'text/plain',
                  content: text,
                })
              ).path
          : null,
    });
  }

  #facts(request: CallRequest, course: Course) {
    return {
      tool: course.tool?.name ?? request.tool,
      ...(course.session ? { session: handleOf(course.session, course) } : {}),
      ...(course.page ? { page: course.page.id as string } : {}),
      ...(course.effect ? { effect: this.#redact(course.effect) } : {}),
      tookMs: Math.round(performance.now() - course.startedAt),
    };
  }

  #record(request: CallRequest, course: Course, outcome: Outcome): void {
    this.#deps.audit.append({
      at: new Date().toISOString(),
      surface: request.caller.surface,
      principal: request.caller.principal,
      via: request.caller.via ?? null,
      session: course.session?.key ?? null,
      page: course.page?.id ?? null,
      tool: outcome.tool,
      effect: course.plan?.effect ?? null,
      input: this.#redact(
        auditInput(course.plan ? maskSecrets(course.plan.tool, course.plan.input) : null),
      ),
      status: outcome.status,
      code: outcome.status === 'failed' ? outcome.error.code : null,
      url: course.page ? this.#redact(course.page.url.slice(0, 500)) : null,
      tookMs: outcome.tookMs,
    });
  }

  /** Origin of what the call is about, from what is known without touching a page. */
  #originOf(plan: Plan, caller: Caller): string | null {
    const address = addressOf(plan);
    return address === undefined ? originOf(this.#pageUrl(caller, plan.input)) : address;
  }

  #pageUrl(caller: Caller, input: Readonly<Record<string, unknown>>): string | null {
    const handle = input['session'];
    const session =
      typeof handle === 'string'
        ? this.#deps.sessions.list(caller).find((candidate) => candidate.id === handle)
        : this.#deps.sessions.ownOf(caller);
    const name = input['page'];
    const page = typeof name === 'string' ? session?.find(name) : session?.current;
    return page?.url ?? null;
  }
}

/** Origin of the address that a call goes to; undefined when it goes nowhere. */
function addressOf({ tool, input }: Pick<Plan, 'tool' | 'input'>): string | null | undefined {
  const address = tool.address?.(input);
  return address === undefined ? undefined : originOf(toAddress(address));
}

/** A child goes by its own handle: it is not told its root's. */
function handleOf(session: Session, { plan }: Course): string {
  const handle = plan?.input['session'];
  return typeof handle === 'string' ? handle : session.id;
}

const PULSE_AFTER_MS = 2_000;

function snapshotWish(tool: AnyTool, input: Readonly<Record<string, unknown>>): SnapshotWish {
  if (tool.opensPage) return 'never';
  return input['snapshot'] === true ? 'always' : 'changed';
}

function pagePart(text: string, course: Course): Part {
  const origin = originOf(course.page?.url);
  return { source: 'page', text, ...(origin ? { origin } : {}) };
}

function causeOf(error: OrielError): string {
  const cause = error.cause;
  return (cause instanceof Error ? cause.stack : error.stack)?.slice(0, 2_000) ?? '';
}
