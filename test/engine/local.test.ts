import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Breaker } from '../../src/engine/breaker.ts';
import type { LaunchAmendment } from '../../src/engine/engine.ts';
import { isOrielError } from '../../src/kernel/errors.ts';
import { EngineFixture, never, until } from './fixture.ts';

let fixture: EngineFixture;
beforeEach(() => {
  fixture = new EngineFixture();
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
});

describe('starting', () => {
  test('first calls at the same time share one browser', async () => {
    const engine = fixture.engine();
    const leases = await Promise.all([1, 2, 3, 4].map(() => engine.open({}, never)));
    expect(new Set(leases.map(({ browser }) => browser)).size).toBe(1);
    expect(leases.map(({ generation }) => generation)).toEqual([1, 1, 1, 1]);
    await until(() => leases[0]!.facts.pid !== null, 3000);
    const roots = (await fixture.browsers()).filter(({ parentPid }) => parentPid === process.pid);
    expect(roots).toHaveLength(1);
  });

  test('a caller that cancels leaves the start to the others', async () => {
    const engine = fixture.engine();
    const caller = new AbortController();
    const first = engine.open({}, caller.signal);
    const second = engine.open({}, never);
    caller.abort(new Error('changed my mind'));
    await expect(first).rejects.toThrow('changed my mind');
    const lease = await second;
    expect(lease.browser.isConnected()).toBe(true);
    expect(engine.status()).toMatchObject({ state: 'running', generation: 1, leases: 1 });
  });

  test('status before the first call starts nothing', async () => {
    const engine = fixture.engine();
    expect(engine.status()).toMatchObject({ state: 'idle', generation: 0, isWatched: false });
    expect(engine.running).toBeNull();
  });

  test('a page works, and status tells what runs', async () => {
    const engine = fixture.engine();
    const notes: string[] = [];
    await using lease = await engine.open({ onProgress: (note) => notes.push(note) }, never);
    const page = await lease.browser.newPage();
    await page.setContent('<title>Shop</title>');
    expect(await page.title()).toBe('Shop');
    expect(notes[0]).toMatch(/^Starting the browser \//);
    expect(engine.status()).toMatchObject({
      state: 'running',
      isWatched: true,
      leases: 1,
      browser: { version: expect.stringMatching(/^\d+\./), egress: 'none', isHeadless: true },
    });
    await page.close();
  });

  test('a browser that takes 8 s to start still starts, and says that it is at it', async () => {
    const slow = fixture.script('slow', '#!/bin/sh\nsleep 8\nexec /usr/bin/chromium "$@"\n');
    const engine = fixture.engine({ executablePath: slow });
    const notes: string[] = [];
    const lease = await engine.open({ onProgress: (note) => notes.push(note) }, never);
    expect(lease.facts.kind).toBe('custom');
    expect(notes).toContainEqual('The browser is still starting, 5 s so far.');
  });

  test('closing while a browser starts leaves none', async () => {
    const engine = fixture.engine();
    const opening = engine.open({}, never);
    await until(() => engine.status().state === 'starting', 1000);
    await engine[Symbol.asyncDispose]();
    await expect(opening).rejects.toSatisfy((failure) => isOrielError(failure, 'cancelled'));
    await expect(engine.open({}, never)).rejects.toSatisfy((failure) =>
      isOrielError(failure, 'cancelled'),
    );
  });
});

describe('a browser that died', () => {
  test('is followed by the next generation', async () => {
    const engine = fixture.engine();
    const first = await engine.open({}, never);
    await until(() => first.facts.pid !== null, 3000);
    process.kill(first.facts.pid!, 'SIGKILL');
    await until(() => first.gone.aborted, 3000);
    expect(first.gone.reason).toMatchObject({ code: 'gone', details: { generation: 1 } });
    const second = await engine.open({}, never);
    expect(second.generation).toBe(2);
    expect(await (await second.browser.newPage()).evaluate('1 + 1')).toBe(2);
  });

  test('leaves neither processes nor folders behind', async () => {
    const engine = fixture.engine();
    const lease = await engine.open({}, never);
    await (await lease.browser.newPage()).setContent('<p>x</p>');
    await until(() => lease.facts.pid !== null, 3000);
    process.kill(lease.facts.pid!, 'SIGKILL');
    await until(async () => fixture.records().length === 0, 4000);
    expect(engine.running).toBeNull();
  });

  test('and one that hangs is given up without waiting for it', async () => {
    const engine = fixture.engine();
    const first = await engine.open({}, never);
    await until(() => first.facts.pid !== null, 3000);
    process.kill(first.facts.pid!, 'SIGSTOP');
    engine.abandon(1, 'it does not answer');
    expect(first.gone.reason).toMatchObject({
      code: 'gone',
      message: 'Browser generation 1 has gone: it does not answer.',
    });
    expect((await engine.open({}, never)).generation).toBe(2);
  });
});

describe('a browser that does not start', () => {
  test('is not tried in a loop, and its own words are told', async () => {
    let nowMs = 0;
    const broken = fixture.script(
      'broken',
      `#!/bin/sh\necho x >> ${fixture.dataDir}/tries\necho "chromium: error while loading shared libraries: libnss3.so: cannot open" >&2\nexit 127\n`,
    );
    const engine = fixture.engine({
      executablePath: broken,
      breaker: new Breaker(1000, 60_000, () => nowMs),
    });
    const tries = async () => {
      const { readFileSync } = await import('node:fs');
      return readFileSync(`${fixture.dataDir}/tries`, 'utf8').split('\n').length - 1;
    };
    await expect(engine.open({}, never)).rejects.toMatchObject({
      code: 'setup_needed',
      message: expect.stringContaining('libnss3.so'),
    });
    for (let call = 0; call < 5; call++) {
      await expect(engine.open({}, never)).rejects.toMatchObject({
        code: 'setup_needed',
        message: expect.stringContaining('failed to start 1 time(s); the next try is in 1 s'),
      });
    }
    expect(await tries()).toBe(1);
    expect(engine.status()).toMatchObject({
      state: 'failing',
      failure: { tries: 1, waitMs: 1000 },
    });
    nowMs = 1000;
    await expect(engine.open({}, never)).rejects.toMatchObject({ code: 'setup_needed' });
    expect(await tries()).toBe(2);
    expect(engine.status().failure?.waitMs).toBe(2000);
  });

  test('in the time allowed is ended', async () => {
    const stuck = fixture.script('stuck', '#!/bin/sh\nsleep 600 & wait\n');
    const engine = fixture.engine({ executablePath: stuck, startTimeoutMs: 1500 });
    await expect(engine.open({}, never)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('did not start in time'),
    });
  });

  test('because its path is wrong is named', async () => {
    const engine = fixture.engine({ executablePath: '/nowhere/chrome' });
    await expect(engine.open({}, never)).rejects.toMatchObject({
      code: 'setup_needed',
      message: expect.stringContaining('/nowhere/chrome'),
    });
  });

  test('is not asked for with switches that undo the gate', () => {
    for (const arg of ['--proxy-server=direct://', '--no-sandbox', '--disable-gpu-sandbox', 'x']) {
      expect(() => fixture.engine({ args: [arg] })).toThrow(
        expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(arg) }),
      );
    }
    expect(() => fixture.engine({ args: ['--lang=de', '--window-size=800,600'] })).not.toThrow();
  });
});

