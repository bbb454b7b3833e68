import type { Browser } from 'playwright-core';
import type { Config } from '../config/schema.ts';
import type { LaunchAmendment } from '../engine/engine.ts';
import { findBuiltEntry } from '../engine/package-root.ts';
import type { AuditRecord } from '../gate/audit.ts';
import { flyCanary } from '../gate/canary.ts';
import { Gate } from '../gate/gate.ts';
import { refuseEnvironment, refuseUserArgs } from '../gate/launch-args.ts';
import {
  type KernelProbe,
  likelyWayIn,
  type Namespace,
  probeKernelLevel,
} from '../gate/namespace.ts';
import { checkConfinement, confinedCommand } from '../gate/confine-files.ts';
import { needsGate } from '../gate/policy.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import type { EgressLevel } from '../model/network.ts';

/** What holds the traffic of one browser process. */
interface Held {
  readonly level: EgressLevel;
  readonly reason: string;
  readonly namespace: Namespace | undefined;
}

const UNHELD: Held = {
  level: 'none',
  reason: 'network.blockPrivate is false and no other rule asks for a gate.',
  namespace: undefined,
};

/** Puts the gate around each browser that the local engine starts. */
export class Egress implements AsyncDisposable {
  /** Null where the policy asks for nothing that only a gate can enforce (A-067). */
  readonly gate: Gate | null;
  readonly #config: Config;
  readonly #held = new Map<number, Held>();
  #probe: Promise<KernelProbe> | null = null;
  #death = new AbortController();

  /** @throws `bad_input` for a policy or flags that cannot stand, before anything starts. */
  constructor(
    config: Config,
    env: NodeJS.ProcessEnv,
    log: Log,
    audit: (record: AuditRecord) => void,
  ) {
    this.#config = config;
    refuseUserArgs(config.browser.args);
    this.gate = needsGate(config.network) ? this.#createGate(env, log, audit) : null;
    if (this.gate) refuseEnvironment(env);
    refuseContradictions(config, this.gate !== null);
  }

  /** How the traffic of a browser generation is held. */
  of(generation: number): Held {
    return this.#held.get(generation) ?? UNHELD;
  }

