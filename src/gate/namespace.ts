import { execFile } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { OrielError } from '../kernel/errors.ts';
import { ARGUMENTS_NOTE } from '../model/engine.ts';

/**
 * A network namespace that one browser lives in: no interface but a loopback of its own, and on
 * it nothing but the gate's listeners. Dispose it after the browser.
 */
export class Namespace implements AsyncDisposable {
  readonly name: string;
  /** The port of the base listener inside the namespace. */
  readonly basePort: number;
  readonly #fds: number[];
  readonly #enter: readonly string[];
  readonly #shed: readonly string[];
  readonly #leave: () => Promise<unknown>;
  readonly #folders: string[] = [];

  private constructor(
    name: string,
    basePort: number,
    fds: number[],
    enter: readonly string[],
    shed: readonly string[],
    leave: () => Promise<unknown>,
  ) {
    this.name = name;
    this.basePort = basePort;
    this.#fds = fds;
    this.#enter = enter;
    this.#shed = shed;
    this.#leave = leave;
  }

  /**
   * Takes hold of the namespace that process `pid` lives in. For {@link Gate} alone.
   * @throws OrielError `setup_needed` when it is this process's own namespace
   */
  static enter(
    name: string,
    pid: number,
    basePort: number,
    command: readonly string[],
    leave: () => Promise<unknown>,
  ): Namespace {
    const hasUserNamespace = !isPlainUnshare(command);
    // Held open, so that the way in cannot lead elsewhere when the process number is used again.
    const net = openSync(`/proc/${pid}/ns/net`, 'r');
    const fds = [net];
    if (statSync(`/proc/self/fd/${net}`).ino === statSync('/proc/self/ns/net').ino) {
      closeSync(net);
      throw new OrielError('setup_needed', 'The browser’s network namespace is not its own.');
    }
    const enter = ['nsenter', `--net=/proc/${process.pid}/fd/${net}`];
    if (hasUserNamespace) {
      const user = openSync(`/proc/${pid}/ns/user`, 'r');
      fds.push(user);
      enter.push(`--user=/proc/${process.pid}/fd/${user}`, '--preserve-credentials', '--');
    } else {
      enter.push('--');
    }
    return new Namespace(name, basePort, fds, enter, hasUserNamespace ? [] : SHED, leave);
  }

