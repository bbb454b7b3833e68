import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Gate } from '../../src/gate/gate.ts';
import type { GateListener } from '../../src/gate/gate-listener.ts';
import { type Namespace, probeKernelLevel } from '../../src/gate/namespace.ts';
import { Scope } from '../../src/kernel/scope.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { type Browser, BROWSERS, launchOn } from './browser-under-test.ts';
import { buildChild } from './built-child.ts';
import { CountingServer } from './counting-server.ts';
import { PublicSite } from './public-site.ts';
import { Sample } from './sample.ts';
import { type Vector, vectorsOf } from './vectors.ts';

const PUBLIC = '93.184.216.34';
const OTHER = '151.101.1.69';
const ALLOWED_PRIVATE = '10.0.0.9';
const { signal } = new AbortController();

/** Kinds that want a secure context. A name below localhost is one, also behind a proxy. */
const SECURE = new Set(['sw-import', 'sw-public', 'webauthn', 'webtransport']);

/** What Chromium 156 does not even try here; see docs/discoveries/chromium-and-the-gate.md. */
const NEVER_TRIED = new Set([
  'a-ping',
  'svg-use',
  'link-preconnect',
  'xslt',
  'webrtc-ice-tcp',
  'link-dnsprefetch',
  'link-icon',
  'link-manifest',
  'fetch-later',
  'reporting-api',
  'webauthn',
  'webrtc-stun-udp',
  'webrtc-turn-udp',
  'webrtc-mdns',
  'webrtc-dns',
  'webtransport',
  'quic-altsvc',
  'file-window-open',
  'chrome-location',
]);

const LEVELS = ['gate', 'kernel'] as const;
const BLOCKED = vectorsOf('e2e').filter((vector) => vector.expect === 'block');

/** Every vector in every browser at each level takes minutes; a normal run draws some of them. */
const sample = Sample.ofThisRun(24);
const browsers = sample.isWhole ? BROWSERS : [sample.one(BROWSERS)];
const drawn = sample.draw(BLOCKED);
const MATRIX = browsers.flatMap(([name, path]) =>
  LEVELS.map(
    (level, nth) =>
      [
        name,
        level,
        path,
        sample.isWhole ? drawn : drawn.filter((_, index) => index % LEVELS.length === nth),
      ] as const,
  ),
);

