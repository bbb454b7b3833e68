import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

import type { AuditRecord, AuditRule } from './audit.ts';
import { decide, decideKnown, type Decision, type Lookup, type Target } from './decide.ts';
import type { PeerCheck } from './peer.ts';
import { type CompiledPolicy, parseUpstream } from './policy.ts';
import { Inlet } from './inlet.ts';
import { type Connect, type Dialled, raceConnect } from './race.ts';
import { SOCKS_REPLY, SocksHandshake, socksReply } from './socks.ts';
import { dialUpstream, UpstreamRefusal } from './upstream.ts';

/** What one session may hold and how long each step may take, in milliseconds. */
export interface GateLimits {
  readonly handshakeMs: number;
  readonly resolveMs: number;
  readonly connectMs: number;
  /** How long one half of a tunnel may stay silent after the other has ended. */
  readonly halfOpenMs: number;
  readonly maxPending: number;
  readonly maxOpen: number;
}

export const GATE_LIMITS: GateLimits = {
  handshakeMs: 10_000,
  resolveMs: 10_000,
  connectMs: 15_000,
  halfOpenMs: 60_000,
  maxPending: 128,
  maxOpen: 600,
};

/** What a listener needs from around it. */
export interface ListenerPorts {
  readonly lookup: Lookup;
  readonly connect: Connect;
  readonly audit: (record: AuditRecord) => void;
  readonly peerCheck: PeerCheck | undefined;
  readonly limits: GateLimits;
}

/** A connection from its accept until its tunnel stands or it is turned away. */
interface Pending {
  readonly socket: Socket;
  readonly controller: AbortController;
  isShakingHands: boolean;
}

/** A connection that stands; bytes from it come by the inlet, where it has one. */
interface Remote extends Dialled {
  readonly inlet: Inlet | undefined;
}

interface Tunnel {
  readonly target: Target;
  readonly addresses: readonly string[];
  readonly cut: () => void;
}

type Facts = Partial<AuditRecord> & { readonly startedAt: number };

/**
 * The SOCKS5 listener of one session: shakes hands, decides, connects to a judged address,
 * carries bytes. Owns the server it is given and every connection on it.
 */
export class SessionListener implements AsyncDisposable {
  readonly session: string;
  readonly #server: Server;
  readonly #ports: ListenerPorts;
  #policy: CompiledPolicy;
  readonly #pending = new Set<Pending>();
  readonly #tunnels = new Set<Tunnel>();

  constructor(session: string, server: Server, policy: CompiledPolicy, ports: ListenerPorts) {
    this.session = session;
    this.#server = server;
    this.#policy = policy;
    this.#ports = ports;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.on('error', () => {});
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Puts another policy in force and cuts every tunnel that it would not have let in. */
  setPolicy(policy: CompiledPolicy): void {
    this.#policy = policy;
    for (const { target, addresses, cut } of this.#tunnels) {
      if (!decideKnown(policy, target, addresses).allow) cut();
    }
  }

  /** Stops listening and cuts everything in flight. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#server.listening ? once(this.#server, 'close') : Promise.resolve();
    this.#server.close();
    for (const { socket, controller } of this.#pending) {
      controller.abort(new Error('the gate closed'));
      socket.destroy();
    }
    for (const { cut } of this.#tunnels) cut();
    await closed;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {});
    socket.setNoDelay(true);
    const held = this.#tunnels.size + this.#pending.size;
    if (held >= this.#ports.limits.maxOpen || !this.#makeRoom()) {
      socket.destroy();
      this.#record({ host: '', port: 0 }, 'over_limit', { startedAt: performance.now() });
      return;
    }
    const pending: Pending = { socket, controller: new AbortController(), isShakingHands: true };
    this.#pending.add(pending);
    socket.once('close', () => pending.controller.abort(new Error('the client left')));
    void this.#serve(pending)
      .catch(() => socket.destroy())
      .finally(() => this.#pending.delete(pending));
  }

  /** Where too many are pending, whoever has not said a word for longest gives way. */
  #makeRoom(): boolean {
    if (this.#pending.size < this.#ports.limits.maxPending) return true;
    for (const pending of this.#pending) {
      if (!pending.isShakingHands) continue;
      this.#pending.delete(pending);
      pending.socket.destroy();
      return true;
    }
    return false;
  }

  async #serve(pending: Pending): Promise<void> {
    const { socket } = pending;
    const isKnownPeer = this.#ports.peerCheck?.(socket).catch(() => false);
    const target = await this.#shakeHands(pending);
    pending.isShakingHands = false;
    if (!target) return;
    const startedAt = performance.now();
    const judgedBy = this.#policy;
    // The lookup runs beside the peer check; nothing is dialled before both have passed.
    const deciding = this.#decide(target, pending.controller.signal);
    deciding.catch(() => {});
    if ((await isKnownPeer) === false) {
      // A client that has left owns nothing any more and cannot be told from a foreign one.
      if (!(await hasLeft(socket))) this.#record(target, 'peer', { startedAt });
      this.#turnAway(socket, SOCKS_REPLY.refused);
      return;
    }
    const decision = await deciding;
    if (!decision.allow) {
      this.#refuse(socket, decision, startedAt);
      return;
    }
    let dialled: Remote;
    try {
      dialled = await this.#dial(decision, pending.controller.signal);
    } catch (failure) {
      this.#turnAway(socket, SOCKS_REPLY.connectionRefused);
      this.#recordFailure(decision, failure, startedAt);
      return;
    }
    if (socket.destroyed) {
      dialled.socket.destroy();
      return;
    }
    const again =
      judgedBy === this.#policy || decideKnown(this.#policy, target, decision.addresses);
    if (again !== true && !again.allow) {
      dialled.socket.destroy();
      this.#refuse(socket, again, startedAt);
      return;
    }
    socket.write(socksReply(SOCKS_REPLY.succeeded));
    this.#carry(socket, dialled, decision, startedAt);
  }

