import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIPv4 } from 'node:net';

import { within } from '../kernel/deadline.ts';

/** The system's resolver, asked once, every address of both families in its own order. */
export async function systemLookup(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const answers = await within(signal, lookup(name, { all: true, verbatim: true }));
  return answers.map((answer) => answer.address);
}

/**
 * A `lookup` for `net.connect` and its kin that answers judged addresses and asks no one, so
 * that nothing is resolved between the check and the connect.
 */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
  return (_host, options, callback) => {
    const wanted = options.family === 4 || options.family === 6 ? options.family : undefined;
    const fitting = all.filter((entry) => wanted === undefined || entry.family === wanted);
    const [first] = fitting;
    // Callers of net.connect rely on an answer that comes after the call returned.
    process.nextTick(() => {
      if (!first)
        callback(Object.assign(new Error('no judged address'), { code: 'ENOTFOUND' }), '');
      else if (options.all) callback(null, fitting);
      else callback(null, first.address, first.family);
    });
  };
}
