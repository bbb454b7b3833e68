import { within } from '../../kernel/deadline.ts';
import { isOrielError, OrielError } from '../../kernel/errors.ts';
import type { SessionRun } from '../../tool/declaration.ts';
import type { OctopusBackend } from './backend.ts';

type Session = SessionRun['session'];

/**
 * Sessions of a backend that a host has handed in. Each belongs to one of ours, which counts it,
 * lets it idle and keeps it to its owner; it ends with that one.
 */
export class HostedSessions {
  readonly #backend: OctopusBackend;
  readonly #stop = new AbortController();
  readonly #made = new WeakMap<Session, Promise<string>>();
  #ready: Promise<void> | null = null;

  constructor(backend: OctopusBackend) {
    this.#backend = backend;
  }

  /**
   * Works on the backend's session that belongs to ours, made at need. The backend knows it by our
   * key: ids that agents choose are unique for their own principal only.
   *
   * @throws OrielError; what the backend throws besides is `upstream`.
   */
  async use<T>(
    { session, signal }: SessionRun,
    work: (backend: OctopusBackend, id: string) => Promise<T>,
  ): Promise<T> {
    try {
      const id = await within(signal, this.#enter(session));
      return await work(this.#backend, id);
    } catch (thrown) {
      signal.throwIfAborted();
      if (isOrielError(thrown)) throw thrown;
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      throw new OrielError('upstream', 'The browser backend failed.', {
        hint: 'Try again, or open the page anew with browser_navigate.',
        pageText: text.slice(0, 2_000),
        cause: thrown,
      });
    }
  }

  /** Ends all that the backend has. */
  async end(): Promise<void> {
    this.#stop.abort();
    if (!this.#ready) return;
    await this.#ready.catch(() => {});
    await this.#backend.closeAll();
  }

  #enter(session: Session): Promise<string> {
    const known = this.#made.get(session);
    if (known) return known;
    const made = this.#make(session);
    this.#made.set(session, made);
    // What was not made can be tried again.
    made.catch(() => this.#made.delete(session));
    return made;
  }

  /** Callers share it, so it does not end with the first of them. */
  async #make(session: Session): Promise<string> {
    await this.#initialized();
    await this.#backend.createSession(session.key, this.#stop.signal);
    session.onEnd(() => this.#backend.closeSession(session.key));
    return session.key;
  }

  async #initialized(): Promise<void> {
    this.#ready ??= this.#backend.initialize(this.#stop.signal);
    try {
      await this.#ready;
    } catch (thrown) {
      this.#ready = null;
      throw thrown;
    }
  }
}
