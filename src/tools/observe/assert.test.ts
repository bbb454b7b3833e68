import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Condition, ConditionResult } from '../../model/condition.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  bench = await openBench();
  await bench.call('browser_navigate', {
    url: server.url('/observe.html?order=7'),
    waitUntil: 'load',
  });
  await bench.call('browser_evaluate', {
    function: 'fetch("/status?code=404").then(r => r.status)',
  });
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

interface Verdict {
  holds: boolean;
  results: ConditionResult[];
  waitedMs: number;
}
const check = async (conditions: unknown, more: object = {}) =>
  (await bench.call<Verdict>('browser_assert', { conditions, ...more })).output;

const HOLDS: Condition[] = [
  { kind: 'url', contains: 'order=7' },
  { kind: 'url', matches: '/observe\\.html\\?order=\\d+$' },
  { kind: 'element', target: 'h1', state: 'visible' },
  { kind: 'element', target: 'p[hidden]', state: 'hidden' },
  { kind: 'element', target: '#not-there', state: 'hidden' },
  { kind: 'element', target: '#go', state: 'enabled' },
  { kind: 'element', target: '#save', state: 'disabled' },
  { kind: 'element', target: '#terms', state: 'checked' },
  { kind: 'element', target: '#name', state: 'editable' },
  { kind: 'element', target: '#locked', state: 'readonly' },
  { kind: 'element', target: 'button', count: 2 },
  { kind: 'element', target: '#not-there', count: 0 },
  { kind: 'element', target: '#save', attribute: 'data-state', value: 'waiting' },
  { kind: 'element', target: '#save', attribute: 'disabled' },
  { kind: 'element', target: '#name', value: 'Ada' },
  { kind: 'element', target: '#secret', value: 'hunter2-secret' },
  { kind: 'element', target: 'role=button[name="Go"]' },
  { kind: 'text', contains: 'Text across several elements.' },
  { kind: 'text', contains: 'Hidden text', absent: true },
  { kind: 'console', level: 'error', contains: 'an error' },
  { kind: 'console', contains: 'never said', absent: true },
  { kind: 'network', containsUrl: '/status', method: 'GET', status: 404 },
  { kind: 'network', containsUrl: '/checkout', absent: true },
];
const FAILS: [Condition, string][] = [
  [{ kind: 'url', equals: 'http://example.com/' }, 'order=7'],
  [{ kind: 'url', contains: 'order=8' }, 'order=7'],
  [{ kind: 'url', matches: '^https:' }, 'http:'],
  [{ kind: 'element', target: '#not-there', state: 'visible' }, '0 matches'],
  [{ kind: 'element', target: 'h1', state: 'hidden' }, '1 match, 1 visible'],
  [{ kind: 'element', target: '#go', state: 'disabled' }, 'enabled'],
  [{ kind: 'element', target: '#save', state: 'enabled' }, 'disabled'],
  [{ kind: 'element', target: '#terms', state: 'unchecked' }, 'checked'],
  [{ kind: 'element', target: '#name', state: 'focused' }, 'not focused'],
  [{ kind: 'element', target: '#not-there', state: 'enabled' }, '0 matches'],
  [{ kind: 'element', target: 'h1', state: 'checked' }, 'Not a checkbox'],
  [{ kind: 'element', target: 'button', count: 3 }, '2 matches'],
  [{ kind: 'element', target: '#save', attribute: 'data-state', value: 'done' }, '"waiting"'],
  [{ kind: 'element', target: '#save', attribute: 'title' }, 'null'],
  [{ kind: 'element', target: '#name', value: 'Bob' }, '"Ada"'],
  [{ kind: 'element', target: '#secret', value: 'guess' }, '(not shown)'],
  [{ kind: 'text', contains: 'text across' }, 'not on the page'],
  [{ kind: 'text', contains: 'Observed page', absent: true }, 'on the page'],
  [{ kind: 'console', level: 'warning', contains: 'an error' }, '0 entries'],
  [{ kind: 'console', level: 'error', absent: true }, 'newest: error'],
  [{ kind: 'network', containsUrl: '/status', status: 200 }, '404'],
  [{ kind: 'network', containsUrl: '/status', method: 'POST' }, '0 requests'],
  [{ kind: 'network', containsUrl: '/status', absent: true }, '1 request'],
];

