import type { FromGate, ToGate } from './gate-messages.ts';
import { GateServer } from './gate-server.ts';

/**
 * The gate's process: it speaks with its host by IPC alone and ends when its host does.
 *
 * @param entryPath - What is run inside a namespace, with `namespace` for its argument.
 */
export function serveGate(entryPath: string, hostPid: number): void {
  let server: GateServer | undefined;
  const say = (message: FromGate) => {
    if (process.connected) process.send?.(message);
  };
  const answer = async (message: ToGate) => {
    try {
      if (message.type === 'start') {
        server = new GateServer(message, entryPath, hostPid, (record) =>
          say({ type: 'audited', record }),
        );
      }
      if (!server) throw new Error('the gate was not started');
      say({ type: 'done', request: message.request, value: await server.answer(message) });
    } catch (failure) {
      say({ type: 'failed', request: message.request, message: (failure as Error).message });
    }
  };
  process.on('message', (message: ToGate) => void answer(message));
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group; the host decides when the gate closes.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
}
