import type { CDPSession, Page } from 'playwright-core';

/** Events that make an element something to click. */
const CLICKS = new Set([
  'click',
  'mousedown',
  'mouseup',
  'pointerdown',
  'pointerup',
  'dblclick',
  'touchend',
]);
/** Elements that are asked about in one go; the rest follows with the next snapshot. */
const MAX_NEW = 400;

interface Context {
  readonly id: number;
  readonly uniqueId: string;
  readonly frameId: string;
}

interface Listener {
  readonly type: string;
  readonly backendNodeId?: number;
}

interface Tree {
  readonly objectId: string;
  readonly depth: number;
}

interface DocumentMemory {
  readonly known: Set<number>;
}

/**
 * What only the browser's own debugger knows: click listeners, closed shadow trees, and a way to
 * wait inside the lens's world. One session a page, opened at first need. Everything here is an
 * extra: where it fails the lens sees a little less.
 */
export class Sight {
  readonly #page: Page;
  #session: Promise<CDPSession | undefined> | undefined;
  #contexts = new Map<string, Context>();
  /** The page's own world of each frame, by frame. */
  readonly #ownWorlds = new Map<string, Context>();
  readonly #memory = new Map<string, DocumentMemory>();
  #mainFrameId = '';

  constructor(page: Page) {
    this.#page = page;
  }

  async #open(): Promise<CDPSession | undefined> {
    return (this.#session ??= this.#connect());
  }

