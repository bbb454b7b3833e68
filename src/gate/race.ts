import { connect, isIPv4, type OnReadOpts, type Socket } from 'node:net';

import { pinnedLookup } from './resolve.ts';

/** A connection that stands, and the judged address it stands to. The caller owns the socket. */
export interface Dialled {
  readonly socket: Socket;
  readonly address: string;
}

/** Opens a TCP connection to one judged address; a test hands in its own. */
export type Connect = (address: string, port: number, onread?: OnReadOpts) => Socket;

const STAGGER_MS = 250;

/** Connects to the address and to nothing else: a lookup could only answer that address. */
export const connectPinned: Connect = (address, port, onread) =>
  connect({
    ...(onread ? { onread } : {}),
    host: address,
    port,
    family: isIPv4(address) ? 4 : 6,
    lookup: pinnedLookup([address]),
    autoSelectFamily: false,
    allowHalfOpen: true,
    noDelay: true,
  });

/**
 * RFC 8305 over judged addresses: families alternate, a new attempt starts every 250 ms or as
 * soon as one fails, the first to stand wins and the others are destroyed. Rejects with the
 * first failure when all failed, or with the signal's reason.
 */
export async function raceConnect(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
  dial: (address: string, port: number) => Socket = connectPinned,
): Promise<Dialled> {
  signal.throwIfAborted();
  const waiting = interleave(addresses);
  const attempts = new Set<Socket>();
  let firstFailure: Error | undefined;
  return new Promise<Dialled>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = (winner: Socket | undefined) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      for (const socket of attempts) if (socket !== winner) socket.destroy();
      attempts.clear();
    };
    const abort = () => {
      finish(undefined);
      reject(signal.reason as Error);
    };
    const next = () => {
      clearTimeout(timer);
      const address = waiting.shift();
      if (address === undefined) {
        if (attempts.size > 0) return;
        finish(undefined);
        reject(firstFailure ?? new Error('no address to connect to'));
        return;
      }
      const socket = dial(address, port);
      attempts.add(socket);
      socket.once('connect', () => {
        if (!attempts.has(socket)) return;
        socket.removeAllListeners('error');
        finish(socket);
        resolve({ socket, address });
      });
      socket.on('error', (failure) => {
        firstFailure ??= failure;
        if (attempts.delete(socket)) next();
      });
      if (waiting.length > 0) timer = setTimeout(next, STAGGER_MS);
    };
    signal.addEventListener('abort', abort, { once: true });
    next();
  });
}

/** The answers in their order, the two families taking turns, the first answer's family first. */
function interleave(addresses: readonly string[]): string[] {
  const startsWithV4 = isIPv4(addresses[0] ?? '');
  const first = addresses.filter((address) => isIPv4(address) === startsWithV4);
  const second = addresses.filter((address) => isIPv4(address) !== startsWithV4);
  return first
    .flatMap((address, index) => [address, ...second.slice(index, index + 1)])
    .concat(second.slice(first.length));
}
