import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';

import { pageFor } from './page-vectors.ts';

/** What a page's vector needs from its server besides the page. */
interface Question {
  readonly kind: string;
  readonly target: string;
  readonly url: URL;
}

/**
 * The public internet of the end-to-end tests: serves the page of each vector, redirects,
 * workers and a WebSocket, and remembers what it was asked.
 */
export class PublicSite implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request, response) => this.#answer(request, response));
    const webSockets = new WebSocketServer({ server });
    webSockets.on('connection', (socket) => socket.send('welcome'));
  }

  static async open(): Promise<PublicSite> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PublicSite(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    this.asked.push(`${request.method} ${url.host}${url.pathname}`);
    request.resume();
    const question: Question = {
      kind: url.searchParams.get('kind') ?? '',
      target: url.searchParams.get('target') ?? '',
      url,
    };
    const route = ROUTES[url.pathname];
    if (route) route(question, response);
    else plain(response, 'text/plain', 'ok');
  }
}

type Route = (question: Question, response: ServerResponse) => ServerResponse;

const ROUTES: Readonly<Record<string, Route>> = {
  '/page': ({ kind, target }, response) => {
    const { type = 'text/html', headers = {}, body } = pageFor(kind, target);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return plain(response, type, body);
  },
  '/redirect': ({ target, url }, response) => {
    const hops = Number(url.searchParams.get('hops') ?? 1);
    const next = new URL(url);
    next.searchParams.set('hops', String(hops - 1));
    const status = Number(url.searchParams.get('status') ?? 302);
    response.writeHead(status, { location: hops > 1 ? next.href : target });
    return response.end();
  },
  '/worker.js': ({ target }, response) =>
    plain(
      response,
      'text/javascript',
      `const go = () => fetch(${JSON.stringify(target)}, {mode:'no-cors'}).catch(() => {});
       onconnect = go; go();`,
    ),
  '/service-worker.js': ({ target }, response) =>
    plain(response, 'text/javascript', `importScripts(${JSON.stringify(target)});`),
  '/public-worker.js': (_question, response) =>
    plain(
      response,
      'text/javascript',
      `addEventListener('install', (event) => event.waitUntil(fetch('/from-service-worker')));`,
    ),
};

function plain(response: ServerResponse, type: string, body: string): ServerResponse {
  response.setHeader('content-type', type);
  return response.end(body);
}
