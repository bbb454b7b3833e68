import type { BrowserContext } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { CookieFacts, CookieFilter, NewCookie } from '../model/storage.ts';
import { doing } from './doing.ts';

/** Cookies that match all of the filter; values only of those that it names. */
export async function readCookies(
  context: BrowserContext,
  filter: CookieFilter,
  signal: AbortSignal,
): Promise<CookieFacts[]> {
  const all = await doing('read', signal, () => context.cookies());
  return all
    .filter((cookie) => matches(cookie, filter))
    .map((cookie) => ({
      name: cookie.name,
      value: filter.name === undefined ? null : cookie.value,
      domain: cookie.domain,
      path: cookie.path,
      expires: cookie.expires < 0 ? null : new Date(cookie.expires * 1000).toISOString(),
      httpOnly: cookie.httpOnly,
      secure: cookie.secure,
      sameSite: cookie.sameSite,
      ...(cookie.partitionKey === undefined ? {} : { partitionKey: cookie.partitionKey }),
    }));
}

/** @throws `bad_input` for a cookie that Chromium refuses. */
export async function setCookie(
  context: BrowserContext,
  cookie: NewCookie,
  signal: AbortSignal,
): Promise<void> {
  const { partitionKey, ...rest } = cookie;
  await doing('cookie', signal, async () => {
    try {
      await context.addCookies([{ ...rest, ...(partitionKey ? { partitionKey } : {}) }]);
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : '';
      if (!/Invalid cookie|Cookie should|cookie/i.test(text)) throw cause;
      throw new OrielError('bad_input', 'Chromium refuses that cookie.', {
        hint: 'SameSite None and names that begin with __Secure- need secure: true; __Host- needs path / too.',
        cause,
      });
    }
  });
}

/** Removes the cookies that match. @returns How many there were. */
export async function clearCookies(
  context: BrowserContext,
  filter: CookieFilter,
  signal: AbortSignal,
): Promise<number> {
  const gone = await readCookies(context, filter, signal);
  await doing('cookie', signal, async () => {
    // Exact filters: a domain also names its subdomains here, which Playwright takes apart.
    for (const { name, domain, path } of gone) await context.clearCookies({ name, domain, path });
  });
  return gone.length;
}

/** A domain names its subdomains too: `example.com` finds those of `.example.com` and `a.example.com`. */
function matches(
  cookie: { readonly name: string; readonly domain: string; readonly path: string },
  { name, domain, path }: CookieFilter,
): boolean {
  if (name !== undefined && cookie.name !== name) return false;
  if (path !== undefined && cookie.path !== path) return false;
  if (domain === undefined) return true;
  const host = cookie.domain.replace(/^\./, '').toLowerCase();
  const wanted = domain.replace(/^\./, '').toLowerCase();
  return host === wanted || host.endsWith(`.${wanted}`);
}
