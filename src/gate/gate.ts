import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import { type Log, silentLog } from '../kernel/log.ts';
import { Ring } from '../kernel/ring.ts';
import type { NetworkPolicy } from '../model/network.ts';
import { type AuditRecord, BASE_SESSION } from './audit.ts';
import type { Answer, FromGate, GateRequest, GateTesting, ToGate } from './gate-messages.ts';
import { GateListener } from './gate-listener.ts';
import { launchArgsFor } from './launch-args.ts';
import { Namespace } from './namespace.ts';
import { narrow } from './narrow.ts';
import { compilePolicy, type CompiledPolicy } from './policy.ts';

export interface GateOptions {
  /** The server's policy; a session's may only be narrower. */
  readonly policy: NetworkPolicy;
  /** The built `gate-child` entry. */
  readonly childPath: string;
  /** What `fileAccess: workspace` opens. */
  readonly workspace?: string;
  /** Ports on this machine that no page may reach, whatever the policy: CDP, MCP, the console. */
  readonly controlPorts?: readonly number[];
  /** Whether foreign local processes are refused; Linux alone can tell. True by default. */
  readonly checksPeers?: boolean;
  /** The child's environment, for what a TLS upstream needs; nothing else is read from it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Log;
  /** Each line of the audit, as it comes. */
  readonly audit?: (record: AuditRecord) => void;
  /** The gate ended by itself: whoever has a browser on it kills that browser now. */
  readonly onDeath?: (reason: OrielError) => void;
  /** For tests alone. */
  readonly testing?: GateTesting & { readonly execPath?: string };
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: Error) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly label: string;
  readonly basePort: number;
}

/** Where the gate finds `ip` and the way into a namespace, unless its environment says otherwise. */
const SYSTEM_PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** libuv gives lookups at most half of its threads, and a page may bring sixty names at once. */
const THREADS = '128';
const START_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1000;
const EXIT_TIMEOUT_MS = 2000;
const KEPT_BASE_REFUSALS = 100;

/**
 * The only way out to the network, seen from the host: starts the gate's process, opens a
 * listener for each session, and says so when the process dies. Nothing of it survives
 * {@link close} or this process.
 */
export class Gate implements AsyncDisposable {
  readonly #options: GateOptions;
  readonly #log: Log;
  readonly #listeners = new Map<string, GateListener>();
  readonly #baseRefusals = new Ring<AuditRecord>(KEPT_BASE_REFUSALS);
  readonly #waiting = new Map<number, Waiting>();
  #policy: CompiledPolicy;
  #running: Running | undefined;
  #starting: Promise<Running> | undefined;
  #child: ChildProcess | undefined;
  #isClosed = false;
  #requests = 0;
  #namespaces = 0;

