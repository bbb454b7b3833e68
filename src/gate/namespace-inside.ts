import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';

import type { FromNamespace } from './namespace-listeners.ts';

/**
 * Runs inside a fresh network namespace: brings its loopback up, then opens a listener whenever
 * it is asked and hands it out. It ends when the gate does.
 */
export async function serveNamespace(): Promise<void> {
  process.on('disconnect', () => process.exit(0));
  try {
    // Bubblewrap has done it already, and left no right to do it again.
    if (!networkInterfaces()['lo']) await promisify(execFile)('ip', ['link', 'set', 'lo', 'up']);
  } catch (failure) {
    say({ type: 'failed', message: `its loopback did not come up: ${String(failure)}` });
    return;
  }
  process.on('message', () => void handOut());
  say({ type: 'ready', pid: process.pid });
}

async function handOut(): Promise<void> {
  const server = createServer({ allowHalfOpen: true });
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  } catch (failure) {
    say({ type: 'failed', message: String(failure) });
    return;
  }
  // Once it is handed over, only the gate may accept on it.
  process.send?.({ type: 'listening' } satisfies FromNamespace, server, {}, () => server.close());
}

function say(message: FromNamespace): void {
  process.send?.(message);
}
