import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, afterAll, expect, test } from 'vitest';
import { CoreFixture, textOf } from '../../../test/files/core-fixture.ts';
import { reply } from '../../../test/harness/route-handlers.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
  await fixture.goto('/blank.html');
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.done('browser_emulate', { action: 'clear' });
  await fixture.goto('/blank.html');
});

const set = (input: object) =>
  fixture.done<{ done: string; active: string[] }>('browser_emulate', input);
const headersSent = async () => {
  await fixture.goto('/echo');
  return fixture.evaluate<Record<string, string>>(
    '() => JSON.parse(document.body.innerText).headers',
  );
};
const looks = () =>
  fixture.evaluate<Record<string, unknown>>(`() => ({
    width: innerWidth, density: devicePixelRatio, touch: navigator.maxTouchPoints,
    agent: navigator.userAgent, language: navigator.language,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    calm: matchMedia('(prefers-reduced-motion: reduce)').matches,
    print: matchMedia('print').matches,
    forced: matchMedia('(forced-colors: active)').matches,
    contrast: matchMedia('(prefers-contrast: more)').matches,
  })`);

test('a device is its screen, its touch and its user agent, across sites and in new pages', async () => {
  const plain = await looks();
  await set({ device: 'pixel 7' });
  for (const origin of [fixture.server.origin, fixture.server.otherOrigin]) {
    await fixture.done('browser_navigate', { url: `${origin}/form-50.html` });
    const seen = await looks();
    expect(seen).toMatchObject({ density: 2.625, touch: 5 });
    expect(seen['agent']).toContain('Pixel 7');
  }
  const sent = await headersSent();
  expect(sent['user-agent']).toContain('Pixel 7');
  await fixture.done('browser_tabs', { action: 'new', url: fixture.server.url('/echo') });
  expect((await looks())['agent']).toContain('Pixel 7');
  const first = await fixture.evaluate<{ headers: Record<string, string> }>(
    '() => JSON.parse(document.body.innerText)',
  );
  expect(first.headers['user-agent']).toContain('Pixel 7');
  await fixture.done('browser_tabs', { action: 'close' });
  const { output } = await set({ action: 'clear' });
  expect(output.done).toContain('device Pixel 7');
  await fixture.goto('/blank.html');
  expect(await looks()).toEqual(plain);
});

test('an unknown device is refused with the nearest, and so are locales and zones that are none', async () => {
  const device = await fixture.failed('browser_emulate', { device: 'iPhon 15' });
  expect(device.error.hint).toContain('iPhone 15');
  for (const input of [{ locale: '!!' }, { locale: 'xx-nowhere' }, { timezone: 'Nowhere/X' }]) {
    expect((await fixture.failed('browser_emulate', input)).error.code).toBe('bad_input');
  }
  expect((await set({ action: 'get' })).output.active).toEqual([]);
});

test('preferences, language and time zone are what a page sees, for one page or all', async () => {
  const plain = await looks();
  await set({
    colorScheme: 'dark',
    reducedMotion: 'reduce',
    forcedColors: 'active',
    contrast: 'more',
    media: 'print',
    locale: 'de-DE',
    timezone: 'Asia/Tokyo',
    userAgent: 'Tester/1.0',
  });
  expect(await looks()).toMatchObject({
    dark: true,
    calm: true,
    print: true,
    forced: true,
    contrast: true,
    zone: 'Asia/Tokyo',
    locale: 'de-DE',
    language: 'de-DE',
    agent: 'Tester/1.0',
  });
  expect(await headersSent()).toMatchObject({
    'accept-language': 'de-DE',
    'user-agent': 'Tester/1.0',
  });
  await set({ action: 'clear' });
  await fixture.goto('/blank.html');
  expect(await looks()).toEqual(plain);

  await fixture.done('browser_tabs', { action: 'new' });
  await set({ page: 'p1', colorScheme: 'dark' });
  expect((await set({ action: 'get' })).output.active).toEqual(['colorScheme dark (p1)']);
  expect((await looks())['dark']).toBe(false);
  await fixture.done('browser_tabs', { action: 'close' });
});

test('a locale alone keeps the user agent', async () => {
  const { agent } = await looks();
  await set({ locale: 'fr-FR' });
  expect(await looks()).toMatchObject({ agent, language: 'fr-FR', locale: 'fr-FR' });
});

test('the place is given to pages that have the permission, and to no others', async () => {
  await fixture.done('browser_navigate', { url: `${fixture.server.otherOrigin}/blank.html` });
  const where = () =>
    fixture.evaluate(`() => new Promise((resolve) => navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve([coords.latitude, coords.longitude]), (error) => resolve(error.code)))`);
  await set({ geolocation: { latitude: 52.5, longitude: 13.4 }, permissions: ['geolocation'] });
  expect(await where()).toEqual([52.5, 13.4]);
  expect((await set({ action: 'get' })).output.active).toEqual([
    'geolocation 52.5, 13.4',
    'permissions geolocation',
  ]);
  await set({ action: 'clear' });
  expect(await where()).toBe(1);
  for (const [latitude, isTaken] of [
    [-90, true],
    [90, true],
    [90.1, false],
    [-90.1, false],
  ] as const) {
    const outcome = await fixture.call('browser_emulate', {
      geolocation: { latitude, longitude: 0 },
    });
    expect(outcome.status, String(latitude)).toBe(isTaken ? 'done' : 'failed');
  }
  const none = await fixture.failed('browser_emulate', { permissions: ['telepathy'] });
  expect(none.error).toMatchObject({ code: 'bad_input' });
});

