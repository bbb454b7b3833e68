import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { HttpCredentials, PageSettings, SessionSettings } from '../model/emulation.ts';
import { doing } from './doing.ts';
import { applyMetrics, metricsOf, type Metrics } from './metrics.ts';
import { applySettings } from './page-settings.ts';
import { Routes } from './routes.ts';

interface StagedPage {
  readonly page: Page;
  readonly id: string;
  readonly cdp: Promise<CDPSession | null>;
  readonly plain: Metrics;
  own: PageSettings;
  applied: PageSettings;
  hasOwnViewport: boolean;
  ready: Promise<void>;
}

export type ClockAction =
  | { readonly kind: 'fixed' | 'install'; readonly at: number }
  | { readonly kind: 'fastForward'; readonly ms: number }
  | { readonly kind: 'resume' };

/** What one context has been made to be: everything that is set is listed, and cleared at once. */
export class Stage {
  readonly routes: Routes;
  readonly #context: BrowserContext;
  readonly #pages = new Map<Page, StagedPage>();
  #shared: PageSettings = {};
  #session: SessionSettings = {};
  #credentials: readonly HttpCredentials[] = [];
  #clock: string | null = null;
  #isClockInstalled = false;

  constructor(context: BrowserContext) {
    this.#context = context;
    this.routes = new Routes(context);
  }

