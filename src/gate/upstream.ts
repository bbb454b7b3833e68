import { isIPv4, isIPv6, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { within } from '../kernel/deadline.ts';
import type { Target } from './decide.ts';
import type { Upstream } from './policy.ts';
import { type Connect, raceConnect } from './race.ts';
import { systemLookup } from './resolve.ts';

const MAX_HEAD_BYTES = 16_384;

/** The operator's proxy said no. `status` is its HTTP status, or its SOCKS reply code. */
export class UpstreamRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the upstream proxy answered ${status}`);
    this.name = 'UpstreamRefusal';
    this.status = status;
  }
}

/**
 * A tunnel to the target through the operator's proxy. The proxy's own address is the operator's
 * word and is not judged. The caller owns the socket; on a throw nothing is left open.
 * @throws UpstreamRefusal when the proxy answered and refused
 */
export async function dialUpstream(
  upstream: Upstream,
  target: Target,
  signal: AbortSignal,
  dial?: Connect,
): Promise<Socket> {
  const isLiteral = isIPv4(upstream.host) || isIPv6(upstream.host);
  const addresses = isLiteral ? [upstream.host] : await systemLookup(upstream.host, signal);
  const plain = await raceConnect(addresses, upstream.port, signal, dial);
  let socket = plain.socket;
  try {
    if (upstream.protocol === 'https') socket = await secure(socket, upstream.host, signal);
    const reader = new HeadReader(socket, signal);
    await (upstream.protocol === 'socks5'
      ? connectBySocks(socket, reader, upstream, target)
      : connectByHttp(socket, reader, upstream, target));
    reader.release();
    return socket;
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
}

async function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const servername = isIPv4(host) || isIPv6(host) ? {} : { servername: host };
  // The certificate is held against `host` where there is no server name, as for an IP address.
  const tls = connectTls({ socket, host, ...servername, ALPNProtocols: ['http/1.1'] });
  await within(
    signal,
    new Promise<void>((resolve, reject) => {
      tls.once('secureConnect', resolve);
      tls.once('error', reject);
    }),
  ).catch((failure: unknown) => {
    tls.destroy();
    throw failure;
  });
  return tls;
}

async function connectByHttp(
  socket: Socket,
  reader: HeadReader,
  upstream: Upstream,
  target: Target,
): Promise<void> {
  const authority = `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`;
  const secret = Buffer.from(`${upstream.username}:${upstream.password}`).toString('base64');
  const authorization = upstream.username === '' ? '' : `Proxy-Authorization: Basic ${secret}\r\n`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = (await reader.readUntil('\r\n\r\n')).toString('latin1');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  if (status < 200 || status > 299) throw new UpstreamRefusal(status);
}

async function connectBySocks(
  socket: Socket,
  reader: HeadReader,
  upstream: Upstream,
  target: Target,
): Promise<void> {
  const hasSecret = upstream.username !== '';
  socket.write(Buffer.from(hasSecret ? [5, 2, 0, 2] : [5, 1, 0]));
  const method = (await reader.read(2))[1];
  if (method === 2 && hasSecret) {
    const name = Buffer.from(upstream.username);
    const secret = Buffer.from(upstream.password);
    socket.write(Buffer.from([1, name.length, ...name, secret.length, ...secret]));
    const verdict = (await reader.read(2))[1] ?? 1;
    if (verdict !== 0) throw new UpstreamRefusal(verdict);
  } else if (method !== 0) {
    throw new UpstreamRefusal(method ?? 0xff);
  }
  const port = [target.port >> 8, target.port & 0xff];
  socket.write(Buffer.from([5, 1, 0, ...socksAddress(target.host), ...port]));
  const [, code = 1, , type = 1] = await reader.read(4);
  if (code !== 0) throw new UpstreamRefusal(code);
  const bound = type === 1 ? 4 : type === 4 ? 16 : ((await reader.read(1))[0] ?? 0);
  await reader.read(bound + 2);
}

function socksAddress(host: string): number[] {
  if (isIPv4(host)) return [1, ...host.split('.').map(Number)];
  return [3, host.length, ...Buffer.from(host, 'latin1')];
}

/** Reads the proxy's answer off a socket and leaves what follows it for the tunnel. */
class HeadReader {
  readonly #socket: Socket;
  readonly #signal: AbortSignal;
  #bytes: Buffer = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #failure: Error | undefined;
  readonly #onData = (chunk: Buffer) => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    this.#wake?.();
  };
  readonly #onEnd = () => this.#onError(new Error('the upstream proxy closed the connection'));
  readonly #onError = (failure: Error) => {
    this.#failure ??= failure;
    this.#wake?.();
  };

  constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  async read(count: number): Promise<Buffer> {
    return this.#take(() => (this.#bytes.length >= count ? count : undefined));
  }

  async readUntil(mark: string): Promise<Buffer> {
    return this.#take(() => {
      const at = this.#bytes.indexOf(mark);
      return at === -1 ? undefined : at + mark.length;
    });
  }

  /** Hands the socket back, paused, with the unread bytes in front. */
  release(): void {
    this.#socket.pause();
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    if (this.#bytes.length > 0) this.#socket.unshift(this.#bytes);
  }

  async #take(end: () => number | undefined): Promise<Buffer> {
    for (let at = end(); ; at = end()) {
      if (at !== undefined) {
        const taken = this.#bytes.subarray(0, at);
        this.#bytes = this.#bytes.subarray(at);
        return taken;
      }
      if (this.#failure) throw this.#failure;
      if (this.#bytes.length > MAX_HEAD_BYTES) throw new UpstreamRefusal(0);
      await within(this.#signal, new Promise<void>((resolve) => (this.#wake = resolve)));
    }
  }
}