  /** The request of a client that shook hands in time; otherwise the socket is closed. */
  async #shakeHands({ socket, controller }: Pending): Promise<Target | undefined> {
    const handshake = new SocksHandshake();
    return new Promise((resolve) => {
      const finish = (request: { target: Target; rest: Buffer } | undefined) => {
        clearTimeout(timer);
        controller.signal.removeEventListener('abort', leave);
        socket.off('data', read).off('end', leave);
        socket.pause();
        // Before anything else can be read: an end that follows must not overtake these bytes.
        if (request && request.rest.length > 0) socket.unshift(request.rest);
        resolve(request?.target);
      };
      const leave = () => {
        socket.destroy();
        finish(undefined);
      };
      const read = (chunk: Buffer) => {
        const step = handshake.push(chunk);
        if (step.state === 'failed') {
          if (step.answer) socket.write(step.answer);
          socket.destroySoon();
          finish(undefined);
          return;
        }
        if (step.answer) socket.write(step.answer);
        if (step.state === 'connect') finish(step);
      };
      const timer = setTimeout(leave, this.#ports.limits.handshakeMs);
      controller.signal.addEventListener('abort', leave, { once: true });
      socket.on('data', read).on('end', leave);
    });
  }

  async #decide(target: Target, client: AbortSignal): Promise<Decision> {
    const timeout = AbortSignal.timeout(this.#ports.limits.resolveMs);
    const signal = AbortSignal.any([client, timeout]);
    try {
      return await decide(this.#policy, target, this.#ports.lookup, signal);
    } catch (thrown) {
      if (!timeout.aborted) throw thrown;
      return decideKnown(this.#policy, target, []);
    }
  }

  async #dial(decision: Decision & { allow: true }, client: AbortSignal): Promise<Remote> {
    const signal = AbortSignal.any([client, AbortSignal.timeout(this.#ports.limits.connectMs)]);
    const { upstream } = this.#policy.source;
    if (upstream === null) {
      const inlets = new Map<Socket, Inlet>();
      const dial = (address: string, port: number) => {
        const inlet = new Inlet();
        const socket = this.#ports.connect(address, port, inlet.onread);
        inlets.set(socket, inlet);
        return socket;
      };
      const winner = await raceConnect(decision.addresses, decision.port, signal, dial);
      return { ...winner, inlet: inlets.get(winner.socket) };
    }
    const socket = await dialUpstream(
      parseUpstream(upstream),
      decision,
      signal,
      this.#ports.connect,
    );
    return { socket, address: 'upstream', inlet: undefined };
  }

  #refuse(socket: Socket, decision: Decision & { allow: false }, startedAt: number): void {
    this.#turnAway(socket, SOCKS_REPLY.refused);
    const { refusal, addresses } = decision;
    this.#record(refusal, refusal.rule, { startedAt, refusal, addresses });
  }

  #recordFailure(decision: Decision & { allow: true }, failure: unknown, startedAt: number): void {
    const { addresses } = decision;
    if (failure instanceof UpstreamRefusal) {
      const { status } = failure;
      this.#record(decision, 'upstream', { startedAt, addresses, status });
      return;
    }
    const error = (failure as NodeJS.ErrnoException).code ?? (failure as Error).name;
    this.#record(decision, 'allowed', { startedAt, addresses, end: 'failed', error });
  }

  #turnAway(socket: Socket, code: number): void {
    socket.end(socksReply(code));
    socket.destroySoon();
  }

  #carry(
    client: Socket,
    { socket: remote, address, inlet }: Remote,
    decision: Decision & { allow: true },
    startedAt: number,
  ): void {
    const ms = performance.now() - startedAt;
    let end: AuditRecord['end'] = 'closed';
    const drop = () => {
      client.destroy();
      remote.destroy();
    };
    const tunnel: Tunnel = {
      target: { host: decision.host, port: decision.port },
      addresses: decision.addresses,
      cut: () => {
        end = 'cut';
        drop();
      },
    };
    this.#tunnels.add(tunnel);
    remote.once('close', () => {
      client.destroy();
      this.#tunnels.delete(tunnel);
      this.#record(decision, 'allowed', {
        startedAt,
        ms,
        end,
        addresses: decision.addresses,
        dialled: address,
        bytesUp: remote.bytesWritten,
        bytesDown: remote.bytesRead,
      });
    });
    client.once('close', () => remote.destroy());
    remote.on('error', drop);
    const { halfOpenMs } = this.#ports.limits;
    client.once('end', () => remote.setTimeout(halfOpenMs, drop));
    remote.once('end', () => client.setTimeout(halfOpenMs, drop));
    client.pipe(remote);
    if (inlet) inlet.pour(remote, client);
    else remote.pipe(client);
  }

  #record(target: Target, rule: AuditRule, facts: Facts): void {
    const { startedAt, ...given } = facts;
    this.#ports.audit({
      at: Date.now(),
      session: this.session,
      host: target.host,
      port: target.port,
      decision: rule === 'allowed' ? 'allow' : 'block',
      rule,
      addresses: [],
      ms: performance.now() - startedAt,
      bytesUp: 0,
      bytesDown: 0,
      end: 'refused',
      count: 1,
      ...given,
    });
  }
}

/** Whether the client has closed its end; a paused socket notices only when it is read. */
async function hasLeft(socket: Socket): Promise<boolean> {
  if (socket.destroyed || socket.readableEnded) return true;
  socket.resume();
  await new Promise(setImmediate);
  return socket.destroyed || socket.readableEnded;
}
