import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A TCP server on loopback that counts what reaches it. */
export class CountingServer implements AsyncDisposable {
  connections = 0;
  bytes = 0;
  readonly sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param answer what to do with a connection; by default its bytes are echoed */
  static async open(
    answer: (socket: Socket) => void = (socket) => void socket.pipe(socket),
    host = '127.0.0.1',
    port = 0,
  ): Promise<CountingServer> {
    const server = createServer({ allowHalfOpen: true });
    const counting = new CountingServer(server);
    server.on('connection', (socket) => {
      counting.connections++;
      counting.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => counting.sockets.delete(socket));
      socket.on('data', (chunk) => (counting.bytes += chunk.length));
      answer(socket);
    });
    server.listen(port, host);
    await once(server, 'listening');
    return counting;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