test('off line nothing loads, also on a slow line, and back on line it does', async () => {
  await set({ offline: true, network: { latencyMs: 50 } });
  const { error } = await fixture.failed('browser_navigate', {
    url: fixture.server.url('/blank.html'),
  });
  expect(error.message).toContain('ERR_INTERNET_DISCONNECTED');
  expect((await set({ action: 'get' })).output.active).toEqual(['network latencyMs 50', 'offline']);
  await set({ offline: false });
  expect((await fixture.goto('/blank.html')).status).toBe('done');
});

test('a slow line and a slow processor are slow', async () => {
  const time = async (script: string) => {
    const startedAt = performance.now();
    await fixture.evaluate(script);
    return performance.now() - startedAt;
  };
  await fixture.done('browser_emulate', { network: { latencyMs: 400 } });
  expect(await time(`() => fetch('/poll?a')`)).toBeGreaterThan(390);
  await set({ action: 'clear' });
  const spin = `() => { const end = performance.now(); let sum = 0; for (let i = 0; i < 2e7; i++) sum += i % 7; return performance.now() - end }`;
  await fixture.evaluate(spin);
  const usual = await fixture.evaluate<number>(spin);
  await set({ cpuSlowdown: 8 });
  expect(await fixture.evaluate<number>(spin)).toBeGreaterThan(usual * 2);
  for (const [cpuSlowdown, isTaken] of [
    [0.9, false],
    [1, true],
    [20, true],
    [20.1, false],
  ] as const) {
    const outcome = await fixture.call('browser_emulate', { cpuSlowdown });
    expect(outcome.status, String(cpuSlowdown)).toBe(isTaken ? 'done' : 'failed');
  }
});

test('headers are sent by every page, and their values are shown nowhere', async () => {
  const { output, text } = await set({ extraHeaders: { 'x-token': 'hush-hush-value' } });
  expect(output.active).toEqual(['headers x-token']);
  expect(text).not.toContain('hush');
  expect((await headersSent())['x-token']).toBe('hush-hush-value');
  for (const extraHeaders of [{ 'bad name': 'x' }, { ok: 'a\r\nb: c' }]) {
    expect((await fixture.failed('browser_emulate', { extraHeaders })).error.code).toBe(
      'bad_input',
    );
  }
  await set({ action: 'clear' });
  expect((await headersSent())['x-token']).toBeUndefined();
});

test('credentials go to their origin alone and stand in no answer, status, error or record', async () => {
  const asked: (string | undefined)[] = [];
  fixture.server.route('/private', (request, response, closed) => {
    asked.push(request.headers.authorization);
    if (request.headers.authorization) return reply('<h1>In</h1>')(request, response, closed);
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('who?');
  });
  const { origin, otherOrigin } = fixture.server;
  const secret = 'correct-horse-battery';
  const told: string[] = [];
  const credentials = { origin, username: 'ann', password: secret };
  told.push((await set({ httpCredentials: credentials })).text);
  await fixture.done('browser_navigate', { url: `${origin}/private` });
  const expected = `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`;
  expect(asked.at(-1)).toBe(expected);
  asked.length = 0;
  told.push(textOf(await fixture.call('browser_navigate', { url: `${otherOrigin}/private` })));
  expect(asked).not.toContain(expected);
  told.push((await fixture.done('browser_session')).text);
  for (const httpCredentials of [
    { ...credentials, origin: 'x' },
    { ...credentials, username: 5 },
    { ...credentials, more: 1 },
  ]) {
    const outcome = await fixture.failed('browser_emulate', { httpCredentials });
    told.push(JSON.stringify(outcome));
  }
  expect(told.join('\n')).toContain(`HTTP credentials for ${origin}`);
  expect(told.join('\n')).not.toContain(secret);
  const audit = path.join(fixture.folder, 'data', 'audit');
  const record = () =>
    readdirSync(audit)
      .map((file) => readFileSync(path.join(audit, file), 'utf8'))
      .join('');
  await expect.poll(record).toContain('httpCredentials');
  expect(record()).not.toContain(secret);
  expect(record()).not.toContain('hush-hush-value');
});

test('what holds for a session alone is refused for a page', async () => {
  const { error } = await fixture.failed('browser_emulate', { page: 'p1', offline: true });
  expect(error).toMatchObject({ code: 'bad_input' });
});

test('a server that only reads changes nothing here', async () => {
  await using readonly = await CoreFixture.open({ mode: 'readonly' });
  for (const input of [{ colorScheme: 'dark' }, { action: 'clear' }]) {
    expect((await readonly.failed('browser_emulate', input)).error.code).toBe('denied');
  }
});
