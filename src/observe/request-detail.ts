import type { Response } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import type { ExchangeBody, ExchangeDetail } from '../model/traffic.ts';
import { redactBody, redactHeaders } from './secrets.ts';
import type { Traced } from './network-log.ts';

const MAX_POST_CHARS = 16_384;
/** Larger bodies are not fetched from the browser. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** How long the browser may take over one part; parts that are gone are never answered. */
const PART_MS = 5_000;

export interface DetailOptions {
  /** Most bytes of the body's text that are shown. */
  readonly maxBytes: number;
  /** Keeps a body that is binary or longer; null where nothing may be kept. */
  readonly keep: ((body: Buffer, mimeType: string) => Promise<string>) | null;
}

/** One request with headers, timing, sizes and bodies, as far as the browser still has them. */
export async function describeRequest(
  { request, entry }: Traced,
  options: DetailOptions,
  signal: AbortSignal,
): Promise<ExchangeDetail> {
  const part = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    within(AbortSignal.any([signal, AbortSignal.timeout(PART_MS)]), work).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        void cause;
        return otherwise;
      },
    );
  const response = request.existingResponse();
  const [requestHeaders, responseHeaders, sizes, server] = await Promise.all([
    part(request.headersArray(), []),
    response ? part(response.headersArray(), []) : [],
    entry.durationMs === undefined ? null : part(request.sizes(), null),
    response ? part(response.serverAddr(), null) : null,
  ]);
  const sent = request.postData();
  const contentType = request.headers()['content-type'] ?? '';
  return {
    ...entry,
    requestHeaders: redactHeaders(requestHeaders),
    responseHeaders: redactHeaders(responseHeaders),
    ...(sent === null ? {} : { postData: bounded(redactBody(sent, contentType)) }),
    ...(server ? { remoteAddress: `${server.ipAddress}:${server.port}` } : {}),
    fromServiceWorker: response?.fromServiceWorker() ?? false,
    timing: phases(request.timing()),
    sizes: sizes && {
      requestHeadersBytes: sizes.requestHeadersSize,
      requestBodyBytes: sizes.requestBodySize,
      responseHeadersBytes: sizes.responseHeadersSize,
      responseBodyBytes: sizes.responseBodySize,
    },
    body: await readBody(response, sizes?.responseBodySize ?? 0, entry.durationMs, options, part),
  };
}

async function readBody(
  response: Response | null,
  wireBytes: number,
  durationMs: number | undefined,
  { maxBytes, keep }: DetailOptions,
  part: <T>(work: Promise<T>, otherwise: T) => Promise<T>,
): Promise<ExchangeBody> {
  if (!response) return { kind: 'none', isTruncated: false };
  if (durationMs === undefined) return { kind: 'unavailable', isTruncated: false };
  if (wireBytes > MAX_BODY_BYTES)
    return { kind: 'too_large', bytes: wireBytes, isTruncated: false };
  const body = await part<Buffer | null>(response.body(), null);
  if (!body) return { kind: 'unavailable', isTruncated: false };
  if (body.byteLength === 0) return { kind: 'none', bytes: 0, isTruncated: false };
  const mimeType = (response.headers()['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
  const kind = kindOf(mimeType, body);
  const isTruncated = kind === 'binary' || body.byteLength > maxBytes;
  const file = isTruncated && keep ? await keep(body, mimeType) : undefined;
  return {
    kind,
    ...(kind === 'binary' ? {} : { text: cutUtf8(body, maxBytes) }),
    bytes: body.byteLength,
    isTruncated,
    ...(file === undefined ? {} : { file }),
  };
}

function kindOf(mimeType: string, body: Buffer): 'json' | 'text' | 'binary' {
  if (/[/+]json$/.test(mimeType)) return 'json';
  const isText =
    /^text\/|[/+]xml$|javascript|urlencoded|graphql|event-stream/.test(mimeType) ||
    (mimeType === '' && !body.subarray(0, 1_024).includes(0));
  return isText ? 'text' : 'binary';
}

/** The text of at most `maxBytes`, never half a character. */
export function cutUtf8(body: Buffer, maxBytes: number): string {
  if (body.byteLength <= maxBytes) return body.toString('utf8');
  let end = maxBytes;
  // A continuation byte looks like 10xxxxxx: step back to where its character begins.
  while (end > 0 && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  return body.subarray(0, end).toString('utf8');
}

function bounded(text: string): string {
  return text.length <= MAX_POST_CHARS
    ? text
    : `${text.slice(0, MAX_POST_CHARS)}… (${text.length} characters in all)`;
}

interface Timing {
  readonly domainLookupStart: number;
  readonly domainLookupEnd: number;
  readonly connectStart: number;
  readonly secureConnectionStart: number;
  readonly connectEnd: number;
  readonly requestStart: number;
  readonly responseStart: number;
  readonly responseEnd: number;
}

/** Playwright gives −1 for what did not happen or is not known. */
function phases(timing: Timing): ExchangeDetail['timing'] {
  const between = (from: number, to: number) =>
    from >= 0 && to >= from ? Math.round((to - from) * 10) / 10 : undefined;
  const all = {
    dnsMs: between(timing.domainLookupStart, timing.domainLookupEnd),
    connectMs: between(timing.connectStart, timing.connectEnd),
    tlsMs: between(timing.secureConnectionStart, timing.connectEnd),
    waitMs: between(timing.requestStart, timing.responseStart),
    receiveMs: between(timing.responseStart, timing.responseEnd),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as ExchangeDetail['timing'];
}
