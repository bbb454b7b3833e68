import { randomBytes } from 'node:crypto';
import { OrielError } from '../kernel/errors.ts';
import { mintId } from '../kernel/id.ts';
import type { ContextSource } from '../model/engine.ts';
import type { MeantSession, Principal, SessionClass, SessionId } from '../model/session.ts';
import type { OpenPage } from './open-page.ts';
import { PageCap } from './page-cap.ts';
import { Session } from './session.ts';

export interface SessionsOptions {
  readonly contexts: ContextSource;
  readonly max: number;
  readonly maxPages: number;
  /** Pages of the whole process, over which the least recently used one closes; null: no cap. */
  readonly maxPagesTotal?: number | null;
  /** `p1`, `p2`, … in each session, which is the default, or ids that cannot be guessed. */
  readonly pageIds?: 'counted' | 'unique';
  /** Time without a call after which an `auto` session ends; 300,000 by default. */
  readonly idleMs?: number;
  /** How often that is looked at; 0: only by {@link Sessions.sweep}. */
  readonly sweepMs?: number;
  /** Root of a host's session by its id; without one, or for an id it does not know, the id itself. */
  readonly rootOf?: ((id: string) => string | undefined) | undefined;
  /** Milliseconds, for idling; by default a clock that no change of the system's time moves. */
  readonly clock?: () => number;
  readonly onPage: (session: Session, page: OpenPage) => void;
  /** Told of what went wrong while a session ended; it has ended all the same. */
  readonly onProblem?: (problem: string) => void;
}

/** Whose session a call goes to when it names none. */
export interface Owner {
  readonly principal: string;
  readonly connection: string;
  /** Instead of the connection's. */
  readonly session?: MeantSession;
}

/** A handle that acts as its root: it reaches the same pages, and may end alone. */
export interface ChildSession {
  readonly id: SessionId;
  readonly root: Session;
}

