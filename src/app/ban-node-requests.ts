import type { BrowserContext } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';

/** Every way to send; `_innerFetch` is what they and `route.fetch` come down to. */
const SENDERS = ['fetch', 'get', 'head', 'post', 'put', 'patch', 'delete', '_innerFetch'];

/**
 * Makes the API requests of a context, of its pages and of their routes throw: they leave from
 * this process, past the proxy of the browser. The object itself must stay, for Playwright closes
 * it with the context.
 */
export function banNodeRequests(context: BrowserContext): void {
  // oxlint-disable-next-line oriel/no-way-past-the-gate -- it is what is being shut
  const { request } = context;
  for (const name of SENDERS) {
    Object.defineProperty(request, name, {
      value: async () => {
        throw new OrielError('bug', `A request (${name}) would have gone past the network gate.`, {
          hint: 'Let the page load it, or use the fetch that the gate hands in.',
        });
      },
    });
  }
}
