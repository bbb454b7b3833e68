import { isOrielError, OrielError } from '../../kernel/errors.ts';
import type { Made, Turn } from '../turn.ts';
import type { Arrival, OctopusBackend, PageSnapshot } from './backend.ts';
import { indexOf, selectorOf, type LastElements } from './last-elements.ts';
import { toElements, toText, type TreeNode } from './snapshot.ts';

/** Most that the native tools give. */
const MAX_TEXT_CHARS = 1_000_000;
const MAX_RESULT_BYTES = 1_048_576;

/** Our own browser, by native calls of one turn. */
export class LocalBackend implements OctopusBackend {
  readonly #turn: Turn;
  readonly #last: LastElements;
  /** Sessions that their next call makes: one that is refused makes none. */
  readonly #wanted = new Set<string>();

  constructor(turn: Turn, last: LastElements) {
    this.#turn = turn;
    this.#last = last;
  }

  /** The engine starts its browser with the first page, once. */
  async initialize(): Promise<void> {}

  async createSession(sessionId: string): Promise<void> {
    this.#wanted.add(sessionId);
  }

  async closeSession(sessionId: string): Promise<void> {
    this.#last.forget(this.#turn, sessionId);
    await this.#call(sessionId, 'browser_session', { action: 'close' });
  }

  async navigate(sessionId: string, url: string): Promise<Arrival> {
    this.#last.forget(this.#turn, sessionId);
    const go = () => this.#call<Arrival>(sessionId, 'browser_navigate', { url });
    const { output } = await go().catch((thrown: unknown) => {
      // What the session lost with its browser is told once; going somewhere is the way out.
      const isTold = isOrielError(thrown, 'gone') && thrown.details?.['endedGeneration'];
      if (isTold === undefined || isTold === false || this.#turn.signal.aborted) throw thrown;
      return go();
    });
    return { url: output.url, title: output.title, status: output.status };
  }

  async getSnapshot(sessionId: string): Promise<PageSnapshot> {
    const { output, session, page } = await this.#call<{
      readonly url: string;
      readonly title: string;
      readonly tree: readonly TreeNode[];
    }>(sessionId, 'browser_snapshot', { full: true });
    const { url, title, tree } = output;
    const { elements, refs } = toElements(tree);
    this.#last.note(this.#turn, sessionId, { session: session ?? '', page: page ?? '', refs });
    return { url, title, snapshot: toText(title, tree), elements };
  }

  async click(sessionId: string, elementRef: string): Promise<void> {
    await this.#onElement(sessionId, elementRef, 'browser_click', {});
  }

  async typeText(sessionId: string, elementRef: string, text: string): Promise<void> {
    await this.#onElement(sessionId, elementRef, 'browser_type', { text });
  }

  async getText(sessionId: string, elementRef: string): Promise<string> {
    const { output } = await this.#onElement<{ readonly text: string }>(
      sessionId,
      elementRef,
      'browser_read',
      { maxChars: MAX_TEXT_CHARS },
    );
    return output.text;
  }

  async executeJs(sessionId: string, script: string): Promise<unknown> {
    const { output } = await this.#call<{
      readonly value: unknown;
      readonly text: string;
      readonly isTruncated: boolean;
    }>(sessionId, 'browser_evaluate', { function: script, maxBytes: MAX_RESULT_BYTES });
    return output.isTruncated ? output.text : output.value;
  }

  async screenshot(sessionId: string, isFullPage: boolean): Promise<string> {
    const { output } = await this.#call<{ readonly base64: string }>(sessionId, 'octopus_picture', {
      fullPage: isFullPage,
    });
    return output.base64;
  }

  /** The engine and its sessions end with the server. */
  async closeAll(): Promise<void> {}

  /** Calls a tool with an element for its target: the very one that `elements` had, or a refusal. */
  async #onElement<Output = Record<string, unknown>>(
    sessionId: string,
    elementRef: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Made<Output>> {
    const index = indexOf(elementRef);
    if (index === null) {
      const target = selectorOf(elementRef);
      return this.#call<Output>(sessionId, tool, { ...input, target });
    }
    const listed = this.#last.of(this.#turn, sessionId);
    const target = listed?.refs[index];
    if (listed && target !== undefined) {
      const { session, page } = listed;
      return this.#turn.call<Output>(
        tool,
        { ...input, target, page },
        { session: { handle: session } },
      );
    }
    // A session that does not exist is what is wrong then.
    await this.#call(sessionId, 'browser_tabs', { action: 'list' });
    const count = listed?.refs.length;
    throw new OrielError('not_found', `Element not found: ${elementRef}`, {
      hint:
        count === undefined
          ? 'There is no browser_snapshot of this page yet, or the page has changed since: take one.'
          : `The last browser_snapshot has ${count} elements, from @e0.`,
    });
  }

  #call<Output = Record<string, unknown>>(
    sessionId: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Made<Output>> {
    const isMade = this.#wanted.has(sessionId);
    return this.#turn.call<Output>(tool, input, {
      session: { name: sessionId, kind: 'auto', isMade },
    });
  }
}
