import { isOrielError } from '../../kernel/errors.ts';
import type { Turn } from '../turn.ts';
import type { Arrival, OctopusBackend, PageElement, PageSnapshot } from './backend.ts';

/** A backend of the host in one turn: each thing that it does is a call of one of `hostedTools`. */
export class HostedBackend implements OctopusBackend {
  readonly #turn: Turn;
  /** Sessions that their next call makes: one that is refused makes none. */
  readonly #wanted = new Set<string>();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** Done once for all turns, by the first call. */
  async initialize(): Promise<void> {}

  async createSession(sessionId: string): Promise<void> {
    this.#wanted.add(sessionId);
  }

  /** The backend's session ends with ours. */
  async closeSession(sessionId: string): Promise<void> {
    await this.#call(sessionId, 'browser_session', { action: 'close' });
  }

  async navigate(sessionId: string, url: string): Promise<Arrival> {
    const arrival = await this.#call<Arrival>(sessionId, 'octopus_backend_navigate', { url });
    this.#turn.quote(arrival.url);
    return arrival;
  }

  async getSnapshot(sessionId: string): Promise<PageSnapshot> {
    const seen = await this.#call<
      Omit<PageSnapshot, 'elements'> & { readonly elements: PageElement[] }
    >(sessionId, 'octopus_backend_snapshot', {});
    this.#turn.quote(seen.url);
    return seen;
  }

  async click(sessionId: string, elementRef: string): Promise<void> {
    await this.#call(sessionId, 'octopus_backend_click', { elementRef });
  }

  async typeText(sessionId: string, elementRef: string, text: string): Promise<void> {
    await this.#call(sessionId, 'octopus_backend_type', { elementRef, text });
  }

  async getText(sessionId: string, elementRef: string): Promise<string> {
    const { text } = await this.#call<{ readonly text: string }>(
      sessionId,
      'octopus_backend_get_text',
      { elementRef },
    );
    this.#turn.quote('');
    return text;
  }

  async executeJs(sessionId: string, script: string): Promise<unknown> {
    const { result } = await this.#call<{ readonly result: unknown }>(
      sessionId,
      'octopus_backend_execute_js',
      { script },
    );
    this.#turn.quote('');
    return result;
  }

  async screenshot(sessionId: string, isFullPage: boolean): Promise<string> {
    const { base64 } = await this.#call<{ readonly base64: string }>(
      sessionId,
      'octopus_backend_screenshot',
      { fullPage: isFullPage },
    );
    return base64;
  }

  /** Ends with the server. */
  async closeAll(): Promise<void> {}

  async #call<Output = Record<string, unknown>>(
    sessionId: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Output> {
    const isMade = this.#wanted.has(sessionId);
    const session = { name: sessionId, kind: 'auto', isMade } as const;
    try {
      return (await this.#turn.call<Output>(tool, input, { session })).output;
    } catch (thrown) {
      if (isOrielError(thrown) && thrown.pageText !== undefined) this.#turn.quote('');
      throw thrown;
    }
  }
}
