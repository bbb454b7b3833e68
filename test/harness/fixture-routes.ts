import type { FixtureServer, RouteHandler } from './fixture-server.ts';
import {
  after,
  download,
  drip,
  hangUp,
  neverAnswer,
  neverEnd,
  redirect,
  reply,
  replyJson,
} from './route-handlers.ts';

const CSV = 'part,stock\r\nbolt,12\r\n';

/**
 * The routes that fixture pages and most tests use. Queries choose the details:
 * `/slow?ms=`, `/redirect?to=&hops=&status=`, `/status?code=`, `/set-cookie?name=value`,
 * `/echo` (the request as JSON), `/poll` (a growing number), `/never` (no answer),
 * `/stall` (half a page), `/hang-up`, `/download/…` (what downloads.html links to).
 */
export function addFixtureRoutes(server: FixtureServer): void {
  server.route('/favicon.ico', (_request, response) => void response.writeHead(204).end());
  server.route('/slow', (request, response, closed) => {
    const ms = Number(request.url.searchParams.get('ms') ?? 1000);
    return after(ms, reply(`<title>Slow</title><h1>After ${ms} ms</h1>`))(
      request,
      response,
      closed,
    );
  });
  server.route('/never', neverAnswer());
  server.route('/stall', neverEnd('<title>Stalled</title><h1>Half a page</h1>'));
  server.route('/hang-up', hangUp());
  server.route('/redirect', followHops);
  server.route('/status', ({ url }, response) => {
    const code = Number(url.searchParams.get('code') ?? 500);
    response.writeHead(code, { 'content-type': 'text/html' }).end(`<h1>Status ${code}</h1>`);
  });
  server.route('/set-cookie', ({ url }, response) => {
    const cookies = [...url.searchParams].map(([name, value]) => `${name}=${value}; Path=/`);
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies });
    response.end('<title>Cookies</title><h1>Cookies set</h1>');
  });
  server.route('/echo', (request, response, closed) => {
    const { method, url, headers, body } = request;
    const seen = { method, path: url.pathname + url.search, headers, body: body.toString() };
    return replyJson(seen)(request, response, closed);
  });
  server.route('/poll', (request, response, closed) =>
    replyJson({ poll: server.count('/poll') })(request, response, closed),
  );
  server.route('/download/report.csv', download('report.csv', CSV, { type: 'text/csv' }));
  server.route('/download/redirect', redirect('/download/report.csv'));
  server.route('/download/odd-name', download('../../etc/odd name.csv', CSV, { type: 'text/csv' }));
  server.route(
    '/download/broken.bin',
    download('broken.bin', 'only the start', { promisedBytes: 100_000 }),
  );
  server.route(
    '/download/endless.bin',
    drip('0123456789', 100, {
      type: 'application/octet-stream',
      headers: { 'content-disposition': 'attachment; filename="endless.bin"' },
    }),
  );
}

/** Redirects `hops` times over itself, then to `to`. */
const followHops: RouteHandler = ({ url }, response) => {
  const hops = Number(url.searchParams.get('hops') ?? 1);
  const next = new URL(url);
  next.searchParams.set('hops', String(hops - 1));
  const location =
    hops > 1 ? next.pathname + next.search : (url.searchParams.get('to') ?? '/blank.html');
  response.writeHead(Number(url.searchParams.get('status') ?? 302), { location }).end();
};
