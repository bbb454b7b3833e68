import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { cookieSchema, SAME_SITE, type NewCookie } from '../../model/storage.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

export const cookies = defineTool({
  name: 'browser_cookies',
  summary: 'Get, set or clear cookies of this session; values only of cookies asked for by name.',
  effect: ({ action }) => (action === 'get' ? 'read' : 'act'),
  effects: ['read', 'act'],
  scope: 'session',
  pack: 'storage',
  limit: 'action',
  input: z.strictObject({
    action: z.enum(['get', 'set', 'clear']).default('get'),
    name: z.string().min(1).max(4_096).optional().describe('Get and clear: only this one.'),
    domain: z.string().min(1).max(300).optional().describe('With its subdomains.'),
    path: z.string().max(2_000).optional().describe('set: default /.'),
    value: z.string().max(4_096).optional(),
    expires: z.number().optional().describe('Unix seconds; default with the session.'),
    httpOnly: z.boolean().default(false),
    secure: z.boolean().default(false),
    sameSite: z.enum(SAME_SITE).default('Lax'),
    partitionKey: z.string().max(300).optional(),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    cookies: z.array(cookieSchema).describe('Those asked about.'),
  }),
  examples: [{ title: 'List the cookies', input: {} }],
  async run({ session, deps, signal, onProgress }, input) {
    const { action, name, domain, path } = input;
    const filter = { name, domain, path };
    const lease = session.context;
    if (action === 'get') {
      const found = lease ? await deps.act.readCookies(lease.context, filter, signal) : [];
      return { done: '', cookies: found };
    }
    if (action === 'clear') {
      const count = lease ? await deps.act.clearCookies(lease.context, filter, signal) : 0;
      return {
        done: count === 1 ? '1 cookie is gone.' : `${count} cookies are gone.`,
        cookies: [],
      };
    }
    const cookie = toCookie(input);
    session.throwIfLost();
    const context = lease?.context ?? (await session.newPage(signal, onProgress)).raw.context();
    await deps.act.setCookie(context, cookie, signal);
    const set = await deps.act.readCookies(context, { name, domain, path: cookie.path }, signal);
    return { done: 'Set.', cookies: set.map((one) => ({ ...one, value: null })) };
  },
  render({ done, cookies }) {
    const lines = cookies.map(({ name, value, domain, path, expires, ...flags }) => {
      const marks = [
        flags.httpOnly ? 'HttpOnly' : '',
        flags.secure ? 'Secure' : '',
        flags.sameSite,
        expires ?? 'session',
        flags.partitionKey ?? '',
      ].filter(Boolean);
      return `- ${name}${value === null ? '' : `=${value}`} ${domain}${path} (${marks.join(', ')})`;
    });
    return [
      { source: 'oriel', text: done || (cookies.length === 0 ? 'No cookies.' : '') },
      { source: 'page', text: lines.join('\n') },
    ];
  },
});

function toCookie(input: {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly domain?: string | undefined;
  readonly path?: string | undefined;
  readonly expires?: number | undefined;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: NewCookie['sameSite'];
  readonly partitionKey?: string | undefined;
}): NewCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey } = input;
  if (name === undefined || value === undefined || domain === undefined) {
    throw new OrielError('bad_input', '`name`, `value` and `domain` are needed to set a cookie.', {
      hint: 'For example: {"action": "set", "name": "a", "value": "1", "domain": "example.com"}.',
    });
  }
  return {
    name,
    value,
    domain,
    path: path ?? '/',
    expires: expires ?? -1,
    httpOnly,
    secure,
    sameSite,
    partitionKey,
  };
}