describe.each(MATRIX)('in %s at the %s level', (_name, level, path, blocked) => {
  const scope = new Scope();
  let gate: Gate;
  let browser: Browser;
  let namespace: Namespace | undefined;
  let site: PublicSite;
  /** Stands for every address that must not be reached, should the gate ever connect to it. */
  let forbidden: CountingServer;
  /** Really there on loopback, on a port that the policy allows, for what goes past the gate. */
  let live: CountingServer;
  let datagrams = 0;
  let nth = 0;

  beforeAll(async () => {
    const child = scope.own(await buildChild());
    site = scope.own(await PublicSite.open());
    forbidden = scope.own(await CountingServer.open());
    live = scope.own(await CountingServer.open());
    const udp = scope.own(await countDatagrams(live.port, () => datagrams++));
    expect(udp).toBeDefined();
    const atSite = { host: '127.0.0.1', port: site.port };
    const atForbidden = { host: '127.0.0.1', port: forbidden.port };
    gate = scope.own(
      new Gate({
        policy: networkPolicySchema.parse({
          hosts: {
            'public.test': [PUBLIC],
            'app.localhost': [PUBLIC],
            'other.test': [OTHER],
            'victim.test': ['10.0.0.5'],
            'intra.test': [ALLOWED_PRIVATE],
          },
          exemptHosts: ['intra.test', 'app.localhost'],
          allowedPorts: [80, 443, 8080, 8443, live.port],
        }),
        childPath: child.path,
        testing: {
          dialMap: {
            [PUBLIC]: atSite,
            [OTHER]: atSite,
            [ALLOWED_PRIVATE]: atSite,
            [`${PUBLIC}:6379`]: atForbidden,
            '10.0.0.5': atForbidden,
            '169.254.169.254': atForbidden,
          },
        },
      }),
    );
    await gate.start(signal);
    if (level === 'kernel') {
      const probe = await probeKernelLevel({ signal });
      if (probe.level !== 'kernel') throw new Error(probe.reason);
      namespace = scope.own(await gate.openNamespace(probe.command, signal));
    }
    browser = await launchOn(gate, path, {
      ...(namespace ? { namespace } : {}),
      // Off, so that it is the gate that refuses and not Chromium before it.
      args: [
        '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
        '--disable-popup-blocking',
      ],
    });
    scope.defer(() => browser.close());
  });
  afterAll(() => scope[Symbol.asyncDispose]());

  /** Runs `act` in a session of its own and returns its listener. */
  async function inSession(
    act: (page: Awaited<ReturnType<Browser['newPage']>>, listener: GateListener) => Promise<void>,
  ): Promise<void> {
    await using listener = await gate.openListener(`v${++nth}`, {}, signal, namespace);
    const context = await browser.newContext({ proxy: listener.contextProxy });
    try {
      await act(await context.newPage(), listener);
    } finally {
      await context.close();
    }
  }

  const targetsOf = (vector: Vector) => {
    const target = vector.target ?? '';
    const isPage = target === 'http://10.0.0.5/secret';
    return isPage ? [target, `http://127.0.0.1:${live.port}/secret`] : [target];
  };

  const startOf = (vector: Vector, target: string) => {
    const query = new URLSearchParams({ kind: vector.kind ?? '', target });
    if (!vector.kind?.startsWith('redirect') || vector.kind === 'redirect-post') {
      return `http://${SECURE.has(vector.kind ?? '') ? 'app.localhost' : 'public.test'}/page?${query}`;
    }
    query.set('status', String(vector.status ?? 302));
    query.set('hops', String(vector.hops ?? 1));
    return `http://public.test/redirect?${query}`;
  };

  it.each(blocked.map((vector) => [`${vector.id}: ${vector.why}`, vector] as const))(
    '%s',
    async (_title, vector) => {
      for (const target of vector.url ? [vector.url] : targetsOf(vector)) {
        await inSession(async (page, listener) => {
          await page.goto(vector.url ?? startOf(vector, target)).catch(() => {});
          const { hostname } = new URL(target);
          const isTried =
            !NEVER_TRIED.has(vector.kind ?? '') &&
            // Without an interface but loopback, WebRTC has no network to gather on.
            !(level === 'kernel' && vector.kind?.startsWith('webrtc')) &&
            target.startsWith('http') &&
            hostname !== '';
          if (isTried) {
            await expect
              .poll(() => listener.blocked().map(({ host }) => host), { timeout: 5000 })
              .toContain(hostname);
          } else {
            await page.waitForTimeout(400);
          }
          for (const open of page.context().pages()) {
            expect(open.url()).not.toMatch(/^(file|chrome|view-source|data):/);
            expect(await open.content().catch(() => '')).not.toContain('root:');
          }
        });
      }
      expect(forbidden.bytes + forbidden.connections).toBe(0);
      expect(live.bytes + live.connections).toBe(0);
      expect(datagrams).toBe(0);
    },
  );

  it('lets a redirect from public to public through', async () => {
    await inSession(async (page) => {
      const target = encodeURIComponent('http://other.test/ok');
      await page.goto(`http://public.test/redirect?target=${target}`);
      expect(page.url()).toBe('http://other.test/ok');
    });
  });

  it('lets a WebSocket to a public host through', async () => {
    await inSession(async (page) => {
      await page.goto('http://public.test/page?kind=ws-public');
      await expect.poll(() => page.title()).toBe('welcome');
    });
  });

  it('lets a service worker fetch from a public host', async () => {
    await inSession(async (page) => {
      await page.goto('http://app.localhost/page?kind=sw-public');
      await expect
        .poll(() => site.asked, { timeout: 5000 })
        .toContain('GET app.localhost/from-service-worker');
    });
  });

  it('lets a navigation to an exempt private host through', async () => {
    await inSession(async (page) => {
      await page.goto('http://intra.test/ok');
      expect(await page.textContent('body')).toBe('ok');
    });
  });

  it('lets a popup to a public host through', async () => {
    await inSession(async (page) => {
      const popup = page.context().waitForEvent('page');
      await page.goto('http://public.test/page?kind=popup-public');
      await (await popup).waitForURL('http://other.test/popup');
    });
  });

  it('tells no page why it was refused', async () => {
    await inSession(async (page) => {
      for (const host of ['10.0.0.5', 'victim.test', 'nothing.invalid']) {
        await expect(page.goto(`http://${host}/`)).rejects.toThrow(
          /net::ERR_SOCKS_CONNECTION_FAILED/,
        );
      }
    });
  });
});

async function countDatagrams(port: number, count: () => void): Promise<AsyncDisposable> {
  const socket: Datagrams = createSocket('udp4');
  socket.on('message', count);
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
