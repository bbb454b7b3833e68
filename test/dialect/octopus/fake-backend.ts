import type { Browser, ElementHandle, Page } from 'playwright-core';
import type {
  Arrival,
  OctopusBackend,
  PageElement,
  PageSnapshot,
} from '../../../src/dialect/octopus/backend.ts';
import { launchTestBrowser } from '../../harness/test-browser.ts';

const ACTABLE = 'a, button, input, select, textarea, [role=button], [onclick]';
const WAIT_MS = 2_000;

interface Seat {
  readonly page: Page;
  listed: readonly ElementHandle[];
}

/** A backend that has nothing of ours: a browser somewhere else, driven by Playwright alone. */
export class FakeBackend implements OctopusBackend {
  /** What it was asked for, by the names of its methods. */
  readonly asked: string[] = [];
  readonly #seats = new Map<string, Seat>();
  #browser: Browser | null = null;
  /** Thrown by the next call, once. */
  failure: Error | null = null;

  get openSessions(): readonly string[] {
    return [...this.#seats.keys()];
  }

  get isRunning(): boolean {
    return this.#browser?.isConnected() === true;
  }

  async initialize(): Promise<void> {
    this.#note('initialize');
    this.#browser = await launchTestBrowser();
  }

  async createSession(sessionId: string): Promise<void> {
    this.#note('createSession');
    const context = await this.#browser?.newContext({ viewport: { width: 1280, height: 720 } });
    if (!context) throw new Error('not initialized');
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    this.#seats.set(sessionId, { page, listed: [] });
  }

  async closeSession(sessionId: string): Promise<void> {
    this.#note('closeSession');
    const seat = this.#seats.get(sessionId);
    this.#seats.delete(sessionId);
    await seat?.page.context().close();
  }

  async navigate(sessionId: string, url: string): Promise<Arrival> {
    this.#note('navigate');
    const seat = this.#seat(sessionId);
    seat.listed = [];
    const response = await seat.page.goto(url, { waitUntil: 'domcontentloaded' });
    return {
      url: seat.page.url(),
      title: await seat.page.title(),
      status: response?.status() ?? null,
    };
  }

  async getSnapshot(sessionId: string): Promise<PageSnapshot> {
    this.#note('getSnapshot');
    const seat = this.#seat(sessionId);
    const { page } = seat;
    seat.listed = await page.$$(ACTABLE);
    const elements = await Promise.all(
      seat.listed.map((handle, index) => handle.evaluate(describeElement, index)),
    );
    const yaml = await page.locator('body').ariaSnapshot();
    const title = await page.title();
    return { url: page.url(), title, snapshot: toTree(title, yaml), elements };
  }

  async click(sessionId: string, elementRef: string): Promise<void> {
    this.#note('click');
    await (await this.#find(sessionId, elementRef)).click({ timeout: WAIT_MS });
  }

  async typeText(sessionId: string, elementRef: string, text: string): Promise<void> {
    this.#note('typeText');
    await (await this.#find(sessionId, elementRef)).fill(text, { timeout: WAIT_MS });
  }

  async getText(sessionId: string, elementRef: string): Promise<string> {
    this.#note('getText');
    return (await this.#find(sessionId, elementRef)).innerText();
  }

  async executeJs(sessionId: string, script: string): Promise<unknown> {
    this.#note('executeJs');
    return this.#seat(sessionId).page.evaluate(script);
  }

  async screenshot(sessionId: string, isFullPage: boolean): Promise<string> {
    this.#note('screenshot');
    const { page } = this.#seat(sessionId);
    return (await page.screenshot({ fullPage: isFullPage })).toString('base64');
  }

  async closeAll(): Promise<void> {
    this.#note('closeAll');
    this.#seats.clear();
    await this.#browser?.close();
  }

  #note(name: string): void {
    this.asked.push(name);
    const { failure } = this;
    this.failure = null;
    if (failure) throw failure;
  }

  #seat(sessionId: string): Seat {
    const seat = this.#seats.get(sessionId);
    if (seat) return seat;
    throw new Error(`no session ${sessionId}`);
  }

  async #find(sessionId: string, elementRef: string): Promise<ElementHandle> {
    const { page, listed } = this.#seat(sessionId);
    const index = /^@e(\d+)$/.exec(elementRef)?.[1];
    const handle =
      index === undefined
        ? await page.waitForSelector(elementRef.replace(/^\(/, 'xpath=('), { state: 'attached' })
        : listed[Number(index)];
    if (!handle) throw new Error(`no element ${elementRef}`);
    return handle;
  }
}

/** What of an element is looked at, in the page. */
interface Looked {
  readonly localName: string;
  readonly textContent: string;
  readonly value?: unknown;
  getBoundingClientRect(): { readonly width: number; readonly height: number };
  getAttribute(name: string): string | null;
}

function describeElement(node: unknown, index: number): PageElement {
  const element = node as Looked;
  const { width, height } = element.getBoundingClientRect();
  const href = element.getAttribute('href');
  const text = element.localName === 'input' ? String(element.value) : element.textContent;
  return {
    ref: `@e${index}`,
    tag: element.localName,
    text: text.trim().slice(0, 100),
    visible: width > 0 && height > 0,
    ...(href === null ? {} : { href }),
  };
}

/** Playwright's ARIA snapshot as lines of `[role] name`. */
function toTree(title: string, yaml: string): string {
  const lines = yaml.split('\n').flatMap((line) => {
    const match = /^( *)- (\w+)(?: "(.*?)")?(?: \[.*?\])?(?::(?: (.*))?)?$/.exec(line);
    if (!match) return [];
    const [, indent = '', role = '', name, rest] = match;
    const text = name ?? rest ?? '';
    return [`  ${indent}[${role}]${text === '' ? '' : ` ${text}`}`];
  });
  return [`[document] ${title}`, ...lines].join('\n');
}