  /**
   * Whether the kernel level can be had here, and why not; asked once.
   *
   * @param executablePath - Given, a browser is tried in it too.
   */
  probe(signal: AbortSignal): Promise<KernelProbe> {
    return (this.#probe ??= probeKernelLevel({ signal }));
  }

  /** What the engine adds to a launch. */
  readonly amendLaunch = async (
    generation: number,
    signal: AbortSignal,
  ): Promise<LaunchAmendment> => {
    const { gate } = this;
    if (!gate) return { launchArgs: [], egress: 'none', [Symbol.asyncDispose]: async () => {} };
    if (this.#death.signal.aborted) this.#death = new AbortController();
    const { workspace, sandbox } = this.#config;
    if (sandbox.files) await checkConfinement(signal);
    const [held] = await Promise.all([this.#hold(gate, signal), gate.start(signal)]);
    this.#held.set(generation, held);
    const { namespace } = held;
    return {
      launchArgs: gate.launchArgs(namespace ? { namespace } : {}),
      egress: held.level,
      mustEnd: this.#death.signal,
      ...(namespace
        ? {
            wrapExecutable: (path, folder) =>
              namespace.launcherFor(
                path,
                folder,
                sandbox.files ? confinedCommand({ writable: [folder], readable: [workspace] }) : [],
              ),
          }
        : {}),
      verify: (browser: Browser, verifying) =>
        flyCanary(browser, gate, { signal: verifying, ...(namespace ? { namespace } : {}) }),
      [Symbol.asyncDispose]: async () => {
        this.#held.delete(generation);
        await namespace?.[Symbol.asyncDispose]();
      },
    };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gate?.close();
  }

  async #hold(gate: Gate, signal: AbortSignal): Promise<Held> {
    const held = await this.#holdDirect(gate, signal);
    if (this.#config.network.upstream === null) return held;
    const reason = 'network.upstream looks names up once more, and may come to other addresses.';
    return { ...held, level: 'upstream', reason };
  }

  async #holdDirect(gate: Gate, signal: AbortSignal): Promise<Held> {
    const wanted = this.#config.network.egress;
    if (wanted === 'gate' || wanted === 'intercept') {
      return { level: 'gate', reason: `network.egress is ${wanted}.`, namespace: undefined };
    }
    const { probe, early } = await this.#probeAndOpen(gate, signal);
    if (probe.level === 'kernel') {
      const namespace = early ?? (await gate.openNamespace(probe.command, signal));
      return { level: 'kernel', reason: '', namespace };
    }
    if (this.#config.sandbox.files) {
      throw new OrielError(
        'setup_needed',
        `sandbox.files needs the kernel level, which cannot be had here: ${probe.reason}`,
        { hint: 'Run `oriel doctor`, or turn sandbox.files off.' },
      );
    }
    if (wanted === 'kernel') {
      throw new OrielError('setup_needed', `The kernel level cannot be had here: ${probe.reason}`, {
        hint: 'Run `oriel doctor`, or leave network.egress at best.',
      });
    }
    return { level: 'gate', reason: probe.reason, namespace: undefined };
  }

  /** The first time a namespace is opened by the likely way while the probe still runs. */
  async #probeAndOpen(
    gate: Gate,
    signal: AbortSignal,
  ): Promise<{ readonly probe: KernelProbe; readonly early: Namespace | undefined }> {
    const likely = this.#probe ? undefined : likelyWayIn();
    const probing = this.probe(signal);
    const opening = likely && gate.openNamespace(likely, signal).catch(() => undefined);
    try {
      const [probe, early] = await Promise.all([probing, opening]);
      if (early === undefined || (probe.level === 'kernel' && probe.command === likely)) {
        return { probe, early };
      }
      await early[Symbol.asyncDispose]();
      return { probe, early: undefined };
    } catch (failure) {
      await (await opening)?.[Symbol.asyncDispose]();
      throw failure;
    }
  }

  #createGate(env: NodeJS.ProcessEnv, log: Log, audit: (record: AuditRecord) => void): Gate {
    const childPath = findBuiltEntry('gate-child');
    if (childPath === undefined) {
      throw new OrielError(
        'setup_needed',
        'The network gate is not built, so no browser may start.',
        {
          hint: 'Run `npm run build`.',
        },
      );
    }
    // What an upstream proxy with a certificate of the operator's own is trusted by.
    const { NODE_EXTRA_CA_CERTS: trusted } = env;
    return new Gate({
      ...(trusted === undefined ? {} : { env: { NODE_EXTRA_CA_CERTS: trusted } }),
      policy: this.#config.network,
      childPath,
      workspace: this.#config.workspace,
      log,
      audit,
      onDeath: (reason) => this.#death.abort(reason),
    });
  }
}

/** What was asked for and cannot be had together is refused before anything starts. */
function refuseContradictions({ network, sandbox }: Config, hasGate: boolean): void {
  const { egress, upstream } = network;
  if (!hasGate && egress !== 'best') {
    throw new OrielError(
      'bad_input',
      `network.egress demands ${egress}, and network.blockPrivate is false without any rule.`,
      { hint: 'Leave network.egress at best, or keep network.blockPrivate.' },
    );
  }
  if (upstream !== null && (egress === 'kernel' || egress === 'gate')) {
    throw new OrielError(
      'bad_input',
      `network.egress demands ${egress}, and network.upstream makes it the weaker level upstream.`,
      { hint: 'Leave network.egress at best, or take network.upstream away.' },
    );
  }
  if (sandbox.files && (!hasGate || egress === 'gate' || egress === 'intercept')) {
    throw new OrielError(
      'bad_input',
      `sandbox.files needs the kernel level, and ${hasGate ? `network.egress is ${egress}` : 'network.blockPrivate is false without any rule'}.`,
      { hint: 'Turn sandbox.files off, or leave the network settings as they are by default.' },
    );
  }
}