  /**
   * A file that runs `executablePath` inside the namespace with whatever arguments it gets. It
   * replaces itself by the browser, so open pipes, process number and process group are kept.
   * It lasts as long as this object, or as `given`, a folder whose owner clears it, also after a
   * death of this process.
   *
   * @param confined - A command in front of it that confines its files, with root's rights where
   *   this process has them.
   */
  async launcherFor(
    executablePath: string,
    given?: string,
    confined: readonly string[] = [],
  ): Promise<string> {
    const folder = given ?? (await mkdtemp(join(tmpdir(), 'oriel-namespace-')));
    if (given === undefined) this.#folders.push(folder);
    const launcher = join(folder, 'browser');
    const command = [...this.#enter, ...confined, ...this.#shed, executablePath]
      .map(quote)
      .join(' ');
    const note = quote(join(folder, ARGUMENTS_NOTE));
    const lines = ['#!/bin/sh', `printf '%s\\n' "$@" > ${note}`, `exec ${command} "$@"`, ''];
    await writeFile(launcher, lines.join('\n'), { mode: 0o700 });
    return launcher;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const fd of this.#fds.splice(0)) closeSync(fd);
    for (const folder of this.#folders.splice(0))
      await rm(folder, { recursive: true, force: true });
    await this.#leave();
  }
}

/** Capabilities by which a root browser could leave its namespace or look into other processes. */
const DROPPED = [
  'sys_admin',
  'sys_ptrace',
  'sys_module',
  'sys_rawio',
  'sys_boot',
  'net_admin',
  'net_raw',
  'mknod',
  'mac_admin',
  'bpf',
  'perfmon',
]
  .map((name) => `-${name}`)
  .join(',');

const SHED = [
  'setpriv',
  `--bounding-set=${DROPPED}`,
  `--inh-caps=${DROPPED}`,
  '--no-new-privs',
  '--',
];

/** Ways into a network namespace, in the order they are tried. */
const USER_NAMESPACE = ['unshare', '--map-current-user', '--keep-caps', '--net', '--'];
const AS_ROOT = ['unshare', '--net', '--'];
const BUBBLEWRAP = ['bwrap', '--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--'];

/** The way that is tried first here, and works nearly everywhere that any does. */
export function likelyWayIn(): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  return process.getuid?.() === 0 ? AS_ROOT : USER_NAMESPACE;
}

function isPlainUnshare(command: readonly string[]): boolean {
  return command.join(' ') === AS_ROOT.join(' ');
}

/** Whether the kernel level can be had here, and how or why not. */
export type KernelProbe =
  | { readonly level: 'kernel'; readonly reason: string; readonly command: readonly string[] }
  | { readonly level: 'gate'; readonly reason: string };

export interface ProbeOptions {
  readonly signal: AbortSignal;
  /** Given, a browser is also started in a namespace, with its sandbox on unless as root. */
  readonly executablePath?: string;
}

const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 15_000;

/**
 * Tries which way into a network namespace works here: an unprivileged user namespace that keeps
 * the current user, plain `unshare` as root, bubblewrap. Never one that maps to root, in which
 * Chromium's own sandbox fails.
 */
export async function probeKernelLevel(options: ProbeOptions): Promise<KernelProbe> {
  if (process.platform !== 'linux') {
    return { level: 'gate', reason: 'Network namespaces exist on Linux alone.' };
  }
  const isRoot = process.getuid?.() === 0;
  const reasons: string[] = [];
  for (const command of isRoot ? [AS_ROOT] : [USER_NAMESPACE, BUBBLEWRAP]) {
    const complaint = await tryCommand(command, isRoot, options);
    if (complaint === undefined) {
      return {
        level: 'kernel',
        command,
        reason: `Each browser has a network of its own (${command[0]}).`,
      };
    }
    options.signal.throwIfAborted();
    reasons.push(`${command[0]}: ${complaint}`);
  }
  return { level: 'gate', reason: `No network namespace can be had here. ${reasons.join(' ')}` };
}

/** What is missing, or `undefined` when the way in works. */
async function tryCommand(
  command: readonly string[],
  isRoot: boolean,
  { signal, executablePath }: ProbeOptions,
): Promise<string | undefined> {
  const [file = '', ...args] = command;
  const env = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  const options = { signal, timeout: PROBE_TIMEOUT_MS, env };
  try {
    // What will bring the loopback up, enter the namespace and shed capabilities must be there.
    const tools = isRoot ? 'nsenter --version && setpriv --version' : 'nsenter --version';
    await run(file, [...args, 'sh', '-c', `${loopbackUp(command)} && ${tools}`], options);
    if (executablePath !== undefined) await tryBrowser(command, executablePath, isRoot, options);
    return undefined;
  } catch (failure) {
    const { stderr, message, code } = failure as Error & { stderr?: string; code?: unknown };
    if (code === 'ENOENT') return 'it is not installed.';
    const said = (stderr ?? '').trim().split('\n').at(-1) ?? '';
    return `${(said || message).slice(0, 200)}.`;
  }
}

/** Bubblewrap brings the loopback up by itself, and leaves no right to do it again. */
function loopbackUp(command: readonly string[]): string {
  return command[0] === 'bwrap' ? 'true' : 'ip link set lo up';
}

async function tryBrowser(
  command: readonly string[],
  executablePath: string,
  isRoot: boolean,
  options: { signal: AbortSignal; timeout: number; env: Record<string, string> },
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'oriel-probe-'));
  try {
    const [file = '', ...args] = command;
    const inside = `${loopbackUp(command)} && exec "$@"`;
    const flags = [
      '--headless=new',
      '--no-first-run',
      '--disable-gpu',
      '--disable-background-networking',
      `--user-data-dir=${profile}`,
      // Chromium refuses its sandbox to root anywhere, so nothing is given up for this level.
      ...(isRoot ? ['--no-sandbox'] : []),
      '--dump-dom',
      'about:blank',
    ];
    const env = { ...options.env, HOME: profile };
    await run(file, [...args, 'sh', '-c', inside, 'sh', executablePath, ...flags], {
      ...options,
      env,
    });
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
