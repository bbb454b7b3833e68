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
  /** The page's own world in each frame, by frame id. */
  readonly #pageWorlds = new Map<string, { id: number; uniqueId: string }>();
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
        if (aux?.frameId && aux.isDefault) {
          this.#pageWorlds.set(aux.frameId, { id: context.id, uniqueId: context.uniqueId });
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
        this.#pageWorlds.clear();
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
      if (!(await this.#hasLens(session, context))) return false;
      const listeners = await this.#listeners(session, context);
      let memory = this.#memory.get(context.uniqueId);
      if (!memory) this.#memory.set(context.uniqueId, (memory = { known: new Set() }));
      const fresh: number[] = [];
      for (const { backendNodeId: id, type } of listeners) {
        if (id === undefined || !CLICKS.has(type) || memory.known.has(id)) continue;
        if (fresh.length >= MAX_NEW) break;
        memory.known.add(id);
        fresh.push(id);
      }
      if (fresh.length === 0) return false;
      const told = await Promise.all(fresh.map((id) => this.#tell(session, context.id, id)));
      return told.includes(true);
    } catch {
      return false;
    }
  }

  /**
   * Asked of the page's own world and without `pierce`: what pierces gives nodes wrappers of the
   * wrong world, and after some such looks the renderer crashes (see
   * docs/discoveries/lens-listeners.md).
   */
  async #listeners(session: CDPSession, context: Context): Promise<readonly Listener[]> {
    const pageWorld = this.#pageWorlds.get(context.frameId);
    if (!pageWorld) return [];
    const { result } = await session.send('Runtime.evaluate', {
      uniqueContextId: pageWorld.uniqueId,
      objectGroup: LISTENERS,
      expression: 'document',
    });
    const roots = [result.objectId, ...(await this.#shadowRoots(session, context, pageWorld.id))];
    const found = await Promise.all(
      roots.map(async (objectId) => {
        if (!objectId) return [];
        const reply = await session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
        return reply.listeners;
      }),
    );
    return found.flat();
  }

  /** Open shadow trees as the page's own world knows them. */
  async #shadowRoots(
    session: CDPSession,
    context: Context,
    executionContextId: number,
  ): Promise<(string | undefined)[]> {
    const list = await session.send('Runtime.evaluate', {
      uniqueContextId: context.uniqueId,
      objectGroup: LISTENERS,
      expression: 'orielLens.shadowRoots()',
    });
    if (!list.result.objectId) return [];
    const { result } = await session.send('Runtime.getProperties', {
      objectId: list.result.objectId,
      ownProperties: true,
    });
    return Promise.all(
      result.map(async ({ value }) => {
        if (value?.subtype !== 'node' || !value.objectId) return undefined;
        const { node } = await session.send('DOM.describeNode', { objectId: value.objectId });
        const { object } = await session.send('DOM.resolveNode', {
          backendNodeId: node.backendNodeId,
          executionContextId,
          objectGroup: LISTENERS,
        });
        return object.objectId;
      }),
    );
  }

  /** Whether the lens has looked into that world already; before, there is nobody to tell. */
  async #hasLens(session: CDPSession, context: Context): Promise<boolean> {
    const { result } = await session.send('Runtime.evaluate', {
      uniqueContextId: context.uniqueId,
      expression: 'Boolean(globalThis.orielLens)',
      returnByValue: true,
    });
    return result.value === true;
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

const LISTENERS = 'oriel-listeners';
