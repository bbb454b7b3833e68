import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { GateListener } from '../../src/gate/gate-listener.ts';

/** The bytes of a CONNECT request. */
export function connectRequest(host: string, port: number, atyp: 1 | 3 | 4 = 3): Buffer {
  const address =
    atyp === 1
      ? host.split('.').map(Number)
      : atyp === 4
        ? host.split(':').flatMap((word) => {
            const value = Number.parseInt(word, 16);
            return [value >> 8, value & 0xff];
          })
        : [Buffer.byteLength(host, 'latin1'), ...Buffer.from(host, 'latin1')];
  return Buffer.from([5, 1, 0, atyp, ...address, port >> 8, port & 0xff]);
}

/** Everything a raw client is told until the gate closes or `count` bytes have come. */
export async function exchange(port: number, bytes: Buffer, count = Infinity): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  const answer = await readBytes(socket, count);
  socket.destroy();
  return answer;
}

async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    const finish = () => {
      socket.off('data', read).off('end', finish).off('close', finish);
      socket.pause();
      resolve(received);
    };
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length >= count) finish();
    };
    socket.on('data', read).on('end', finish).on('close', finish);
  });
}

/** A tunnel through a session's listener, or the reply code that refused it. */
export async function openTunnel(
  listener: Pick<GateListener, 'port'>,
  host: string,
  port: number,
  atyp: 1 | 3 | 4 = 3,
): Promise<Socket | number> {
  const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), connectRequest(host, port, atyp)]));
  const answer = await readBytes(socket, 12);
  if (answer.length >= 12 && answer[3] === 0) return socket;
  socket.destroy();
  return answer[3] ?? -1;
}

/** Sends a text through a tunnel and waits for as many bytes to come back. */
export async function echo(socket: Socket, text: string): Promise<string> {
  socket.resume();
  socket.write(text);
  return (await readBytes(socket, text.length)).toString();
}
