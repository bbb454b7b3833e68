import { z } from 'zod';

/** One request of a page, redirects each on their own. */
export const exchangeSchema = z.strictObject({
  id: z.string().describe('Names the request, such as r12.'),
  method: z.string().describe('Such as GET.'),
  url: z.string().describe('Its address, at most 2,000 characters, secrets in the query hidden.'),
  status: z.int().nullable().describe('HTTP status; null while pending or when it failed.'),
  resourceType: z.string().describe('Such as document, script, fetch, image.'),
  timestamp: z.number().describe('When it began, in milliseconds since 1970.'),
  durationMs: z.number().optional().describe('How long it took, where that is known.'),
  sizeBytes: z.int().optional().describe('Its content-length, where the server said it.'),
  failure: z.string().optional().describe('Why it failed.'),
  worker: z.string().optional().describe('Address of the service worker that made it.'),
});
export type Exchange = z.output<typeof exchangeSchema>;

/** `404`, `4xx`, `failed` or `pending`. */
export const STATUS_PATTERN = /^(?:[1-5]\d\d|[1-5]xx|failed|pending)$/;

export interface TrafficQuery {
  readonly containsUrl?: string | undefined;
  /** By {@link STATUS_PATTERN}. */
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly limit: number;
}

const headersSchema = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .describe('Headers, those that carry secrets with their value hidden.');

/** How the answer's body could be had. */
export const bodySchema = z.strictObject({
  kind: z
    .enum(['text', 'json', 'binary', 'none', 'unavailable', 'too_large'])
    .describe('What it is; unavailable: the browser no longer has it.'),
  text: z.string().optional().describe('Its start, where it is text.'),
  bytes: z.int().optional().describe('Size of the whole.'),
  isTruncated: z.boolean().describe('Whether `text` is a part of it.'),
  file: z.string().optional().describe('Path of the file that holds the whole.'),
});
export type ExchangeBody = z.output<typeof bodySchema>;

/** One request in full. */
export const exchangeDetailSchema = exchangeSchema.extend({
  requestHeaders: headersSchema,
  responseHeaders: headersSchema,
  postData: z.string().optional().describe('What was sent, secrets hidden, at most 16 KiB.'),
  remoteAddress: z.string().optional().describe('Address and port that answered.'),
  fromServiceWorker: z.boolean().describe('Whether a service worker answered it.'),
  timing: z
    .strictObject({
      dnsMs: z.number().optional(),
      connectMs: z.number().optional(),
      tlsMs: z.number().optional(),
      waitMs: z.number().optional().describe('From the request to the first byte.'),
      receiveMs: z.number().optional(),
    })
    .describe('Its phases in milliseconds, those that are known.'),
  sizes: z
    .strictObject({
      requestHeadersBytes: z.int(),
      requestBodyBytes: z.int(),
      responseHeadersBytes: z.int(),
      responseBodyBytes: z.int(),
    })
    .nullable()
    .describe('Bytes on the wire; null where they are not known.'),
  body: bodySchema.describe('What was answered.'),
});
export type ExchangeDetail = z.output<typeof exchangeDetailSchema>;