/** Every session of this process. Owners reach their own and cannot tell others from none. */
export class Sessions implements AsyncDisposable {
  readonly #options: SessionsOptions;
  readonly #clock: () => number;
  readonly #cap: PageCap;
  readonly #byId = new Map<string, Session>();
  readonly #children = new Map<string, ChildSession>();
  /** By principal and connection, or principal and free-form id. */
  readonly #byName = new Map<string, Session>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#cap = new PageCap(options.maxPagesTotal ?? null, () => this.all);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** All sessions, of every owner; for those who run the process. */
  get all(): readonly Session[] {
    return [...this.#byId.values()];
  }

  /**
   * The root session a call means: by the handle it names, of the root or a child, else the
   * caller's own, made on demand.
   *
   * @throws `not_found`, alike for sessions of others and sessions that never were.
   */
  resolve(owner: Owner, handle: string | undefined): Session {
    if (handle === undefined) return this.#own(owner);
    const session = this.#byId.get(handle) ?? this.#children.get(handle)?.root;
    if (session && session.principal === owner.principal) return session;
    throw new OrielError('not_found', 'There is no session with that handle.', {
      hint: 'Leave out `session` to use your own, or make one with browser_session {"action": "new"}.',
      details: { session: null },
    });
  }

  /** The caller's own session if it has one; makes none. */
  ownOf(owner: Owner): Session | null {
    const { session } = owner;
    if (session && 'name' in session) return this.findNamed(owner, session.name);
    if (session) {
      const known = this.#byId.get(session.handle) ?? this.#children.get(session.handle)?.root;
      return known?.principal === owner.principal ? known : null;
    }
    return this.#byName.get(this.#key(owner, 'connection', owner.connection)) ?? null;
  }

  /** @throws `over_limit` at the cap. */
  create(owner: Owner, name: string | null): Session {
    return this.#add(owner, 'minted', name);
  }

  /**
   * A handle of its own for the session behind `parent`; a child's child has the same root.
   *
   * @throws `not_found` as {@link resolve} does, `over_limit` at the cap.
   */
  createChild(owner: Owner, parent: string): ChildSession {
    const root = this.resolve(owner, parent);
    this.#requireRoom(owner, this.#children.size);
    const child = { id: mintId<'session'>('s'), root };
    this.#children.set(child.id, child);
    return child;
  }

  /**
   * The session that a principal knows by an id of its own choice, made on demand. The id goes
   * through the host's `rootOf`. The same id of another principal is another session.
   *
   * @throws `over_limit` at the cap.
   */
  named(owner: Owner, id: string, kind: SessionClass): Session {
    return this.#named(owner, kind === 'connection' ? 'connection' : 'named', id, kind);
  }

  /** The same without making one. */
  findNamed(owner: Owner, id: string): Session | null {
    return this.#byName.get(this.#key(owner, 'named', id)) ?? null;
  }

  list(owner: Owner): readonly Session[] {
    return this.all.filter((session) => session.principal === owner.principal);
  }

  /** Ends a session with its pages; ending it again is no error. */
  async end(session: Session): Promise<void> {
    this.#byId.delete(session.id);
    for (const [key, own] of this.#byName) if (own === session) this.#byName.delete(key);
    for (const [id, { root }] of this.#children) if (root === session) this.#children.delete(id);
    await session[Symbol.asyncDispose]();
  }

  /**
   * Ends what a handle of the owner stands for: a child alone, or a root with its pages.
   *
   * @returns What has ended; `nothing` for handles of others and those that never were.
   */
  async endHandle(owner: Owner, handle: string): Promise<'child' | 'root' | 'nothing'> {
    const child = this.#children.get(handle);
    if (child?.root.principal === owner.principal) {
      this.#children.delete(handle);
      return 'child';
    }
    const session = this.#byId.get(handle);
    if (session?.principal !== owner.principal) return 'nothing';
    await this.end(session);
    return 'root';
  }

  /**
   * Ends, in one batch, the sessions that a host knows by these ids. Ids of children and ids that
   * have no session are passed over. Never throws.
   *
   * @returns How many sessions have ended.
   */
  async endNamed(owner: Owner, ids: readonly string[]): Promise<number> {
    const ended = new Set<Session>();
    for (const id of ids) {
      if (this.#rootOf(id) !== id) continue;
      for (const space of ['named', 'connection'] as const) {
        const session = this.#byName.get(this.#key(owner, space, id));
        if (session) ended.add(session);
      }
    }
    await Promise.allSettled([...ended].map((session) => this.end(session)));
    return ended.size;
  }

  /** Ends the session that a connection had for its own, when the connection ends. */
  async endConnection(owner: Owner): Promise<void> {
    if (this.#rootOf(owner.connection) !== owner.connection) return;
    const session = this.ownOf(owner);
    if (session) await this.end(session);
  }

  /**
   * Ends the `auto` sessions that have been idle for too long, and none that a call is using.
   *
   * @returns How many.
   */
  async sweep(): Promise<number> {
    const idle = this.#idle();
    await Promise.allSettled(idle.map((session) => this.end(session)));
    return idle.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.allSettled(this.all.map((session) => this.end(session)));
  }

  #own(owner: Owner): Session {
    const { session } = owner;
    if (session === undefined) return this.#named(owner, 'connection', owner.connection);
    if ('handle' in session) return this.resolve(owner, session.handle);
    if (session.isMade) return this.named(owner, session.name, session.kind);
    const known = this.findNamed(owner, session.name);
    if (known) return known;
    throw new OrielError(
      'not_found',
      `There is no session ${JSON.stringify(session.name.slice(0, 80))}.`,
      {
        hint: 'It has ended, or never was; open a page to make it.',
        details: { session: null },
      },
    );
  }

  #idle(): Session[] {
    const before = this.#clock() - (this.#options.idleMs ?? 300_000);
    return this.all.filter(
      (session) => session.kind === 'auto' && !session.isInUse && session.lastUsedAt <= before,
    );
  }

  #rootOf(id: string): string {
    return this.#options.rootOf?.(id) ?? id;
  }

  #key(owner: Owner, space: 'connection' | 'named', id: string): string {
    return JSON.stringify([owner.principal, space, this.#rootOf(id)]);
  }

  #named(
    owner: Owner,
    space: 'connection' | 'named',
    id: string,
    kind: SessionClass = 'connection',
  ): Session {
    const key = this.#key(owner, space, id);
    const known = this.#byName.get(key);
    if (known) return known;
    const session = this.#add(owner, kind, space === 'named' ? this.#rootOf(id) : null);
    this.#byName.set(key, session);
    return session;
  }

  #add(owner: Owner, kind: SessionClass, name: string | null): Session {
    if (this.#byId.size >= this.#options.max) {
      // What has been idle for too long makes room at once; its pages close behind it.
      for (const session of this.#idle()) void this.end(session);
    }
    this.#requireRoom(owner, this.#byId.size);
    const session = new Session({
      id: mintId<'session'>('s'),
      key: sessionKey(),
      principal: owner.principal as Principal,
      kind,
      name,
      maxPages: this.#options.maxPages,
      pageIds: this.#options.pageIds ?? 'counted',
      cap: this.#cap,
      clock: this.#clock,
      contexts: this.#options.contexts,
      onPage: this.#options.onPage,
      onProblem: this.#options.onProblem ?? (() => {}),
    });
    this.#byId.set(session.id, session);
    if (kind === 'auto') this.#sweepRegularly();
    return session;
  }

  #requireRoom(owner: Owner, count: number): void {
    if (count < this.#options.max) return;
    const yours = this.list(owner)
      .map((session) => `${session.id}${session.name === null ? '' : ` (${session.name})`}`)
      .slice(0, 20);
    throw new OrielError('over_limit', `There are ${count} sessions, the most this server keeps.`, {
      hint:
        yours.length > 0
          ? `Close one with browser_session {"action": "close", "session": …}: ${yours.join(', ')}.`
          : 'None of them is yours to close; try again later.',
      details: { max: this.#options.max },
    });
  }

  #sweepRegularly(): void {
    const everyMs = this.#options.sweepMs ?? 0;
    if (everyMs === 0 || this.#sweeping) return;
    this.#sweeping = setInterval(() => void this.sweep(), everyMs);
    this.#sweeping.unref();
  }
}

function sessionKey(): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/\D/g, '');
  return `${stamp}-${randomBytes(4).toString('hex')}`;
}
