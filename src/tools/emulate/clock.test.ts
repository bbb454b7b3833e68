import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
  await fixture.goto('/blank.html');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const now = () => fixture.evaluate<number>('() => Date.now()');
const NOON = Date.parse('2030-01-31T12:00:00Z');

test('time stands still, runs from a moment, jumps, and is the true one again', async () => {
  await fixture.done('browser_clock', { action: 'fixed', time: '2030-01-31T12:00:00Z' });
  expect(await now()).toBe(NOON);
  await fixture.goto('/form-50.html');
  expect(await now()).toBe(NOON);
  expect((await fixture.done('browser_session')).text).toContain('clock fixed at 2030-01-31');
  await fixture.done('browser_emulate', { action: 'clear' });
  expect(Math.abs((await now()) - Date.now())).toBeLessThan(5_000);
  expect((await fixture.done('browser_session')).text).not.toContain('clock');

  await fixture.done('browser_clock', { action: 'install', time: '2030-01-31T12:00:00Z' });
  await fixture.evaluate(`() => { setTimeout(() => { document.title = 'rang' }, 3_600_000) }`);
  const before = await now();
  await fixture.done('browser_clock', { action: 'fastForward', ms: 3_600_000 });
  expect((await now()) - before).toBeGreaterThanOrEqual(3_600_000);
  expect(await fixture.evaluate('() => document.title')).toBe('rang');
  await fixture.done('browser_clock', { action: 'resume' });
  const resumed = await now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await now()).toBeGreaterThan(resumed);
});

test('what is no time is refused', async () => {
  for (const input of [
    { action: 'fixed', time: 'noonish' },
    { action: 'fixed' },
    { action: 'fastForward' },
    { action: 'fastForward', ms: 0 },
  ]) {
    expect((await fixture.failed('browser_clock', input)).error.code).toBe('bad_input');
  }
});
