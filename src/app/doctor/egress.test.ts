import { expect, test } from 'vitest';
import { EGRESS_LEVELS } from '../../model/network.ts';
import { judgeEgress } from './egress.ts';

test('the levels that a gate enforces are enough, the others are not', () => {
  const policy = { blockPrivate: true };
  const verdicts = EGRESS_LEVELS.map((level) => judgeEgress({ level, reason: '', policy }).verdict);
  expect(verdicts).toEqual(['ok', 'ok', 'warn', 'warn', 'warn']);
});

test('the reason for a lower level is told', () => {
  const { says } = judgeEgress({
    level: 'gate',
    reason: 'bwrap is not installed.',
    policy: { blockPrivate: true },
  });
  expect(says).toContain('bwrap is not installed.');
});

test.each([
  ['network.egress is gate.', 'network.egress'],
  [
    'No network namespace can be had here. unshare: denied. bwrap: it is not installed.',
    'bubblewrap',
  ],
  ['No network namespace can be had here. unshare: it is not installed.', 'util-linux'],
  ['No network namespace can be had here. unshare: Operation not permitted.', 'CAP_SYS_ADMIN'],
  ['Network namespaces exist on Linux alone.', 'on Linux'],
])('at the gate level the way to the kernel level follows from %j', (reason, advice) => {
  const finding = judgeEgress({ level: 'gate', reason, policy: { blockPrivate: true } });
  expect(finding.verdict).toBe('ok');
  expect(finding.advice).toContain(advice);
});

test('a policy that allows private addresses is warned of, whatever the level', () => {
  const finding = judgeEgress({ level: 'kernel', reason: '', policy: { blockPrivate: false } });
  expect(finding.verdict).toBe('warn');
  expect(finding.advice).toContain('--exempt-hosts');
});
