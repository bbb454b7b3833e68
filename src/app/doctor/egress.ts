import type { EgressLevel, NetworkPolicy } from '../../model/network.ts';
import type { Finding } from './finding.ts';

export interface EgressFacts {
  /** What the session that was just opened got. */
  readonly level: EgressLevel;
  readonly policy: Pick<NetworkPolicy, 'egress' | 'blockPrivate'>;
}

const MEANINGS: Record<EgressLevel, string> = {
  kernel: 'the browser has no other way out than the gate, by the kernel',
  gate: 'all TCP of the browser goes through the gate',
  intercept: 'requests are judged by their address only',
  none: 'nothing but the address that is navigated to is judged',
};

/** How strongly the traffic of pages is held, and whether that is enough. */
export function judgeEgress({ level, policy }: EgressFacts): Finding {
  const isStrong = level === 'kernel' || level === 'gate';
  const open = policy.blockPrivate ? '' : ' Private addresses are allowed by configuration.';
  return {
    name: 'Network',
    verdict: isStrong && policy.blockPrivate ? 'ok' : 'warn',
    says: `Egress level ${level}: ${MEANINGS[level]}.${open}`,
    ...(isStrong
      ? {}
      : { advice: 'Do not let an agent browse from a machine that reaches what it must not.' }),
  };
}
