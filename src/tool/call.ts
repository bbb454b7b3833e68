import { Deadline, within } from '../kernel/deadline.ts';
import { isOrielError, OrielError, toOrielError } from '../kernel/errors.ts';
import type { Effect } from '../model/effect.ts';
import type { Caller, CallRequest, Content, Outcome } from '../model/outcome.ts';
import type { ToolEffect } from '../model/policy.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import { originOf, toAddress } from './address.ts';
import { Admission } from './admission.ts';
import { composeAnswer } from './answer.ts';
import { auditInput } from './audit-input.ts';
import { actualEffect, type AnyTool, type Part } from './declaration.ts';
import type { Deps } from './deps.ts';
import {
  renderEffect,
  watchEffect,
  withNews,
  type EffectWatch,
  type SnapshotWish,
} from './effect-watch.ts';
import { pageEvidence } from './evidence.ts';
import { parseInput } from './input.ts';
import { untilInterrupted } from './interrupt.ts';
import { limitOf } from './limits.ts';
import { enterPage } from './page-entry.ts';
import { redactor, type Redact } from './redact.ts';
import { maskSecrets } from './secret-input.ts';
import type { ToolSet } from './tool-set.ts';

export interface CallOptions {
  /** The caller's cancellation. */
  readonly signal?: AbortSignal;
  /** Told of slow steps, such as the start of a browser. */
  readonly onProgress?: (message: string) => void;
}

