import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';

/** An egress proxy as an operator may run one; it sends every tunnel to one port on loopback. */
export interface LoopbackProxy extends AsyncDisposable {
  readonly port: number;
  /** `host:port` of each tunnel it was asked for, with what it was told about the caller. */
  readonly asked: string[];
}

/**
 * @param refusal a status that it answers every CONNECT with
 * @param identity what it speaks TLS with
 */
export async function openHttpProxy(
  target: number,
  refusal?: number,
  identity?: { readonly key: string; readonly cert: string },
): Promise<LoopbackProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = identity ? createHttps(identity) : createServer();
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.on('connect', (request, client: Socket) => {
    asked.push([request.url, request.headers['proxy-authorization']].filter(Boolean).join(' '));
    client.on('error', () => {});
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} Filtered\r\n\r\nno`);
      return;
    }
    const out = connect(target, '127.0.0.1');
    sockets.add(out);
    out.on('error', () => client.destroy());
    client.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
    client.pipe(out);
    out.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A SOCKS5 proxy that wants `me` and `secret`. */
export async function openSocksProxy(target: number): Promise<LoopbackProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcp((client) => void serve(client).catch(() => client.destroy()));
  const serve = async (client: Socket) => {
    sockets.add(client);
    client.on('error', () => {});
    const read = async () => ((await once(client, 'data')) as [Buffer])[0];
    await read();
    client.write(Buffer.from([5, 2]));
    const secret = await read();
    client.write(
      Buffer.from([1, secret.subarray(2).toString('latin1') === 'me\x06secret' ? 0 : 1]),
    );
    const request = await read();
    const host = request.subarray(5, -2).toString('latin1');
    asked.push(`${host}:${request.readUInt16BE(request.length - 2)}`);
    const out = connect(target, '127.0.0.1');
    sockets.add(out);
    out.on('error', () => client.destroy());
    client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    client.pipe(out);
    out.pipe(client);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
