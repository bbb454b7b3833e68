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
  const why = reason === '' ? '' : ` Not higher, because: ${reason}`;
  const open = policy.blockPrivate ? '' : ' Private addresses are allowed by configuration.';
  return {
    name: 'Network',
    verdict: isHeld && policy.blockPrivate ? 'ok' : 'warn',
    says: `Egress level ${level}: ${MEANINGS[level]}.${open}${why}`,
    ...(isHeld && policy.blockPrivate
      ? {}
      : {
          advice: policy.blockPrivate
            ? 'Do not let an agent browse from a machine that reaches what it must not.'
            : 'Keep network.blockPrivate, and exempt single hosts with --exempt-hosts host:port.',
        }),
  };
}