/** What a call has found out so far; what stands when it fails is its evidence. */
interface Course {
  readonly startedAt: number;
  tool: AnyTool | null;
  input: Record<string, unknown> | null;
  session: Session | null;
  page: OpenPage | null;
  /** Origin that the call was admitted for. */
  origin: string | null;
  effect: Effect | undefined;
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
      input: null,
      session: null,
      page: null,
      origin: null,
      effect: undefined,
    };
    let outcome: Outcome;
    try {
      outcome = await this.#run(request, options, course);
    } catch (thrown) {
      outcome = await this.#fail(this.#understand(thrown, course), request, course);
    }
    try {
      this.#record(request, course, outcome);
    } catch (error) {
      this.#deps.log('error', 'a call could not be recorded', { reason: String(error) });
    }
    return outcome;
  }

  async #run(request: CallRequest, options: CallOptions, course: Course): Promise<Outcome> {
    const tool = (course.tool = this.tools.get(request.tool));
    const input = (course.input = parseInput(tool, request.input));
    const effect = actualEffect(tool, input);
    const explicitMs = input['timeoutMs'] as number | undefined;
    const limitMs = limitOf(tool, input, this.#deps.config);
    const question = this.#admission.admit({
      tool,
      effect,
      input,
      caller: request.caller,
      origin: course.origin,
      answer: request.answer,
    });
    if (question) {
      const content: Content[] = [{ type: 'text', text: question.question }];
      return { status: 'needs_input', ...question, content, ...this.#facts(request, course) };
    }

    using whole = new Deadline(explicitMs ?? 0, options.signal);
    await this.#resolve(request.caller, options, course, whole.signal);
    using limit = new Deadline(limitMs, whole.signal);
    const { output, parts } = await this.#perform(request.caller, options, course, limit.signal);
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
    caller: Caller,
    options: CallOptions,
    course: Course,
    signal: AbortSignal,
  ): Promise<void> {
    const { tool, input } = course as { tool: AnyTool; input: Record<string, unknown> };
    if (tool.scope === 'server') return;
    const session = this.#deps.sessions.resolve(caller, input['session'] as string | undefined);
    course.session = session;
    session.touch();
    session.throwIfLost();
    if (tool.scope === 'session') return;
    const name = input['page'] as string | undefined;
    const known = name === undefined ? session.current : session.find(name);
    if (known || !tool.opensPage) {
      course.page = known ?? session.page(name);
      return;
    }
    using starting = new Deadline(this.#deps.config.browser.launchTimeoutMs, signal);
    course.page = await session.newPage(starting.signal, options.onProgress);
  }

  /** Runs the tool while holding its page, and gathers what that did. */
  async #perform(
    caller: Caller,
    options: CallOptions,
    course: Course,
    signal: AbortSignal,
  ): Promise<{ output: unknown; parts: readonly Part[] }> {
    const { tool, input, session, page } = course as Course & {
      tool: AnyTool;
      input: Record<string, unknown>;
    };
    const stop = new AbortController();
    const run = {
      deps: this.#deps,
      caller,
      // What a dialog interrupts outlives the call's own deadline.
      signal: AbortSignal.any([signal, stop.signal]),
      log: this.#deps.log,
      onProgress: options.onProgress ?? (() => {}),
      session,
      page,
    };
    if (!page || !session) {
      const output: unknown = await within(signal, tool.run(run, input) as Promise<unknown>);
      const parts = tool.render(output, input) as Part[];
      if (!session) return { output, parts };
      course.effect = withNews(this.#deps, session, undefined);
      return { output, parts: [...parts, ...renderEffect(course.effect)] };
    }
    const effect = actualEffect(tool, input);
    using entry = await enterPage(this.#deps, { tool, effect, session, page }, run);
    this.#admitAgain(tool, effect, input, caller, course);
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
      const output = await within(
        signal,
        untilInterrupted(journal, work, () => entry.leavePending(work, stop)),
      );
      const changes = await this.#collect(watch, page, signal, snapshotWish(tool, input));
      course.effect = withNews(this.#deps, session, changes);
      return {
        output,
        parts: [...tool.render(output, input), ...renderEffect(course.effect)],
      };
    } catch (thrown) {
      course.effect = withNews(this.#deps, session, await watch?.evidence(signal));
      if (!signal.aborted) throw thrown;
      throw (await lastWords(work, signal)) ?? entry.giveUp(signal.reason);
    }
  }

  /** What the tool did stands, whatever comes between it and the look at what it did. */
  async #collect(
    watch: EffectWatch | null,
    page: OpenPage,
    signal: AbortSignal,
    wish: SnapshotWish,
  ): Promise<Effect | undefined> {
    if (!watch) return undefined;
    const journal = this.#deps.journals.of(page.raw);
    if (journal.openDialog) return watch.peek();
    try {
      return await untilInterrupted(journal, watch.collect(signal, wish), () => {});
    } catch (thrown) {
      if (isOrielError(thrown, 'cancelled')) throw thrown;
      return watch.peek();
    }
  }

  /** The page may have gone elsewhere while the call waited for its turn. */
  #admitAgain(
    tool: AnyTool,
    effect: ToolEffect,
    input: Record<string, unknown>,
    caller: Caller,
    course: Course,
  ): void {
    const origin = this.#originOf(tool, caller, input, course.page);
    if (origin === course.origin) return;
    const question = this.#admission.admit({
      tool,
      effect,
      input,
      caller,
      origin,
      answer: undefined,
    });
    if (!question) return;
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
      pagePart(pageEvidence(error), course),
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
      ...(course.session ? { session: course.session.id as string } : {}),
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
      session: course.session?.key ?? null,
      page: course.page?.id ?? null,
      tool: outcome.tool,
      effect: course.tool && course.input ? actualEffect(course.tool, course.input) : null,
      input: this.#redact(auditInput(maskSecrets(course.tool, course.input))),
      status: outcome.status,
      code: outcome.status === 'failed' ? outcome.error.code : null,
      url: course.page ? this.#redact(course.page.url.slice(0, 500)) : null,
      tookMs: outcome.tookMs,
    });
  }

  /** Origin of what the call is about, from what is known without touching a page. */
  #originOf(
    tool: AnyTool,
    caller: Caller,
    input: Readonly<Record<string, unknown>>,
    page?: OpenPage | null,
  ): string | null {
    const address = tool.address?.(input);
    if (address !== undefined) return originOf(toAddress(address));
    return originOf(page?.url ?? this.#pageUrl(caller, input));
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

/** Work that ran out of time ends by itself, and may say what it was waiting for. */
async function lastWords(work: Promise<unknown>, signal: AbortSignal): Promise<OrielError | null> {
  if (!isOrielError(signal.reason, 'timeout')) return null;
  return within(AbortSignal.timeout(LAST_WORDS_MS), work).then(
    () => null,
    (thrown: unknown) => (isOrielError(thrown) && thrown !== signal.reason ? thrown : null),
  );
}

const LAST_WORDS_MS = 150;

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
