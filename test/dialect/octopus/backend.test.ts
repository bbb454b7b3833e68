import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { octopus } from '../../../src/app/library.ts';
import type { OctopusBackend } from '../../../src/dialect/octopus/backend.ts';
import { LocalBackend } from '../../../src/dialect/octopus/local-backend.ts';
import { openOriel } from '../../library/fixture.ts';
import { startOriel, type TestOriel } from '../../harness/oriel.ts';
import { verifies } from '../../harness/verifies.ts';
import { FakeBackend } from './fake-backend.ts';
import { startSite } from './site.ts';
import { inProcess } from './speaker.ts';
import { describeTools } from './suite.ts';

let fake: FakeBackend;
let oriel: TestOriel | undefined;
afterEach(async () => {
  await oriel?.[Symbol.asyncDispose]();
  oriel = undefined;
});

async function start(options: Parameters<typeof startOriel>[0] = {}) {
  fake = new FakeBackend();
  oriel = await startOriel({ dialect: octopus({ backend: fake }), ...options });
  return { oriel, to: inProcess(oriel), url: oriel.fixtures.url('/blank.html') };
}

describe('a backend of the host', () => {
  it('has the one interface that ours has too, and the same eight tools before it', () => {
    verifies('D-001', 'D-002', 'D-003');
    const methods: readonly (keyof OctopusBackend)[] = [
      'initialize',
      'createSession',
      'closeSession',
      'navigate',
      'getSnapshot',
      'click',
      'typeText',
      'getText',
      'executeJs',
      'screenshot',
      'closeAll',
    ];
    for (const method of methods) {
      expect(LocalBackend.prototype[method], method).toBeTypeOf('function');
      expect(FakeBackend.prototype[method], method).toBeTypeOf('function');
    }
    const own = octopus();
    const other = octopus({ backend: new FakeBackend() });
    const told = ({ tools, instructions }: typeof own) => [
      tools.map(({ name, summary, effects }) => ({ name, summary, effects })),
      instructions,
    ];
    expect(told(other)).toEqual(told(own));
    const folder = new URL('../../../src/dialect/octopus/', import.meta.url);
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['backend.ts', 'local-backend.ts', 'tools.ts', 'octopus.ts']),
    );
    // The tools know the interface and no backend.
    const tools = readFileSync(new URL('tools.ts', folder), 'utf8');
    expect(tools).not.toMatch(/local-backend|hosted-backend/);
  });

  it('is initialised once, by the first call, and has a session for each of ours', async () => {
    verifies('D-002', 'D-003', 'D-005', 'D-051');
    const { to, url, oriel: running } = await start();
    expect(fake.asked).toEqual([]);
    const ids = await Promise.all([to.open(url), to.open(url), to.open(url, 'mine')]);
    expect(fake.asked.filter((name) => name === 'initialize')).toHaveLength(1);
    expect(fake.openSessions).toHaveLength(3);
    expect(running.core.deps.sessions.all.map(({ key }) => key).toSorted()).toEqual(
      fake.openSessions.toSorted(),
    );
    await to.done('browser_close', { session_id: ids[0] });
    expect(fake.openSessions).toHaveLength(2);
    expect(running.core.deps.engine.running).toBeNull();
  });

  it('is called inside of calls, which are admitted and recorded', async () => {
    verifies('D-002');
    const {
      to,
      url,
      oriel: running,
    } = await start({
      config: {
        script: false,
        policy: { rules: [{ tools: ['octopus_backend_click'], decision: 'deny' }] },
      },
    });
    const id = await to.open(url);
    const refused = await to.fails('browser_click', { element_ref: 'body', session_id: id });
    expect(refused['error']).toContain('refuses');
    await to.fails('browser_navigate', { url: 'http://10.0.0.1/', session_id: id });
    expect(fake.asked).toEqual(['initialize', 'createSession', 'navigate']);
    const entries = await running.audit();
    expect(entries.find(({ tool }) => tool === 'octopus_backend_navigate')).toMatchObject({
      via: 'octopus/browser_navigate',
      status: 'done',
      effect: 'act',
    });
  });

  it('ends with ours: sessions that idle, and all when the server does', async () => {
    verifies('D-005', 'D-029', 'D-032');
    let nowMs = 0;
    const { to, url } = await start({
      config: { sessions: { sweepMs: 100 } },
      host: { clock: () => nowMs },
    });
    const idle = await to.open(url);
    nowMs = 200_000;
    const busy = await to.open(url);
    nowMs = 300_001;
    await expect.poll(() => fake.openSessions.length).toBe(1);
    expect((await to.fails('browser_snapshot', { session_id: idle }))['error']).toBe(
      'Session not found',
    );
    await to.done('browser_snapshot', { session_id: busy });
    await oriel?.[Symbol.asyncDispose]();
    oriel = undefined;
    expect(fake.openSessions).toEqual([]);
    expect(fake.asked.at(-1)).toBe('closeAll');
    expect(fake.isRunning).toBe(false);
  });

  it('counts to the same cap', async () => {
    verifies('D-005', 'D-035');
    const { to, url } = await start();
    for (let n = 0; n < 10; n++) await to.open(url);
    expect((await to.fails('browser_navigate', { url }))['error']).toBe(
      'Maximum sessions reached: 10',
    );
    expect(fake.openSessions).toHaveLength(10);
  });

  it('may fail: its words are told as those of others, and the next call tries again', async () => {
    const { to, url } = await start();
    fake.failure = new Error('no room in the cloud');
    const failed = await to.call('browser_navigate', { url });
    expect(failed.value).toMatchObject({ success: false });
    expect(failed.value['error']).toContain('no room in the cloud');
    expect(failed.blocks[1]?.text).toContain('data, not instructions');
    await to.open(url);
    expect(fake.asked.filter((name) => name === 'initialize')).toHaveLength(2);
  });

  it('can be handed to the library', async () => {
    verifies('D-002');
    fake = new FakeBackend();
    await using site = await startSite();
    {
      await using library = await openOriel({}, { dialect: octopus({ backend: fake }) });
      expect(library.tools.map(({ name }) => name)).toHaveLength(8);
      const outcome = await library.call('browser_navigate', { url: site.url('/plain') });
      expect(outcome).toMatchObject({ status: 'done', output: { success: true, title: 'Plain' } });
    }
    expect(fake.isRunning).toBe(false);
  });
});

describeTools('a backend of the host, in this process', async () => {
  const running = await startOriel({ dialect: octopus({ backend: new FakeBackend() }) });
  return {
    speaker: inProcess(running),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
});
