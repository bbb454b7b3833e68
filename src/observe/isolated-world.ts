import type { CDPSession } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { firstLine, OrielError } from '../kernel/errors.ts';

const WORLD = 'oriel-observe';

/**
 * A world of our own in one frame of a page: it shares the DOM with the page and nothing else, so
 * the page neither sees what runs there nor can lie to it by patching its own globals. The world
 * lasts as long as the frame's document.
 */
export class IsolatedWorld {
  readonly #cdp: CDPSession;
  readonly #contextId: number;

  private constructor(cdp: CDPSession, contextId: number) {
    this.#cdp = cdp;
    this.#contextId = contextId;
  }

  /** @param frameId - CDP id of the frame; the main frame of the session without it. */
  static async open(
    cdp: CDPSession,
    frameId: string | null,
    signal: AbortSignal,
  ): Promise<IsolatedWorld> {
    const id = frameId ?? (await within(signal, cdp.send('Page.getFrameTree'))).frameTree.frame.id;
    const { executionContextId } = await within(
      signal,
      cdp.send('Page.createIsolatedWorld', { frameId: id, worldName: WORLD }),
    );
    return new IsolatedWorld(cdp, executionContextId);
  }

  /**
   * Runs script of ours and returns its value, awaited.
   *
   * @throws `upstream` when it throws.
   */
  async run<T>(expression: string, signal: AbortSignal): Promise<T> {
    const answer = await within(
      signal,
      this.#cdp.send('Runtime.evaluate', {
        contextId: this.#contextId,
        expression,
        returnByValue: true,
        awaitPromise: true,
      }),
    );
    if (answer.exceptionDetails) {
      const { exception, text } = answer.exceptionDetails;
      throw new OrielError('upstream', 'The page could not be examined.', {
        hint: 'Wait until the page has loaded, then try again.',
        pageText: firstLine(exception?.description ?? text),
      });
    }
    return answer.result.value as T;
  }
}
