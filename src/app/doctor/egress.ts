import type { EgressLevel, NetworkPolicy } from '../../model/network.ts';
import type { Finding } from './finding.ts';

export interface EgressFacts {
  /** What the session that was just opened got. */
  readonly level: EgressLevel;
  /** Why it is not a higher level; empty at the highest. */
  readonly reason: string;
  readonly policy: Pick<NetworkPolicy, 'blockPrivate'>;
}

const MEANINGS: Record<EgressLevel, string> = {
  kernel: 'the browser has no way out but the gate, by the kernel',
  gate: 'all TCP of the browser goes through the gate',
  upstream: 'the gate judges, and a proxy of the operator looks names up once more',
  intercept: 'requests are judged by their address only',
  none: 'nothing judges what pages reach',
};

/** How strongly the traffic of pages is held, and whether that is enough. */
export function judgeEgress({ level, reason, policy }: EgressFacts): Finding {
  const isHeld = level === 'kernel' || level === 'gate';
  const isEnough = isHeld && policy.blockPrivate;
  const why = reason === '' ? '' : ` Not higher, because: ${reason}`;
  const open = policy.blockPrivate ? '' : ' Private addresses are allowed by configuration.';
  return {
    name: 'Network',
    verdict: isEnough ? 'ok' : 'warn',
    says: `Egress level ${level}: ${MEANINGS[level]}.${open}${why}`,
    ...adviceFor(level, policy.blockPrivate, reason),
  };
}

function adviceFor(level: EgressLevel, blockPrivate: boolean, reason: string): { advice?: string } {
  if (!blockPrivate) {
    return {
      advice: 'Keep network.blockPrivate, and exempt single hosts with --exempt-hosts host:port.',
    };
  }
  switch (level) {
    case 'kernel':
      return {};
    case 'gate':
      return { advice: kernelAdvice(reason) };
    case 'upstream':
      return {
        advice: 'Let that proxy refuse private addresses too, or take network.upstream away.',
      };
    case 'intercept':
    case 'none':
      return {
        advice: 'Do not let an agent browse from a machine that reaches what it must not.',
      };
  }
}

/** What would bring the kernel level, by what the probe complained of. */
function kernelAdvice(reason: string): string {
  if (reason.startsWith('network.egress is')) {
    return 'Leave network.egress at best for the kernel level where it can be had.';
  }
  if (/Linux alone/.test(reason)) return 'For the kernel level, run Oriel on Linux.';
  if (/bwrap: it is not installed/.test(reason)) {
    return 'For the kernel level, install bubblewrap, or allow unprivileged user namespaces.';
  }
  if (/not installed|not found/.test(reason)) {
    return 'For the kernel level, install util-linux (unshare, nsenter, setpriv) and iproute2 (ip).';
  }
  return 'For the kernel level, allow user namespaces (in a container: its seccomp profile, or CAP_SYS_ADMIN).';
}
