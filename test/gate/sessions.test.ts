import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { AuditRecord } from '../../src/gate/audit.ts';
import { Gate } from '../../src/gate/gate.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { browsersOfThisRun, launchOn } from './browser-under-test.ts';
import { buildChild } from './built-child.ts';
import { PublicSite } from './public-site.ts';

const PUBLIC = '93.184.216.34';
const { signal } = new AbortController();
const SESSIONS = Array.from({ length: 8 }, (_, n) => n);
const KINDS = ['page', 'image', 'popup', 'worker', 'shared'] as const;

const nameOf = (kind: string, session: number) => `${kind}.s${session}.test`;

describe.each(browsersOfThisRun())('eight sessions with eight policies in %s', (_name, path) => {
  const scope = new Scope();
  const records: AuditRecord[] = [];
  let gate: Gate;
  let site: PublicSite;

  beforeAll(async () => {
    const child = scope.own(await buildChild());
    site = scope.own(await PublicSite.open());
    const names = SESSIONS.flatMap((n) => KINDS.map((kind) => nameOf(kind, n)));
    gate = scope.own(
      new Gate({
        policy: networkPolicySchema.parse({
          hosts: Object.fromEntries(names.map((name) => [name, [PUBLIC]])),
        }),
        childPath: child.path,
        audit: (record) => records.push(record),
        testing: { dialMap: { [PUBLIC]: { host: '127.0.0.1', port: site.port } } },
      }),
    );
    await gate.start(signal);
  });
  afterAll(() => scope[Symbol.asyncDispose]());

  it('misroutes nothing, popups and workers included', async () => {
    const browser = await launchOn(gate, path, {
      args: ['--disable-features=LocalNetworkAccessChecks', '--disable-popup-blocking'],
    });
    scope.defer(() => browser.close());
    await Promise.all(
      SESSIONS.map(async (n) => {
        const allowlist = [`.s${n}.test`];
        const listener = scope.own(await gate.openListener(`s${n}`, { allowlist }, signal));
        const context = await browser.newContext({ proxy: listener.contextProxy });
        const page = await context.newPage();
        await page.goto(`http://${nameOf('page', n)}/ok`);
        const popup = context.waitForEvent('page');
        const other = nameOf('image', (n + 1) % 8);
        await page.evaluate(`
          for (const host of ['${nameOf('image', n)}', '${other}']) {
            document.body.append(Object.assign(new Image(), { src: 'http://' + host + '/x' }));
          }
          open('http://${nameOf('popup', n)}/ok');
          new Worker('/worker.js?target=http://${nameOf('worker', n)}/x');
          new SharedWorker('/worker.js?target=http://${nameOf('shared', n)}/x');
        `);
        await (await popup).waitForURL(/popup/);
        await expect.poll(() => listener.blocked().map(({ host }) => host)).toContain(other);
      }),
    );
    for (const n of SESSIONS) {
      for (const kind of KINDS) {
        const asked = site.asked.some((line) => line.includes(`${nameOf(kind, n)}/`));
        if (!asked) {
          await expect
            .poll(() => site.asked.join('\n'), { timeout: 5000 })
            .toContain(`${nameOf(kind, n)}/`);
        }
      }
    }
    await browser.close();
    await expect
      .poll(() => records.filter(({ decision }) => decision === 'allow').length)
      .toBeGreaterThanOrEqual(SESSIONS.length);
    const misrouted = records.filter(({ decision, session, host }) => {
      const owner = /\.s(\d)\.test$/.exec(host)?.[1];
      return decision === 'allow' && session !== `s${owner}`;
    });
    expect(misrouted).toEqual([]);
    const refused = records.filter(({ decision }) => decision === 'block');
    for (const { session, host } of refused) expect(host).not.toContain(`.${session}.test`);
  });
});

describe.each(browsersOfThisRun())(
  'a session of %s whose policy becomes narrower',
  (_name, path) => {
    it('loses the tunnels that it would not have got', async () => {
      const scope = new Scope();
      try {
        const child = scope.own(await buildChild());
        const site = scope.own(await PublicSite.open());
        const gate = scope.own(
          new Gate({
            policy: networkPolicySchema.parse({ hosts: { 'public.test': [PUBLIC] } }),
            childPath: child.path,
            testing: { dialMap: { [PUBLIC]: { host: '127.0.0.1', port: site.port } } },
          }),
        );
        const listener = await gate.openListener('s1', {}, signal);
        const browser = await launchOn(gate, path);
        scope.defer(() => browser.close());
        const context = await browser.newContext({ proxy: listener.contextProxy });
        const page = await context.newPage();
        await page.goto('http://public.test/ok');
        const closed = page.evaluate(`new Promise((resolve) => {
        const socket = new WebSocket('ws://public.test/ws');
        socket.onmessage = () => (document.title = 'open');
        socket.onclose = () => resolve('closed');
      })`);
        await expect.poll(() => page.title()).toBe('open');
        await listener.setPolicy({ denyHosts: ['public.test'] });
        expect(await closed).toBe('closed');
        await expect(page.goto('http://public.test/again')).rejects.toThrow(/SOCKS/);
        expect(listener.blocked().at(-1)).toMatchObject({ rule: 'deny_host' });
      } finally {
        await scope[Symbol.asyncDispose]();
      }
    });
  },
);