test.each(HOLDS)('holds: %j', async (condition) => {
  const { holds, results } = await check(condition);
  expect(results).toHaveLength(1);
  expect(results[0]?.found).not.toBe('');
  expect([holds, results[0]?.holds]).toEqual([true, true]);
});

test.each(FAILS)('fails: %j, found %s', async (condition, found) => {
  const { holds, results } = await check(condition);
  expect([holds, results[0]?.holds]).toEqual([false, false]);
  expect(results[0]?.found).toContain(found);
});

test('holds when all of several hold, and says which does not', async () => {
  const [first, second] = HOLDS as [Condition, Condition];
  expect((await check([first, second])).holds).toBe(true);
  const { output, text } = await bench.call<Verdict>('browser_assert', {
    conditions: [first, { kind: 'text', contains: 'Nowhere' }, second],
  });
  expect(output.holds).toBe(false);
  expect(output.results.map((result) => result.holds)).toEqual([true, false, true]);
  expect(text).toMatch(/^FAILED: 1 of 3 do not hold/);
});

test('never shows what stands in a password field', async () => {
  const { text } = await bench.call('browser_assert', {
    conditions: [
      { kind: 'element', target: '#secret', value: 'guess' },
      { kind: 'element', target: '#secret', attribute: 'value' },
    ],
  });
  expect(text).not.toContain('hunter2');
});

describe('takes 1 to 32 conditions', () => {
  const many = (count: number) =>
    Array.from({ length: count }, () => ({ kind: 'url', contains: 'observe' }));
  test.each([1, 32])('%i are checked', async (count) => {
    expect((await check(many(count))).results).toHaveLength(count);
  });
  test.each([0, 33])('%i are refused', async (count) => {
    expect((await bench.fail('browser_assert', { conditions: many(count) })).code).toBe(
      'bad_input',
    );
  });
});

test.each([
  { kind: 'weather', contains: 'rain' },
  { kind: 'url' },
  { kind: 'url', matches: '(' },
  { kind: 'element', target: '##' },
  { kind: 'element', target: 'h1', state: 'happy' },
  { kind: 'text', contains: 'x', absnt: true },
])('refuses %j', async (condition) => {
  expect((await bench.fail('browser_assert', { conditions: [condition] })).code).toBe('bad_input');
});

test('waits until all hold, at most as long as it was told', async () => {
  await bench.call('browser_evaluate', { function: 'document.getElementById("go").click()' });
  const condition = { kind: 'text', contains: 'It has arrived' };
  const waited = await check(condition, { waitMs: 5_000 });
  expect(waited.holds).toBe(true);
  expect(waited.waitedMs).toBeLessThan(4_000);
  const given = await check({ kind: 'text', contains: 'Never' }, { waitMs: 400 });
  expect(given.holds).toBe(false);
  expect(given.waitedMs).toBeGreaterThanOrEqual(400);
  expect(given.waitedMs).toBeLessThan(3_000);
});

test('shows the text of frames too', async () => {
  await bench.call('browser_tabs', { action: 'new' });
  await bench.call('browser_navigate', { url: server.url('/frames.html'), waitUntil: 'load' });
  const { output } = await bench.call<{ text: string }>('browser_evaluate', {
    function:
      '() => document.querySelector("iframe").contentDocument.body.innerText.trim().split("\\n")[0]',
  });
  const inside = JSON.parse(output.text) as string;
  expect((await check({ kind: 'text', contains: inside }, { waitMs: 3_000 })).holds).toBe(true);
});
