import { randomBytes } from 'node:crypto';
import { OrielError } from '../kernel/errors.ts';
import { mintId } from '../kernel/id.ts';
import type { ContextSource } from '../model/engine.ts';
import type { Principal, SessionClass } from '../model/session.ts';
import type { OpenPage } from './open-page.ts';
import { Session } from './session.ts';

export interface SessionsOptions {
  readonly contexts: ContextSource;
  readonly max: number;
  readonly maxPages: number;
  readonly onPage: (session: Session, page: OpenPage) => void;
}

/** Whose session a call goes to when it names none. */
export interface Owner {
  readonly principal: string;
  readonly connection: string;
}

/** Every session of this process. Owners reach their own and cannot tell others from none. */
export class Sessions implements AsyncDisposable {
  readonly #options: SessionsOptions;
  readonly #byId = new Map<string, Session>();
  readonly #byConnection = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** All sessions, of every owner; for those who run the process. */
  get all(): readonly Session[] {
    return [...this.#byId.values()];
  }

  /**
   * The session a call means: the one it names, else the caller's own, made on demand.
   *
   * @throws `not_found`, alike for sessions of others and sessions that never were.
   */
  resolve(owner: Owner, handle: string | undefined): Session {
    if (handle === undefined) return this.#own(owner);
    const session = this.#byId.get(handle);
    if (session && session.principal === owner.principal) return session;
    throw new OrielError('not_found', 'There is no session with that handle.', {
      hint: 'Leave out `session` to use your own, or make one with browser_session {"action": "new"}.',
    });
  }

  /** The caller's own session if it has one; makes none. */
  ownOf(owner: Owner): Session | null {
    return this.#byConnection.get(connectionKey(owner)) ?? null;
  }

  /** @throws `over_limit` at the cap. */
  create(owner: Owner, name: string | null): Session {
    return this.#add(owner, 'minted', name);
  }

  list(owner: Owner): readonly Session[] {
    return this.all.filter((session) => session.principal === owner.principal);
  }

  /** Ends a session with its pages; ending it again is no error. */
  async end(session: Session): Promise<void> {
    this.#byId.delete(session.id);
    for (const [key, own] of this.#byConnection) {
      if (own === session) this.#byConnection.delete(key);
    }
    await session[Symbol.asyncDispose]();
  }

  /** Ends the session that a connection had for its own, when the connection ends. */
  async endConnection(owner: Owner): Promise<void> {
    const session = this.ownOf(owner);
    if (session) await this.end(session);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.all.map((session) => this.end(session)));
  }

  #own(owner: Owner): Session {
    const key = connectionKey(owner);
    const known = this.#byConnection.get(key);
    if (known) return known;
    const session = this.#add(owner, 'connection', null);
    this.#byConnection.set(key, session);
    return session;
  }

  #add(owner: Owner, kind: SessionClass, name: string | null): Session {
    if (this.#byId.size >= this.#options.max) {
      throw new OrielError(
        'over_limit',
        `There are ${this.#byId.size} sessions, the most this server keeps.`,
        { hint: 'Close one with browser_session {"action": "close", "session": …}.' },
      );
    }
    const session = new Session({
      id: mintId<'session'>('s'),
      key: sessionKey(),
      principal: owner.principal as Principal,
      kind,
      name,
      maxPages: this.#options.maxPages,
      contexts: this.#options.contexts,
      onPage: this.#options.onPage,
    });
    this.#byId.set(session.id, session);
    return session;
  }
}

function connectionKey(owner: Owner): string {
  return JSON.stringify([owner.principal, owner.connection]);
}

function sessionKey(): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/\D/g, '');
  return `${stamp}-${randomBytes(4).toString('hex')}`;
}