  async #connect(): Promise<CDPSession | undefined> {
    try {
      const session = await this.#page.context().newCDPSession(this.#page);
      session.on('Runtime.executionContextCreated', ({ context }) => {
        const aux = context.auxData as { frameId?: string; isDefault?: boolean } | undefined;
        if (aux?.isDefault && aux.frameId) {
          this.#ownWorlds.set(aux.frameId, {
            id: context.id,
            uniqueId: context.uniqueId,
            frameId: aux.frameId,
          });
        }
        if (!context.name.includes('utility') || !aux?.frameId) return;
        this.#contexts.set(context.uniqueId, {
          id: context.id,
          uniqueId: context.uniqueId,
          frameId: aux.frameId,
        });
      });
      session.on('Runtime.executionContextDestroyed', (event) => {
        const id = (event as { executionContextUniqueId?: string }).executionContextUniqueId;
        if (id) {
          this.#contexts.delete(id);
          this.#memory.delete(id);
        }
      });
      session.on('Runtime.executionContextsCleared', () => {
        this.#contexts.clear();
        this.#ownWorlds.clear();
        this.#memory.clear();
      });
      const [, tree] = await Promise.all([
        session.send('Runtime.enable'),
        session.send('Page.getFrameTree'),
      ]);
      this.#mainFrameId = tree.frameTree.frame.id;
      return session;
    } catch {
      return undefined;
    }
  }

  #main(): Context | undefined {
    let found: Context | undefined;
    for (const context of this.#contexts.values())
      if (context.frameId === this.#mainFrameId) found = context;
    return found;
  }

  /** Opens the session ahead of need; never fails. */
  async warm(): Promise<void> {
    await this.#open();
  }

  /**
   * Waits in the page until it is quiet; undefined when the document went away meanwhile or the
   * debugger is not to be had.
   */
  async quiet(
    quietMs: number,
    budgetMs: number,
    isBusy: boolean,
  ): Promise<'idle' | 'quiet' | 'budget' | undefined> {
    const session = await this.#open();
    const context = this.#main();
    if (!session || !context) return undefined;
    try {
      const { result } = await session.send('Runtime.evaluate', {
        uniqueContextId: context.uniqueId,
        awaitPromise: true,
        returnByValue: true,
        expression: `globalThis.orielLens?.quiet(${quietMs}, ${budgetMs}, ${isBusy})`,
      });
      const value: unknown = result.value;
      return value === 'idle' || value === 'quiet' || value === 'budget' ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Tells the lens of each frame of this process which elements have click listeners of their own.
   * Listeners on the document, the root and the body are delegation and do not count. Gives true
   * when something was learnt that a scan would show.
   */
  async learnListeners(): Promise<boolean> {
    const session = await this.#open();
    if (!session) return false;
    const results = await Promise.all(
      [...this.#contexts.values()].map((context) => this.#learn(session, context)),
    );
    await session.send('Runtime.releaseObjectGroup', { objectGroup: LISTENERS }).catch(() => {});
    return results.includes(true);
  }

  async #learn(session: CDPSession, context: Context): Promise<boolean> {
    try {
      const trees = await this.#trees(session, context);
      if (trees.length === 0) return false;
      let memory = this.#memory.get(context.uniqueId);
      if (!memory) this.#memory.set(context.uniqueId, (memory = { known: new Set() }));
      const fresh: number[] = [];
      for (const listeners of await Promise.all(trees.map((tree) => listenersIn(session, tree)))) {
        for (const { backendNodeId: id, type } of listeners) {
          if (id === undefined || !CLICKS.has(type) || memory.known.has(id)) continue;
          if (fresh.length >= MAX_NEW) break;
          memory.known.add(id);
          fresh.push(id);
        }
      }
      if (fresh.length === 0) return false;
      const told = await Promise.all(fresh.map((id) => this.#tell(session, context.id, id)));
      return told.includes(true);
    } catch {
      return false;
    }
  }

  /** The debugger's objects for the parts of a document, frames left out. */
  async #trees(session: CDPSession, context: Context): Promise<Tree[]> {
    const { result } = await session.send('Runtime.evaluate', {
      uniqueContextId: context.uniqueId,
      objectGroup: LISTENERS,
      expression: 'globalThis.orielLens ? orielLens.trees() : null',
    });
    if (!result.objectId) return [];
    const list = await session.send('Runtime.getProperties', {
      objectId: result.objectId,
      ownProperties: true,
    });
    const trees: Promise<Tree | undefined>[] = [];
    let depth = -1;
    for (const { value } of list.result) {
      if (value?.subtype === 'null') depth = 1;
      else if (value?.subtype === 'node' && value.objectId)
        trees.push(this.#inOwnWorld(session, context.frameId, { objectId: value.objectId, depth }));
    }
    return (await Promise.all(trees)).filter((tree) => tree !== undefined);
  }

  /** The same part as an object of the page's own world; undefined where that is not known. */
  async #inOwnWorld(
    session: CDPSession,
    frameId: string,
    { objectId, depth }: Tree,
  ): Promise<Tree | undefined> {
    const world = this.#ownWorlds.get(frameId);
    if (!world) return undefined;
    const { node } = await session.send('DOM.describeNode', { objectId });
    const { object } = await session.send('DOM.resolveNode', {
      backendNodeId: node.backendNodeId,
      executionContextId: world.id,
      objectGroup: LISTENERS,
    });
    return object.objectId ? { objectId: object.objectId, depth } : undefined;
  }

  async #tell(
    session: CDPSession,
    executionContextId: number,
    backendNodeId: number,
  ): Promise<boolean> {
    try {
      const { object } = await session.send('DOM.resolveNode', {
        backendNodeId,
        executionContextId,
      });
      if (!object.objectId) return false;
      const { result } = await session.send('Runtime.callFunctionOn', {
        objectId: object.objectId,
        functionDeclaration:
          'function () { if (this.nodeType !== 1 || this === document.body || this === document.documentElement) return false; globalThis.orielLens.markClickable(this); return true; }',
        returnByValue: true,
      });
      await session.send('Runtime.releaseObject', { objectId: object.objectId });
      return result.value === true;
    } catch {
      return false;
    }
  }

  /** Finds out which of the elements the last scan wondered about hide a closed shadow tree. */
  async learnClosedRoots(): Promise<boolean> {
    const session = await this.#open();
    if (!session) return false;
    const results = await Promise.all(
      [...this.#contexts.values()].map((context) => this.#closedRoots(session, context)),
    );
    return results.includes(true);
  }

  async #closedRoots(session: CDPSession, context: Context): Promise<boolean> {
    try {
      const list = await session.send('Runtime.evaluate', {
        uniqueContextId: context.uniqueId,
        expression: '[...(globalThis.orielLens?.suspects ?? [])].slice(0, 50)',
      });
      if (!list.result.objectId) return false;
      const { result } = await session.send('Runtime.getProperties', {
        objectId: list.result.objectId,
        ownProperties: true,
      });
      const told = await Promise.all(
        result.map(async ({ value }) => {
          if (value?.subtype !== 'node' || !value.objectId) return false;
          const { node } = await session.send('DOM.describeNode', {
            objectId: value.objectId,
            depth: 1,
            pierce: true,
          });
          const isClosed =
            node.shadowRoots?.some((root) => root.shadowRootType === 'closed') ?? false;
          await session.send('Runtime.callFunctionOn', {
            objectId: value.objectId,
            functionDeclaration: `function () { globalThis.orielLens.${isClosed ? 'markClosed' : 'markPlain'}(this); }`,
          });
          return isClosed;
        }),
      );
      await session.send('Runtime.releaseObject', { objectId: list.result.objectId });
      return told.includes(true);
    } catch {
      return false;
    }
  }
}

/**
 * Asked for an object of the page's own world: an object of another crashes the page later on. And
 * `pierce`, which shadow trees need, must not reach into a frame: that leaves the frame's nodes
 * with the classes of this window (see docs/discoveries/lens-foreign-wrappers.md).
 */
async function listenersIn(session: CDPSession, tree: Tree): Promise<readonly Listener[]> {
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    ...tree,
    pierce: true,
  });
  return listeners;
}

const LISTENERS = 'oriel-listeners';
