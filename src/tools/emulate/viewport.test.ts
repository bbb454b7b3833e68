import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import { verifies } from '../../../test/harness/verifies.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
  await fixture.goto('/blank.html');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const size = () => fixture.evaluate('() => [innerWidth, innerHeight]');

test('the size is what was set, and each side is clamped to 320 and 7680 with what was asked for', async () => {
  verifies('E-080', 'E-081', 'E-082');
  expect((await fixture.done('browser_viewport')).output).toEqual({
    width: 1280,
    height: 720,
    requested: null,
  });
  for (const [given, stands] of [
    [319, 320],
    [320, 320],
    [321, 321],
    [7_679, 7_679],
    [7_680, 7_680],
    [7_681, 7_680],
    [-5, 320],
    [1e9, 7_680],
  ] as const) {
    const input = { action: 'set', width: given, height: 600 };
    const { output } = await fixture.done('browser_viewport', input);
    const requested = given === stands ? null : { width: given, height: 600 };
    expect(output, String(given)).toEqual({ width: stands, height: 600, requested });
    expect(await size()).toEqual([stands, 600]);
  }
  const { output } = await fixture.done('browser_viewport', { action: 'get' });
  expect(output).toEqual({ width: 7_680, height: 600, requested: null });
});

test('it holds for one page, is listed in the status and undone by one call', async () => {
  await fixture.done('browser_viewport', { width: 500, height: 400 });
  await fixture.done('browser_tabs', { action: 'new' });
  expect((await fixture.done('browser_viewport', { page: 'p2' })).output).toMatchObject({
    width: 1280,
  });
  expect((await fixture.done('browser_session')).text).toContain('viewport 500x400 (p1)');
  await fixture.done('browser_emulate', { action: 'clear' });
  expect((await fixture.done('browser_viewport', { page: 'p1' })).output).toMatchObject({
    width: 1280,
    height: 720,
  });
  await fixture.done('browser_tabs', { action: 'close', page: 'p2' });
});

test('one side alone keeps the other, and setting none is refused', async () => {
  await fixture.done('browser_viewport', { width: 900 });
  expect(await size()).toEqual([900, 720]);
  expect((await fixture.failed('browser_viewport', { action: 'set' })).error.code).toBe(
    'bad_input',
  );
});
