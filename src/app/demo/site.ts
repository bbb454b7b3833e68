import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OrielError } from '../../kernel/errors.ts';
import { Shop, type Reply, type ShopRequest } from './shop.ts';
import type { Order } from './site/orders.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface DemoSiteOptions {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** Closes the site when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

export interface DemoSite extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  readonly port: number;
  /** The orders placed through the checkout since the site was opened, oldest first. */
  orders(): readonly Order[];
}

/**
 * Serves the shop "Oriel Goods" on 127.0.0.1, with its state in memory. The caller owns the site
 * and disposes it, which ends every connection. Throws `busy` when the port is taken.
 */
export async function serveDemoSite({ port = 0, signal }: DemoSiteOptions = {}): Promise<DemoSite> {
  signal?.throwIfAborted();
  const shop = new Shop();
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void answer(shop, request, response, closing.signal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new OrielError('busy', `The demo site cannot listen on 127.0.0.1:${port}.`, {
          hint: 'Choose another port, or 0 for a free one.',
          cause,
        }),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;

  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= new Promise<void>((resolve) => {
      signal?.removeEventListener('abort', onAbort);
      closing.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  const onAbort = () => void close();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) await close();

  return {
    url: `http://127.0.0.1:${taken}/`,
    port: taken,
    orders: () => shop.placed,
    [Symbol.asyncDispose]: close,
  };
}

async function answer(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  // A visitor who left no longer waits for a slow page.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const reply = await shop.reply(await read(request), AbortSignal.any([closing, gone.signal]));
    send(response, reply, request.method === 'HEAD');
  } catch (failure) {
    if (response.destroyed) return;
    const status = failure instanceof OrielError ? 413 : 500;
    send(response, { status, type: 'text/plain', body: `${status}` }, false);
  }
}

async function read(request: IncomingMessage): Promise<ShopRequest> {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > MAX_BODY_BYTES) throw new OrielError('over_limit', 'The form is too large.');
  }
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'http://shop.invalid'),
    form: Object.fromEntries(new URLSearchParams(body)),
    cookie: request.headers.cookie ?? '',
    wantsJson: (request.headers.accept ?? '').includes('application/json'),
  };
}

function send(response: ServerResponse, reply: Reply, isHead: boolean): void {
  response.writeHead(reply.status, {
    'content-type': `${reply.type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
    ...reply.headers,
  });
  response.end(isHead ? undefined : reply.body);
}