describe('an amendment', () => {
  const amendment = (parts: Partial<LaunchAmendment>, disposed: string[]): LaunchAmendment => ({
    launchArgs: [],
    egress: 'gate',
    [Symbol.asyncDispose]: async () => void disposed.push('disposed'),
    ...parts,
  });

  test('adds switches, wraps the executable and names the level of egress', async () => {
    const disposed: string[] = [];
    const wrapper = fixture.script('wrapper', '#!/bin/sh\nexec /usr/bin/chromium "$@"\n');
    const engine = fixture.engine({
      amendLaunch: async () =>
        amendment(
          { launchArgs: ['--oriel-trial=1'], wrapExecutable: async () => wrapper },
          disposed,
        ),
    });
    const lease = await engine.open({}, never);
    expect(lease.egress).toBe('gate');
    await until(() => lease.facts.pid !== null, 3000);
    const [browser] = await fixture.browsers();
    expect(browser?.command).toContain('--oriel-trial=1');
    await engine[Symbol.asyncDispose]();
    expect(disposed.length).toBeGreaterThan(0);
  });

  test('that finds the browser unsafe has it ended', async () => {
    const disposed: string[] = [];
    const engine = fixture.engine({
      amendLaunch: async () =>
        amendment({ verify: async () => Promise.reject(new Error('canary')) }, disposed),
    });
    await expect(engine.open({}, never)).rejects.toMatchObject({ code: 'upstream' });
    expect(await fixture.browsers()).toEqual([]);
    expect(disposed.length).toBeGreaterThan(0);
  });

  test('that ends takes its browser along', async () => {
    const gate = new AbortController();
    const engine = fixture.engine({
      amendLaunch: async () => amendment({ mustEnd: gate.signal }, []),
    });
    const lease = await engine.open({}, never);
    gate.abort();
    expect(lease.gone.reason).toMatchObject({ code: 'gone' });
    await until(async () => fixture.records().length === 0, 4000);
  });
});
