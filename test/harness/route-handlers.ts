import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { RouteHandler } from './fixture-server.ts';

export interface ReplyOptions {
  readonly status?: number;
  /** Content type; `text/html; charset=utf-8` unless said. */
  readonly type?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Answers with `body` at once. */
export function reply(
  body: string | Uint8Array,
  { status = 200, type = 'text/html; charset=utf-8', headers = {} }: ReplyOptions = {},
): RouteHandler {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };
}

export function replyJson(value: unknown, status = 200): RouteHandler {
  return reply(JSON.stringify(value), { status, type: 'application/json' });
}

/** Lets `handler` answer after `ms`, unless the client has left by then. */
export function after(ms: number, handler: RouteHandler): RouteHandler {
  return async (request, response, closed) => {
    const hasWaited = await delay(ms, true, { signal: closed }).catch(() => false);
    if (hasWaited) await handler(request, response, closed);
  };
}

/** Takes the request and says nothing, not even headers. */
export function neverAnswer(): RouteHandler {
  return () => {};
}

/** Sends headers and `start`, then nothing more: the response never ends. */
export function neverEnd(start: string, options: ReplyOptions = {}): RouteHandler {
  return (_request, response) => {
    const { status = 200, type = 'text/html; charset=utf-8', headers = {} } = options;
    response.writeHead(status, { 'content-type': type, ...headers });
    response.write(start);
  };
}

/** Sends `chunk` every `everyMs`, for ever. */
export function drip(chunk: string, everyMs: number, options: ReplyOptions = {}): RouteHandler {
  return async (request, response, closed) => {
    await neverEnd(chunk, options)(request, response, closed);
    while (await delay(everyMs, true, { signal: closed }).catch(() => false)) response.write(chunk);
  };
}

/** Ends the connection without an answer. */
export function hangUp(): RouteHandler {
  return (_request, response) => void response.destroy();
}

export function redirect(location: string, status = 302): RouteHandler {
  return (_request, response) => void response.writeHead(status, { location }).end();
}

export interface DownloadOptions {
  readonly type?: string;
  /** Promises this many bytes in content-length, and hangs up after `body` when that is shorter. */
  readonly promisedBytes?: number;
}

/** Answers with an attachment. `name` is sent as it stands, however dangerous. */
export function download(
  name: string,
  body: string | Uint8Array,
  { type = 'application/octet-stream', promisedBytes }: DownloadOptions = {},
): RouteHandler {
  return (_request, response) => {
    const bytes = Buffer.from(body);
    response.writeHead(200, {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': promisedBytes ?? bytes.length,
    });
    if (promisedBytes === undefined || promisedBytes <= bytes.length) response.end(bytes);
    else response.write(bytes, () => setTimeout(() => response.destroy(), 50));
  };
}
