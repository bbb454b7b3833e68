import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, selectors } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { Scope } from '../../src/kernel/scope.ts';
import { Lens } from '../../src/lens/lens.ts';
import { walkNodes } from '../../src/lens/assemble.ts';
import type { Snapshot, SnapshotNode } from '../../src/lens/snapshot.ts';

export const SIGNAL = new AbortController().signal;

const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--site-per-process',
];

/** A browser with a lens, and a server for pages of several origins. Dispose it after the suite. */
export interface Bench extends AsyncDisposable {
  readonly lens: Lens;
  readonly browser: Browser;
  /** A new page in a context of its own, holding `html`. */
  page(html?: string): Promise<Page>;
  /** Serves `html` on two origins, and gives both addresses. */
  serve(
    path: string,
    html: string,
    options?: { delayMs?: number },
  ): { here: string; there: string };
}

export async function openBench(): Promise<Bench> {
  const scope = new Scope();
  const pages = new Map<string, { html: string; delayMs: number }>();
  const server = createServer((request, response) => {
    const found = pages.get(new URL(request.url ?? '/', 'http://x').pathname);
    setTimeout(() => {
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(found?.html ?? 'not found');
    }, found?.delayMs ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ARGS,
  });
  scope.defer(() => browser.close());
  const lens = await Lens.register(selectors);
  return {
    lens,
    browser,
    async page(html) {
      const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
      const page = await context.newPage();
      page.setDefaultTimeout(5_000);
      if (html !== undefined) await page.setContent(html);
      return page;
    },
    serve(path, html, options = {}) {
      pages.set(path, { html, delayMs: options.delayMs ?? 0 });
      return { here: `http://127.0.0.1:${port}${path}`, there: `http://localhost:${port}${path}` };
    },
    [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
  };
}

export function find(snapshot: Snapshot, role: string, name?: string | RegExp): SnapshotNode[] {
  return [...walkNodes(snapshot.tree)].filter(
    (node) =>
      node.role === role &&
      (name === undefined ||
        (typeof name === 'string' ? node.name === name : name.test(node.name ?? ''))),
  );
}

/** The ref of the `index`-th node with this role and name. */
export function refOf(snapshot: Snapshot, role: string, name?: string | RegExp, index = 0): string {
  const ref = find(snapshot, role, name)[index]?.ref;
  if (ref === undefined) throw new Error(`no ${role} ${String(name)} in\n${snapshot.text}`);
  return ref;
}

/** Clicks as an acting tool does: through the lens, with its verdict whatever came of it. */
export async function click(lens: Lens, page: Page, target: string, timeout = 5_000) {
  const located = await lens.locate(page, target);
  try {
    await located.locator.click({ timeout });
  } catch (error) {
    throw located.translate(error);
  }
  return located.verdict(SIGNAL);
}

/** What the page itself counted. */
export function log(page: Page): Promise<string[]> {
  return page.evaluate('window.log') as Promise<string[]>;
}