  /** @throws OrielError `bad_input` for a policy that does not stand */
  constructor(options: GateOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#policy = this.#compile(options.policy);
    for (const warning of this.#policy.warnings) this.#log('warn', warning);
  }

  get policy(): CompiledPolicy {
    return this.#policy;
  }

  /** The gate's process, while it runs. */
  get pid(): number | undefined {
    return this.#running?.child.pid;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** What came from the browser but from none of its sessions, all of it refused; newest last. */
  get baseRefusals(): readonly AuditRecord[] {
    return this.#baseRefusals.toArray();
  }

  /**
   * Brings the gate up; a no-op while it is. A failed start leaves nothing behind and the next
   * call tries again.
   * @throws OrielError `setup_needed` when the process does not come up, `gone` after close
   */
  async start(signal: AbortSignal): Promise<void> {
    await within(signal, this.#start());
  }

  /**
   * A listener for one session. The caller disposes it with the session.
   * @param narrower what the session's policy has beyond the server's
   * @param namespace the browser's, at the kernel level
   * @throws OrielError `denied` when `narrower` would widen, `bad_input` when it does not parse
   */
  async openListener(
    session: string,
    narrower: Partial<NetworkPolicy>,
    signal: AbortSignal,
    namespace?: Namespace,
  ): Promise<GateListener> {
    const policy = narrow(this.#policy, narrower);
    await this.start(signal);
    const { label } = this.#runningOrThrow();
    const { port = 0 } = await within(
      signal,
      this.#ask({ type: 'open', session, policy: policy.source, namespace: namespace?.name }),
    );
    const listener = new GateListener(session, label, port, policy, narrower, {
      ask: (request) => this.#ask(request),
      basePolicy: () => this.#policy,
      onDisposed: () => this.#listeners.delete(session),
    });
    this.#listeners.set(session, listener);
    return listener;
  }

  /**
   * The flags a browser is launched with; the gate must be up.
   * @param namespace the one the browser will live in, at the kernel level
   */
  launchArgs(options: { namespace?: Namespace; hasExtensions?: boolean } = {}): string[] {
    const { label, basePort } = this.#runningOrThrow();
    return launchArgsFor({
      label,
      port: options.namespace?.basePort ?? basePort,
      hasExtensions: options.hasExtensions ?? false,
    });
  }

  /**
   * A network namespace for one browser. The caller disposes it after the browser.
   * @param command the way in, as `probeKernelLevel` found it
   * @throws OrielError `setup_needed` when it cannot be opened
   */
  async openNamespace(command: readonly string[], signal: AbortSignal): Promise<Namespace> {
    const name = `n${++this.#namespaces}`;
    const starting = this.start(signal);
    // Asked before the gate has answered: it takes things in order, and a start need not wait for
    // this process, which may be busy loading what drives the browser.
    const opened = this.#ask({ type: 'openNamespace', namespace: name, command }, this.#child);
    const both = Promise.all([opened, starting]);
    const [{ pid = 0, port = 0 }] = await within(signal, both).catch((failure: unknown) => {
      void this.#ask({ type: 'closeNamespace', namespace: name }, this.#child).catch(() => {});
      throw failure;
    });
    return Namespace.enter(name, pid, port, command, async () => {
      if (this.#running) await this.#ask({ type: 'closeNamespace', namespace: name });
    });
  }

  /**
   * Puts another server policy in force. Sessions keep what they had narrowed; tunnels that the
   * new policy would not have let in are cut.
   * @throws OrielError `bad_input` for a policy that does not stand, `denied` when a session's
   *   narrowing does not fit under it; nothing changes then
   */
  async setPolicy(policy: NetworkPolicy, signal: AbortSignal): Promise<void> {
    const compiled = this.#compile(policy);
    const sessions = [...this.#listeners.values()].map(
      (listener) => [listener, narrow(compiled, listener.narrower)] as const,
    );
    this.#policy = compiled;
    for (const [listener, narrowed] of sessions) listener.adopt(narrowed);
    if (!this.#running) return;
    await within(
      signal,
      this.#ask({
        type: 'setBasePolicy',
        policy,
        sessions: Object.fromEntries(
          sessions.map(([listener, narrowed]) => [listener.session, narrowed.source]),
        ),
      }),
    );
  }

  /** Ports that no page may reach from now on, besides the gate's own. */
  async setControlPorts(ports: readonly number[], signal: AbortSignal): Promise<void> {
    await this.start(signal);
    await within(signal, this.#ask({ type: 'setControlPorts', ports }));
  }

  /** Cuts everything in flight and ends the gate's process. It cannot be started again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    this.#running = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    // Asked first so that the lines of the cut tunnels still reach the audit.
    await within(AbortSignal.timeout(CLOSE_TIMEOUT_MS), this.#ask({ type: 'close' }, child)).catch(
      () => {},
    );
    child.kill('SIGKILL');
    await within(AbortSignal.timeout(EXIT_TIMEOUT_MS), exited);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #compile(policy: NetworkPolicy): CompiledPolicy {
    return compilePolicy(policy, { workspace: this.#options.workspace });
  }

  #runningOrThrow(): Running {
    if (this.#running) return this.#running;
    throw new OrielError('gone', 'The network gate is not running.', {
      hint: 'Call again; the gate and the browser are started anew.',
    });
  }

  async #start(): Promise<Running> {
    if (this.#isClosed) throw new OrielError('gone', 'The network gate was closed.');
    if (this.#running) return this.#running;
    this.#starting ??= this.#launch().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #launch(): Promise<Running> {
    const { childPath, testing, env, checksPeers = true, controlPorts = [] } = this.#options;
    const child = fork(childPath, [], {
      env: { PATH: SYSTEM_PATH, ...env, UV_THREADPOOL_SIZE: THREADS },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      ...(testing?.execPath === undefined ? {} : { execPath: testing.execPath }),
    });
    this.#child = child;
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000);
    });
    child.on('error', (failure) => (complaint ||= failure.message));
    child.on('message', (message: FromGate) => this.#hear(message));
    child.once('exit', (code, killedBy) => this.#mourn(child, killedBy ?? code, complaint));
    try {
      const started = this.#ask(
        {
          type: 'start',
          policy: this.#policy.source,
          controlPorts,
          checksPeers,
          testing,
        },
        child,
      );
      const { port = 0 } = await within(AbortSignal.timeout(START_TIMEOUT_MS), started);
      this.#running = { child, label: randomBytes(8).toString('hex'), basePort: port };
      return this.#running;
    } catch (failure) {
      child.kill('SIGKILL');
      throw new OrielError('setup_needed', 'The network gate did not start, so no browser may.', {
        hint: complaint.trim().split('\n').at(-1) || 'Call again, or run `oriel doctor`.',
        cause: failure,
      });
    }
  }

  #hear(message: FromGate): void {
    if (message.type === 'audited') {
      this.#options.audit?.(message.record);
      if (message.record.session === BASE_SESSION) this.#baseRefusals.push(message.record);
      else this.#listeners.get(message.record.session)?.note(message.record);
      return;
    }
    const waiting = this.#waiting.get(message.request);
    this.#waiting.delete(message.request);
    if (message.type === 'done') waiting?.resolve(message.value);
    else waiting?.reject(new OrielError('setup_needed', `The network gate: ${message.message}.`));
  }

  #mourn(child: ChildProcess, how: string | number | null, complaint: string): void {
    if (this.#child !== child) return;
    const reason = new OrielError('gone', `The network gate ended (${how ?? 'unknown'}).`, {
      hint: 'Its browsers were ended with it; call again and both are started anew.',
      details: complaint === '' ? undefined : { stderr: complaint.slice(-500) },
    });
    const wasRunning = this.#running !== undefined;
    this.#running = undefined;
    this.#child = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
    this.#listeners.clear();
    if (!wasRunning || this.#isClosed) return;
    this.#log('error', reason.message);
    this.#options.onDeath?.(reason);
  }

  async #ask(request: GateRequest, child = this.#running?.child): Promise<Answer> {
    if (!child?.connected) throw new OrielError('gone', 'The network gate is not running.');
    const number = ++this.#requests;
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      child.send({ ...request, request: number } satisfies ToGate, (failure) => {
        if (!failure) return;
        this.#waiting.delete(number);
        reject(failure);
      });
    });
  }
}
