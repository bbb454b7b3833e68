import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

import { Scope } from '../kernel/scope.ts';
import { type NetworkPolicy, networkPolicySchema } from '../model/network.ts';
import { AuditFold, type AuditRecord, BASE_SESSION } from './audit.ts';
import type { Answer, GateRequest, GateTesting } from './gate-messages.ts';
import { NamespaceListeners } from './namespace-listeners.ts';
import { peerCheckFor } from './peer.ts';
import {
  compilePolicy,
  type CompiledPolicy,
  interfaceAddresses,
  type PolicyFacts,
} from './policy.ts';
import { type Connect, connectPinned } from './race.ts';
import { systemLookup } from './resolve.ts';
import { GATE_LIMITS, type ListenerPorts, SessionListener } from './session-listener.ts';

/** How long the list of this machine's own addresses is believed. */
const OWN_ADDRESSES_MS = 2000;

const DENY_ALL = networkPolicySchema.parse({ allowlist: [] });

/** The gate itself: a listener a session, and one that refuses everything. Lives in the child. */
export class GateServer implements AsyncDisposable {
  readonly #scope = new Scope();
  readonly #audit: AuditFold;
  readonly #listeners = new Map<string, SessionListener>();
  readonly #namespaces = new Map<string, NamespaceListeners>();
  readonly #facts: PolicyFacts;
  readonly #ports: ListenerPorts;
  readonly #entryPath: string;
  #controlPorts: readonly number[];
  #base: CompiledPolicy;

  constructor(
    start: GateRequest & { type: 'start' },
    entryPath: string,
    hostPid: number,
    write: (record: AuditRecord) => void,
  ) {
    this.#entryPath = entryPath;
    this.#audit = this.#scope.own(new AuditFold(write));
    this.#controlPorts = start.controlPorts;
    this.#facts = {
      ownAddresses: ownAddressesOf(start.testing),
      controlPorts: () => [
        ...this.#controlPorts,
        ...[...this.#listeners.values()].map((listener) => listener.port),
      ],
      workspace: undefined,
    };
    this.#base = compilePolicy(start.policy, this.#facts);
    this.#ports = {
      lookup: systemLookup,
      connect: connectBy(start.testing),
      audit: (record) => this.#audit.add(record),
      peerCheck: start.checksPeers ? peerCheckFor(hostPid) : undefined,
      limits: { ...GATE_LIMITS, ...start.testing?.limits },
    };
  }

  async answer(request: GateRequest): Promise<Answer> {
    switch (request.type) {
      case 'start':
        return { port: await this.#openBase() };
      case 'open':
        return { port: await this.#open(request.session, request.policy, request.namespace) };
      case 'setPolicy':
        this.#listener(request.session).setPolicy(this.#compile(request.policy));
        return {};
      case 'setBasePolicy':
        this.#base = compilePolicy(request.policy, this.#facts);
        for (const [session, policy] of Object.entries(request.sessions)) {
          this.#listener(session).setPolicy(this.#compile(policy));
        }
        return {};
      case 'setControlPorts':
        this.#controlPorts = request.ports;
        return {};
      case 'closeSession': {
        const listener = this.#listeners.get(request.session);
        this.#listeners.delete(request.session);
        await listener?.[Symbol.asyncDispose]();
        return {};
      }
      case 'openNamespace':
        return this.#openNamespace(request.namespace, request.command);
      case 'closeNamespace': {
        const namespace = this.#namespaces.get(request.namespace);
        this.#namespaces.delete(request.namespace);
        await namespace?.[Symbol.asyncDispose]();
        return {};
      }
      case 'flush':
        this.#audit.passOn();
        return {};
      case 'close':
        await this[Symbol.asyncDispose]();
        return {};
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const listener of this.#listeners.values()) await listener[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }

  #compile(policy: NetworkPolicy): CompiledPolicy {
    return compilePolicy(policy, this.#facts, this.#base);
  }

  #listener(session: string): SessionListener {
    const listener = this.#listeners.get(session);
    if (!listener) throw new Error(`no listener for session ${session}`);
    return listener;
  }

  async #openBase(): Promise<number> {
    const policy = compilePolicy(DENY_ALL, this.#facts);
    return this.#listen(BASE_SESSION, await listenOnLoopback(), policy, this.#ports);
  }

  async #open(
    session: string,
    source: NetworkPolicy,
    namespace: string | undefined,
  ): Promise<number> {
    const policy = this.#compile(source);
    if (namespace === undefined) {
      return this.#listen(session, await listenOnLoopback(), policy, this.#ports);
    }
    const room = this.#namespaces.get(namespace);
    if (!room) throw new Error('the browser’s network namespace is gone');
    return this.#listen(session, await room.listen(), policy, this.#withoutPeers());
  }

  async #openNamespace(name: string, command: readonly string[]): Promise<Answer> {
    const namespace = this.#scope.own(await NamespaceListeners.open(command, this.#entryPath));
    this.#namespaces.set(name, namespace);
    const policy = compilePolicy(DENY_ALL, this.#facts);
    const key = `${BASE_SESSION}@${name}`;
    const server = await namespace.listen();
    const listener = new SessionListener(BASE_SESSION, server, policy, this.#withoutPeers());
    this.#listeners.set(key, listener);
    return { pid: namespace.pid, port: listener.port };
  }

  /** Who is inside a browser's namespace got there by us; /proc/net shows nothing of it here. */
  #withoutPeers(): ListenerPorts {
    return { ...this.#ports, peerCheck: undefined };
  }

  #listen(session: string, server: Server, policy: CompiledPolicy, ports: ListenerPorts): number {
    if (this.#listeners.has(session)) {
      server.close();
      throw new Error(`session ${session} has a listener already`);
    }
    const listener = new SessionListener(session, server, policy, ports);
    this.#listeners.set(session, listener);
    return listener.port;
  }
}

async function listenOnLoopback(): Promise<Server> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function ownAddressesOf(testing: GateTesting | undefined): () => readonly string[] {
  const fixed = testing?.ownAddresses;
  if (fixed) return () => fixed;
  let known: readonly string[] = [];
  let readAt = -Infinity;
  return () => {
    if (performance.now() - readAt > OWN_ADDRESSES_MS) {
      known = interfaceAddresses();
      readAt = performance.now();
    }
    return known;
  };
}

function connectBy(testing: GateTesting | undefined): Connect {
  const map = testing?.dialMap;
  if (!map) return connectPinned;
  return (address, port, onread) => {
    const mapped = map[`${address}:${port}`] ?? map[address] ?? { host: address, port };
    return connectPinned(mapped.host, mapped.port, onread);
  };
}
