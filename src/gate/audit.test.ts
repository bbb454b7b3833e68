import { expect, it } from 'vitest';

import { AuditFold, type AuditRecord } from './audit.ts';

const refused = (host: string): AuditRecord => ({
  at: 1,
  session: 's',
  host,
  port: 80,
  decision: 'block',
  rule: 'not_public',
  addresses: [],
  ms: 1,
  bytesUp: 0,
  bytesDown: 0,
  end: 'refused',
  count: 1,
});

it('passes the first of a kind on at once, and its repeats as one when asked', () => {
  const written: AuditRecord[] = [];
  using fold = new AuditFold((record) => written.push(record));
  for (const host of ['a', 'a', 'a', 'b']) fold.add(refused(host));
  expect(written.map(({ host, count }) => [host, count])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
  fold.passOn();
  fold.passOn();
  expect(written.slice(2).map(({ host, count }) => [host, count])).toEqual([['a', 2]]);
  fold.add(refused('a'));
  expect(written).toHaveLength(3);
});
