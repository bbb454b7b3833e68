import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { addFixtureRoutes } from './fixture-routes.ts';

const PAGES = new URL('../fixtures/pages/', import.meta.url);

/** A request as the server saw it, body read to its end. */
export interface FixtureRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Answers a request on `response`. A handler may leave the response open for ever: `closed`
 * aborts when the client has left or the server is disposed, and disposal cuts what is left.
 */
export type RouteHandler = (
  request: FixtureRequest,
  response: ServerResponse,
  closed: AbortSignal,
) => void | Promise<void>;

export interface FixtureServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The same server under another origin and site: `http://localhost:<port>`. */
  readonly otherOrigin: string;
  readonly port: number;
  /** `origin` with `path`, which starts with a slash. */
  url(path: string): string;
  /** Answers `path` (without query) by `handler` from now on, before pages of that name. */
  route(path: string, handler: RouteHandler): void;
  /** How often `path` (without query) has been asked for. */
  count(path: string): number;
  /** Every request so far, oldest first; bodies included. */
  readonly requests: readonly FixtureRequest[];
  /** Connections open at this moment. */
  openConnections(): Promise<number>;
}

/**
 * Serves `test/fixtures/pages/<name>.html` as `/<name>.html`, the routes of
 * {@link addFixtureRoutes}, and whatever a test adds, on a free port of 127.0.0.1.
 */
export async function startFixtureServer(): Promise<FixtureServer> {
  const routes = new Map<string, RouteHandler>();
  const counts = new Map<string, number>();
  const requests: FixtureRequest[] = [];
  const closing = new AbortController();

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((failure: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(String(failure));
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const request = await read(incoming);
    const { pathname } = request.url;
    requests.push(request);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    const handler = routes.get(pathname) ?? servePage;
    await handler(request, response, AbortSignal.any([left.signal, closing.signal]));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const fixtureServer: FixtureServer = {
    origin,
    otherOrigin: `http://localhost:${port}`,
    port,
    url: (path) => origin + path,
    route: (path, handler) => void routes.set(path, handler),
    count: (path) => counts.get(path) ?? 0,
    requests,
    openConnections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  addFixtureRoutes(fixtureServer);
  return fixtureServer;
}

async function read(incoming: IncomingMessage): Promise<FixtureRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? '127.0.0.1'}`),
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}

const servePage: RouteHandler = async ({ url }, response) => {
  const [, name] = /^\/([\w-]+\.html)$/.exec(url.pathname) ?? [];
  const page =
    name === undefined ? undefined : await readFile(new URL(name, PAGES)).catch(() => undefined);
  if (page) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  else response.writeHead(404, { 'content-type': 'text/plain' }).end(`No page ${url.pathname}`);
};
