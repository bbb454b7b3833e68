import { Deadline, within } from '../kernel/deadline.ts';
import { isOrielError, OrielError, toOrielError } from '../kernel/errors.ts';
import type { Effect } from '../model/effect.ts';
import type { Caller, CallRequest, Content, Outcome } from '../model/outcome.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import { Admission } from './admission.ts';
import { composeAnswer } from './answer.ts';
import { actualEffect, type AnyTool, type LimitName, type Part } from './declaration.ts';
import type { Deps } from './deps.ts';
import { renderEffect, watchEffect, withNews } from './effect-watch.ts';
import { parseInput } from './input.ts';
import { dialogOpen, untilInterrupted } from './interrupt.ts';
import { redactor } from './redact.ts';
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
  effect: Effect | undefined;
}

/** The only way from any surface to any tool. */
export class Calls {
  readonly tools: ToolSet;
  readonly #deps: Deps;
  readonly #admission: Admission;
  readonly #redact: (text: string) => string;

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
      effect: undefined,
    };
    let outcome: Outcome;
    try {
      outcome = await this.#run(request, options, course);
    } catch (thrown) {
      outcome = await this.#fail(toOrielError(thrown), request, course);
    }
    this.#record(request, course, outcome);
    return outcome;
  }

  async #run(request: CallRequest, options: CallOptions, course: Course): Promise<Outcome> {
    const tool = (course.tool = this.tools.get(request.tool));
    const input = (course.input = parseInput(tool, request.input));
    const effect = actualEffect(tool, input);
    const question = this.#admission.admit({
      tool,
      effect,
      input,
      caller: request.caller,
      origin: this.#originOf(request.caller, input),
      answer: request.answer,
    });
    if (question) {
      const content: Content[] = [{ type: 'text', text: question.question }];
      return { status: 'needs_input', ...question, content, ...this.#facts(request, course) };
    }

    const explicitMs = input['timeoutMs'] as number | undefined;
    using whole = new Deadline(explicitMs ?? 0, options.signal);
    await this.#resolve(request.caller, options, course, whole.signal);
    using limit = new Deadline(explicitMs ?? this.#limitMs(tool.limit), whole.signal);
    const { output, parts } = await this.#perform(request.caller, options, course, limit.signal);
    const content = await this.#compose(parts, course);
    return { status: 'done', output, content, ...this.#facts(request, course) };
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
    if (tool.scope === 'session') return;
    session.throwIfLost();
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
    const run = {
      deps: this.#deps,
      caller,
      signal,
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
    if (page.pending && !tool.toleratesDialog) throw this.#dialogOpen(page);

    const guard = tool.toleratesDialog ? null : await page.mutex.acquire(signal);
    page.lastUsedAt = Date.now();
    const journal = this.#deps.journals.of(page.raw);
    const changes = actualEffect(tool, input) !== 'read';
    const watch = changes ? watchEffect(this.#deps, session, page) : null;
    try {
      if (page.pending && !tool.toleratesDialog) throw this.#dialogOpen(page);
      await within(signal, this.#deps.stages.ready(page.raw));
      const work = tool.run(run, input) as Promise<unknown>;
      const output = await within(
        signal,
        untilInterrupted(journal, work, () => this.#leavePending(page, tool, work)),
      );
      const effect = await watch?.collect(signal, input['snapshot'] === true);
      course.effect = withNews(this.#deps, session, effect);
      const parts = tool.render(output, input) as Part[];
      return { output, parts: [...parts, ...renderEffect(course.effect)] };
    } catch (thrown) {
      course.effect = withNews(this.#deps, session, await watch?.evidence(signal));
      throw thrown;
    } finally {
      guard?.[Symbol.dispose]();
    }
  }

  #leavePending(page: OpenPage, tool: AnyTool, work: Promise<unknown>): void {
    const pending = { tool: tool.name, dialog: 'open' };
    page.pending = pending;
    const clear = () => {
      if (page.pending === pending) page.pending = null;
    };
    work.then(clear, clear);
  }

  #dialogOpen(page: OpenPage): OrielError {
    const entry = this.#deps.journals.of(page.raw).openDialog;
    if (entry) return dialogOpen(entry);
    return new OrielError(
      'busy',
      `${page.pending?.tool ?? 'A call'} is still ending on this page.`,
      {
        hint: 'Try again in a moment.',
      },
    );
  }

  async #fail(error: OrielError, request: CallRequest, course: Course): Promise<Outcome> {
    const parts: Part[] = [
      { source: 'oriel', text: `Error (${error.code}): ${error.message}` },
      ...(error.hint ? [{ source: 'oriel' as const, text: error.hint }] : []),
      ...(error.pageText ? [pagePart(error.pageText, course)] : []),
      ...renderEffect(course.effect),
    ];
    if (isOrielError(error, 'bug')) {
      this.#deps.log('error', error.message, { tool: request.tool, stack: causeOf(error) });
    }
    const content = await this.#compose(parts, course).catch((): Content[] => [
      { type: 'text', text: `Error (${error.code}): ${error.message}` },
    ]);
    const json = error.toJSON();
    const safe = { ...json, message: this.#redact(json.message) };
    return { status: 'failed', error: safe, content, ...this.#facts(request, course) };
  }

  async #compose(parts: readonly Part[], course: Course): Promise<Content[]> {
    const { config, artifacts } = this.#deps;
    const session = course.session;
    return composeAnswer(parts, {
      maxChars: config.answer.maxChars,
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
      ...(course.effect ? { effect: course.effect } : {}),
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
      input: JSON.parse(this.#redact(JSON.stringify(auditInput(course)))) as unknown,
      status: outcome.status,
      code: outcome.status === 'failed' ? outcome.error.code : null,
      url: course.page ? course.page.url.slice(0, 500) : null,
      tookMs: outcome.tookMs,
    });
  }

  /** Origin of what the call is about, from what is known without touching a page. */
  #originOf(caller: Caller, input: Readonly<Record<string, unknown>>): string | null {
    const url = typeof input['url'] === 'string' ? input['url'] : this.#pageUrl(caller, input);
    if (!url || !URL.canParse(url)) return null;
    const { origin } = new URL(url);
    return origin === 'null' ? null : origin;
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

  #limitMs(limit: LimitName): number {
    const { timeouts } = this.#deps.config;
    return timeouts[`${limit}Ms`];
  }
}

function pagePart(text: string, course: Course): Part {
  const url = course.page?.url;
  const origin = url && URL.canParse(url) ? new URL(url).origin : undefined;
  return { source: 'page', text, ...(origin && origin !== 'null' ? { origin } : {}) };
}

/** What was typed may be secret, and a handle is as good as a password. */
function auditInput(course: Course): unknown {
  if (!course.input || !course.tool) return null;
  const { session: _session, ...rest } = course.input;
  return maskSecrets(course.tool, rest);
}

function causeOf(error: OrielError): string {
  const cause = error.cause;
  return (cause instanceof Error ? cause.stack : error.stack)?.slice(0, 2_000) ?? '';
}