  /** Takes a page in; it becomes what the session is by the time {@link ready} resolves. */
  enter(page: Page, id: string, cdp: Promise<CDPSession | null>): void {
    const plain = metricsOf(page) ?? {
      width: 1280,
      height: 720,
      deviceScaleFactor: 1,
      isMobile: false,
    };
    const staged: StagedPage = {
      page,
      id,
      cdp,
      plain,
      own: {},
      applied: {},
      hasOwnViewport: false,
      ready: Promise.resolve(),
    };
    this.#pages.set(page, staged);
    page.on('close', () => this.#pages.delete(page));
    if (Object.keys(this.#shared).length > 0) {
      staged.ready = this.#apply(staged).catch(() => {});
    }
  }

  ready(page: Page): Promise<void> {
    return this.#pages.get(page)?.ready ?? Promise.resolve();
  }

  /** Sets what is given for one page, or for all that are and will be; the rest stays. */
  async set(settings: PageSettings, only: Page | null, signal: AbortSignal): Promise<void> {
    const given = Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== undefined),
    ) as PageSettings;
    if (Object.keys(given).length === 0) return;
    const targets = only ? [this.#staged(only)] : [...this.#pages.values()];
    if (only) {
      const staged = this.#staged(only);
      staged.own = { ...staged.own, ...given };
    } else {
      this.#shared = { ...this.#shared, ...given };
    }
    await doing('emulation', signal, async () => {
      for (const staged of targets) await this.#apply(staged);
    });
  }

  /** @throws `bad_input` for a permission that does not exist. */
  async setSession(settings: SessionSettings, signal: AbortSignal): Promise<void> {
    const { geolocation, permissions, offline, httpCredentials } = settings;
    await doing('emulation', signal, async () => {
      if (permissions) await this.#grant(permissions);
      if (geolocation) {
        const { accuracy, ...place } = geolocation;
        await this.#context.setGeolocation({
          ...place,
          ...(accuracy === undefined ? {} : { accuracy }),
        });
        this.#session = { ...this.#session, geolocation };
      }
      if (httpCredentials) {
        const others = this.#credentials.filter(({ origin }) => origin !== httpCredentials.origin);
        this.#credentials = [...others, httpCredentials];
        await this.#context.setHTTPCredentials([...this.#credentials]);
      }
      if (offline !== undefined) await this.#setOffline(offline);
    });
  }

  /** Gives one page another size, keeping the rest of its screen. */
  async setViewport(
    page: Page,
    size: { readonly width: number; readonly height: number },
    signal: AbortSignal,
  ): Promise<void> {
    const staged = this.#staged(page);
    await doing('resize', signal, async () => {
      const now = metricsOf(page) ?? staged.plain;
      await applyMetrics(page, await session(staged), { ...now, ...size });
    });
    staged.hasOwnViewport = true;
  }

  async setClock(action: ClockAction, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    await doing('clock', signal, async () => {
      switch (action.kind) {
        case 'fixed':
          await clock.setFixedTime(action.at);
          this.#clock = `clock fixed at ${new Date(action.at).toISOString()}`;
          break;
        case 'install':
          await clock.install({ time: action.at });
          this.#clock = `clock set to ${new Date(action.at).toISOString()}`;
          break;
        case 'fastForward':
          if (!this.#isClockInstalled) await clock.install();
          await clock.fastForward(action.ms);
          this.#clock = `${this.#clock ?? 'clock'} +${action.ms} ms`;
          break;
        case 'resume':
          await clock.resume();
          this.#clock = null;
          break;
      }
      this.#isClockInstalled = true;
    });
  }

  /** Puts everything back. @returns What had been set. */
  async clear(signal: AbortSignal): Promise<string[]> {
    const was = this.list();
    await doing('clear', signal, async () => {
      this.#shared = {};
      for (const staged of this.#pages.values()) {
        staged.own = {};
        await this.#apply(staged);
        if (!staged.hasOwnViewport) continue;
        await applyMetrics(staged.page, await session(staged), staged.plain);
        staged.hasOwnViewport = false;
      }
      await this.routes.clear(undefined);
      if (this.#session.geolocation) await this.#context.setGeolocation(null);
      if (this.#session.permissions) await this.#context.clearPermissions();
      if (this.#session.offline) await this.#setOffline(false);
      if (this.#credentials.length > 0) await this.#context.setHTTPCredentials(null);
      this.#session = {};
      this.#credentials = [];
      if (this.#clock !== null) {
        await this.#context.clock.setSystemTime(Date.now());
        await this.#context.clock.resume();
        this.#clock = null;
      }
    });
    return was;
  }

  /** What is set, in words for a person; values that may be secret are left out. */
  list(): string[] {
    const { geolocation, permissions, offline } = this.#session;
    const pages = [...this.#pages.values()];
    return [
      ...describeSettings(this.#shared),
      ...pages.flatMap(({ id, own }) => describeSettings(own).map((line) => `${line} (${id})`)),
      ...pages
        .filter(({ hasOwnViewport }) => hasOwnViewport)
        .map(({ id, page }) => {
          const size = page.viewportSize();
          return `viewport ${size?.width}x${size?.height} (${id})`;
        }),
      ...(geolocation ? [`geolocation ${geolocation.latitude}, ${geolocation.longitude}`] : []),
      ...(permissions ? [`permissions ${permissions.join(', ')}`] : []),
      ...(offline ? ['offline'] : []),
      ...this.#credentials.map(({ origin }) => `HTTP credentials for ${origin}`),
      ...this.routes
        .list()
        .map(({ id, kind, pattern, hits }) => `route ${id}: ${kind} ${pattern} (${hits} requests)`),
      ...(this.#clock ? [this.#clock] : []),
    ];
  }

  async #grant(permissions: readonly string[]): Promise<void> {
    try {
      await this.#context.clearPermissions();
      await this.#context.grantPermissions([...permissions]);
      this.#session = { ...this.#session, permissions };
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : '';
      const name = /Unknown permission: (\S+)/.exec(text)?.[1];
      if (name === undefined) throw cause;
      throw new OrielError('bad_input', `There is no permission ${JSON.stringify(name)}.`, {
        hint: 'For example: geolocation, notifications, camera, microphone, clipboard-read.',
        cause,
      });
    }
  }

  async #setOffline(isOffline: boolean): Promise<void> {
    await this.#context.setOffline(isOffline);
    this.#session = { ...this.#session, offline: isOffline };
    for (const staged of this.#pages.values()) {
      if (staged.applied.line) await this.#apply(staged);
    }
  }

  async #apply(staged: StagedPage): Promise<void> {
    const next = { ...this.#shared, ...staged.own };
    if (Object.keys(next).length === 0 && Object.keys(staged.applied).length === 0) return;
    await applySettings(staged.page, await session(staged), staged.applied, next, {
      isOffline: this.#session.offline ?? false,
      plain: staged.plain,
    });
    staged.applied = next;
  }

  #staged(page: Page): StagedPage {
    const staged = this.#pages.get(page);
    if (!staged) throw pageGone();
    return staged;
  }
}

async function session(staged: StagedPage): Promise<CDPSession> {
  const cdp = await staged.cdp;
  if (!cdp) throw pageGone();
  return cdp;
}

function pageGone(): OrielError {
  return new OrielError('gone', 'The page closed before it could be set up.', {
    hint: 'List what is open with browser_tabs {"action": "list"}.',
  });
}

function describeSettings(settings: PageSettings): string[] {
  const { device, line, extraHeaders, ...plain } = settings;
  const words = Object.entries(plain).map(([name, value]) => `${name} ${String(value)}`);
  return [
    ...(device ? [`device ${device.name}`] : []),
    ...words,
    ...(line
      ? [
          `network ${Object.entries(line)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')}`,
        ]
      : []),
    ...(extraHeaders ? [`headers ${Object.keys(extraHeaders).join(', ')}`] : []),
  ];
}
