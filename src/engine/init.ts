import { spawn } from 'node:child_process';
import type { HostFacts } from './host-facts.ts';

/** prctl's number per `process.arch`; the libraries of a bare container have no other way to it. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };
const PR_SET_CHILD_SUBREAPER = 36;

/** Becomes the parent of all orphans below it, starts the program, and waits for all that end. */
const PERL = `
use POSIX ();
my $number = shift @ARGV;
syscall($number + 0, ${PR_SET_CHILD_SUBREAPER}, 1, 0, 0, 0) == 0 or exit 125;
my $child = fork() // exit 125;
if (!$child) { exec { $ARGV[0] } @ARGV; exit 127; }
for my $name (qw(TERM INT HUP QUIT USR1 USR2)) { $SIG{$name} = sub { kill $name, $child }; }
while (1) {
  my $ended = waitpid(-1, 0);
  next if $ended == -1 && $! == POSIX::EINTR();
  exit 125 if $ended == -1;
  next if $ended != $child;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}
`;

const PYTHON = `
import ctypes, os, signal, sys
if ctypes.CDLL(None).prctl(${PR_SET_CHILD_SUBREAPER}, 1, 0, 0, 0) != 0: os._exit(125)
child = os.fork()
if child == 0: os.execv(sys.argv[1], sys.argv[1:])
for name in ("TERM", "INT", "HUP", "QUIT", "USR1", "USR2"):
    signal.signal(getattr(signal, "SIG" + name), lambda number, frame: os.kill(child, number))
while True:
    ended, status = os.waitpid(-1, 0)
    if ended == child:
        os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;

/**
 * The start of a command line under which orphans are waited for; undefined where there is none.
 * Node waits only for its own children, so as process 1 of a container it leaves every orphaned
 * helper of a browser defunct.
 */
export function findInit(host: HostFacts): readonly string[] | undefined {
  if (host.platform !== 'linux') return undefined;
  const find = (...paths: string[]) => paths.find((path) => host.isExecutable(path));
  const tini = find('/usr/bin/tini', '/sbin/tini', '/tini', '/sbin/docker-init');
  if (tini !== undefined) return [tini, '-s', '--'];
  const perl = find('/usr/bin/perl');
  const number = PRCTL[host.arch];
  if (perl !== undefined && number !== undefined) return [perl, '-e', PERL, String(number)];
  const python = find('/usr/bin/python3', '/usr/local/bin/python3');
  return python === undefined ? undefined : [python, '-c', PYTHON];
}

/**
 * When we are process 1: runs this very command line again below an init of {@link findInit}, with
 * our standard streams and signals, and resolves to its exit code. Undefined when we are not, or
 * when there is none; the container is then better run with `--init`. Call it before anything else.
 */
export function runBelowInit(host: HostFacts): Promise<number> | undefined {
  const [file, ...args] = (process.pid === 1 ? findInit(host) : undefined) ?? [];
  if (file === undefined) return undefined;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(file, [...args, ...command], { stdio: 'inherit' });
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve(code ?? (signal === 'SIGTERM' ? 143 : 137));
    });
  });
}
