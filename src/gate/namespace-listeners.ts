import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';

const OPEN_TIMEOUT_MS = 5000;

/** Messages from the process inside a namespace; `listening` comes with the server. */
export type FromNamespace =
  | { readonly type: 'ready'; readonly pid: number }
  | { readonly type: 'listening' }
  | { readonly type: 'failed'; readonly message: string };

/**
 * A process of ours inside a network namespace of its own, which opens listeners there and hands
 * them over. It ends with this object and with this process, whichever comes first.
 */
export class NamespaceListeners implements AsyncDisposable {
  readonly pid: number;
  readonly #inside: ChildProcess;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(inside: ChildProcess, pid: number) {
    this.#inside = inside;
    this.pid = pid;
  }

  /**
   * @param command what enters the new namespace and runs what follows it
   * @param entryPath the built gate entry, which plays the part of the inside process
   */
  static async open(command: readonly string[], entryPath: string): Promise<NamespaceListeners> {
    const [file, ...rest] = command;
    const args = [...rest, process.execPath, entryPath, 'namespace'];
    const inside = spawn(file ?? process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaint = '';
    inside.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-500);
    });
    inside.on('error', (failure) => (complaint = failure.message));
    try {
      const [message] = await nextMessage(inside);
      if (message.type !== 'ready')
        throw new Error(message.type === 'failed' ? message.message : '');
      return new NamespaceListeners(inside, message.pid);
    } catch (failure) {
      inside.kill('SIGKILL');
      const said = complaint.trim() || (failure as Error).message;
      throw new Error(`the network namespace could not be opened: ${said}`, { cause: failure });
    }
  }

  /** A server that listens on 127.0.0.1 inside the namespace; the caller owns it. */
  async listen(): Promise<Server> {
    const turn = this.#turn.then(async () => {
      this.#inside.send({ type: 'listen' });
      const [message, server] = await nextMessage(this.#inside);
      if (message.type === 'listening' && server) {
        server.allowHalfOpen = true;
        return server;
      }
      throw new Error(message.type === 'failed' ? message.message : 'no listener came');
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#inside.exitCode !== null || this.#inside.signalCode !== null) return;
    const exited = once(this.#inside, 'exit');
    this.#inside.kill('SIGKILL');
    await exited;
  }
}

interface Handed extends Server {
  allowHalfOpen: boolean;
}

async function nextMessage(inside: ChildProcess): Promise<[FromNamespace, Handed | undefined]> {
  const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS);
  const ended = new AbortController();
  const end = () => ended.abort(new Error('the process inside it ended'));
  inside.once('exit', end).once('error', end);
  try {
    const either = AbortSignal.any([signal, ended.signal]);
    return (await once(inside, 'message', { signal: either })) as [
      FromNamespace,
      Handed | undefined,
    ];
  } finally {
    inside.off('exit', end).off('error', end);
  }
}
