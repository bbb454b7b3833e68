import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { BUFFER_ENTRIES, DEFAULT_ENTRIES } from '../../model/console.ts';
import {
  type Exchange,
  type ExchangeDetail,
  exchangeDetailSchema,
  exchangeSchema,
  STATUS_PATTERN,
} from '../../model/traffic.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool, type Part } from '../../tool/declaration.ts';

const BODY_BYTES = 8_192;

export const network = defineTool({
  name: 'browser_network',
  summary: 'List the requests of the page, or see one in full with headers, timing and bodies.',
  effect: 'read',
  scope: 'page',
  pack: 'observe',
  limit: 'action',
  toleratesDialog: true,
  aliases: { filter: 'containsUrl', url: 'containsUrl', request: 'id' },
  peerNames: ['browser_network_requests', 'browser_network_request'],
  input: z.strictObject({
    containsUrl: z.string().min(1).max(2_000).optional().describe('Text within the address.'),
    status: z
      .string()
      .regex(
        STATUS_PATTERN,
        'expected a status such as 404, a class such as 5xx, failed or pending',
      )
      .optional()
      .describe('404, 4xx, failed or pending.'),
    method: z.string().min(1).max(20).optional().describe('Such as POST.'),
    resourceType: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe('document, script, fetch, xhr, image, …'),
    limit: z
      .int()
      .min(1)
      .max(BUFFER_ENTRIES)
      .default(DEFAULT_ENTRIES)
      .describe('Most requests; the newest are kept.'),
    id: z.string().min(1).max(20).optional().describe('One request in full, such as r12.'),
    maxBytes: z
      .int()
      .min(0)
      .max(262_144)
      .default(BODY_BYTES)
      .describe('With id: most bytes of the body shown.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    total: z.int().describe('How many requests of the buffer match.'),
    returned: z.array(exchangeSchema).describe('The newest of them, oldest first.'),
    dropped: z.int().describe('How many older requests the buffer no longer has.'),
    detail: exchangeDetailSchema.nullable().describe('The request asked for by id.'),
  }),
  examples: [
    { title: 'See what failed', on: '/', input: { status: '4xx' } },
    { title: 'See calls of an API', on: '/', input: { containsUrl: '/api/', method: 'POST' } },
  ],
  async run({ page, session, deps, signal }, { id, maxBytes, ...query }) {
    const log = deps.journals.of(page.raw).network;
    const { containsUrl, status, method, resourceType, limit } = query;
    if (id === undefined) {
      const found = log.query({ containsUrl, status, method, resourceType, limit });
      return { ...found, detail: null };
    }
    const traced = log.find(id);
    if (!traced) {
      throw new OrielError(
        'not_found',
        `There is no request ${JSON.stringify(id)} in the buffer.`,
        {
          hint: 'List them with browser_network; it keeps the newest 200.',
        },
      );
    }
    const keep = async (content: Buffer, mimeType: string) =>
      (
        await deps.artifacts.put({
          session: session.key,
          prefix: 'body',
          extension: extensionOf(mimeType),
          mimeType: mimeType || 'application/octet-stream',
          content,
        })
      ).path;
    const { remoteAddress, ...known } = await deps.observe.describeRequest(
      traced,
      { maxBytes, keep: deps.config.mode === 'readonly' ? null : keep },
      signal,
    );
    // Behind the gate the browser knows the address of the gate alone.
    const isHeld = session.context?.network.level !== 'none';
    const detail = isHeld || remoteAddress === undefined ? known : { ...known, remoteAddress };
    return { total: 1, returned: [], dropped: 0, detail };
  },
  render({ total, returned, dropped, detail }) {
    if (detail) return renderDetail(detail);
    const shown = returned.length < total ? `, the newest ${returned.length} shown` : '';
    const lost = dropped > 0 ? `; ${dropped} older ones were dropped` : '';
    return [
      {
        source: 'oriel',
        text: `${total} request${total === 1 ? '' : 's'}${shown}${lost}. One in full: give its id.`,
      },
      { source: 'page', text: returned.map(renderExchange).join('\n') },
    ];
  },
});

function renderExchange(one: Exchange): string {
  return [
    one.id,
    one.method,
    one.failure ?? one.status ?? 'pending',
    one.resourceType,
    one.durationMs === undefined ? '' : `${one.durationMs} ms`,
    one.sizeBytes === undefined ? '' : `${one.sizeBytes} bytes`,
    one.url,
    one.worker === undefined ? '' : `[worker ${one.worker}]`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function renderDetail(detail: ExchangeDetail): Part[] {
  const { body, timing, sizes, requestHeaders, responseHeaders } = detail;
  const phases = Object.entries(timing).map(([name, ms]) => `${name} ${ms}`);
  const ours = [
    `Request ${detail.id}: ${detail.durationMs ?? '?'} ms${phases.length > 0 ? ` (${phases.join(', ')})` : ''}.`,
    sizes
      ? `Bytes: ${sizes.requestHeadersBytes} + ${sizes.requestBodyBytes} sent, ${sizes.responseHeadersBytes} + ${sizes.responseBodyBytes} received.`
      : '',
    `Body: ${body.kind}${body.bytes === undefined ? '' : `, ${body.bytes} bytes`}${body.isTruncated ? ', cut' : ''}${body.file ? `, whole in ${body.file}` : ''}.`,
  ];
  const lines = (headers: ExchangeDetail['requestHeaders']) =>
    headers.map(({ name, value }) => `${name}: ${value}`);
  const theirs = [
    renderExchange(detail),
    ...lines(requestHeaders),
    ...(detail.postData === undefined ? [] : ['', detail.postData]),
    '---',
    ...lines(responseHeaders),
    ...(body.text === undefined ? [] : ['', body.text]),
  ];
  return [
    { source: 'oriel', text: ours.filter((line) => line !== '').join('\n') },
    { source: 'page', text: theirs.join('\n') },
  ];
}

function extensionOf(mimeType: string): string {
  const subtype = /^[\w.-]+\/(?:[\w.-]+\+)?([a-z0-9]{1,8})$/i.exec(mimeType)?.[1]?.toLowerCase();
  return { javascript: 'js', plain: 'txt', jpeg: 'jpg' }[subtype ?? ''] ?? subtype ?? 'bin';
}
