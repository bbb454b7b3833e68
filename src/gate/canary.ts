import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Gate } from './gate.ts';
import type { Namespace } from './namespace.ts';

/** The little of a page that the canary flies with. */
export interface CanaryPage {
  goto(url: string, options: { timeout: number; waitUntil: 'commit' }): Promise<unknown>;
}

/** The little of a browser context that the canary flies with. */
export interface CanaryContext {
  newPage(): Promise<CanaryPage>;
  close(): Promise<void>;
}

/** A launched browser, as Playwright's `Browser` is one. */
export interface CanaryBrowser {
  newContext(options: { proxy?: { server: string; bypass?: string } }): Promise<CanaryContext>;
}

export interface CanaryOptions {
  readonly signal: AbortSignal;
  /** The namespace that the browser lives in, at the kernel level. */
  readonly namespace?: Namespace;
}

/** A visit that is refused ends at once; only a machine that is overloaded takes long. */
const GOTO_TIMEOUT_MS = 20_000;
let flights = 0;

/**
 * Proves for a browser just launched that its traffic comes to the gate: random names must
 * arrive at the session's listener and at the base listener, and live traps on loopback must stay
 * untouched by every spelling of it. A browser that fails it must not be used.
 * @throws OrielError `setup_needed` saying what leaked or did not arrive
 */
export async function flyCanary(
  browser: CanaryBrowser,
  gate: Gate,
  { signal, namespace }: CanaryOptions,
): Promise<void> {
  await using listener = await gate.openListener(
    `canary-${++flights}`,
    { allowlist: [] },
    signal,
    namespace,
  );
  const trap = await Trap.open();
  try {
    const inSession = canaryName();
    const inBase = canaryName();
    await within(
      signal,
      Promise.all([
        visit(browser, { proxy: listener.contextProxy }, [inSession, ...trap.hosts]),
        visit(browser, {}, [inBase, ...trap.hosts]),
      ]),
    );
    await listener.flush();
    if (trap.touches > 0) {
      throw leak('a page reached a server on this machine past the gate');
    }
    const hasArrived = listener.blocked().some((entry) => entry.host === inSession);
    if (!hasArrived) throw leak('a session’s page did not go through its listener');
    if (!gate.baseRefusals.some((entry) => entry.host === inBase)) {
      throw leak('a page without a session did not go through the gate');
    }
  } finally {
    await trap[Symbol.asyncDispose]();
  }
}

function leak(what: string): OrielError {
  return new OrielError('setup_needed', `The browser does not keep to the network gate: ${what}.`, {
    hint: 'A managed policy, an extension or an environment variable sets its proxy; `oriel doctor` names those it finds.',
  });
}

/** A name that exists nowhere and that the gate refuses without a lookup. */
function canaryName(): string {
  return `canary-${randomBytes(8).toString('hex')}.invalid`;
}

async function visit(
  browser: CanaryBrowser,
  options: { proxy?: { server: string; bypass?: string } },
  hosts: readonly string[],
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    // One page for all: a page costs more than what it visits, and every visit ends in an error.
    const page = await context.newPage();
    for (const host of hosts) {
      await page
        .goto(`http://${host}/`, { timeout: GOTO_TIMEOUT_MS, waitUntil: 'commit' })
        .catch(() => {});
    }
  } finally {
    await context.close();
  }
}

/** Servers on both loopback addresses that count who comes. */
class Trap implements AsyncDisposable {
  readonly hosts: readonly string[];
  touches = 0;
  readonly #servers: Server[];

  private constructor(servers: Server[], port: number) {
    this.#servers = servers;
    this.hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
    for (const server of servers) {
      server.on('connection', (socket) => {
        this.touches++;
        socket.destroy();
      });
    }
  }

  static async open(): Promise<Trap> {
    const first = await listen('127.0.0.1', 0);
    const { port } = first.address() as AddressInfo;
    // A machine without IPv6 has no [::1] that could be reached.
    const second = await listen('::1', port).catch(() => undefined);
    return new Trap(second ? [first, second] : [first], port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        server.close();
        await once(server, 'close');
      }),
    );
  }
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
