import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import plugin from '../../../src/app/aalis-plugin.ts';
import type { AalisServices } from '../../../src/surface/plugin/aalis-host.ts';
import type { FixtureServer } from '../../harness/fixture-server.ts';
import { verifies } from '../../harness/verifies.ts';
import { FakeHost, type HostOptions, type ServiceName } from './fake-host.ts';
import { startSite } from './site.ts';

let site: FixtureServer;
let hosts: FakeHost[] = [];

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site[Symbol.asyncDispose]());
afterEach(async () => {
  const open = hosts.toReversed();
  hosts = [];
  // The last one first: each looks for what it left behind in a folder of its own.
  for (const host of open) await host[Symbol.asyncDispose]();
});

const LOOPBACK = { allowedHosts: ['127.0.0.1', 'localhost'] };
/** A host that lets pages of the fixture server be reached. */
function startHost(options: HostOptions = {}): FakeHost {
  const host = new FakeHost({
    network: { allowedPorts: [80, 443, site.port] },
    ...options,
    config: { ...LOOPBACK, ...options.config },
  });
  hosts.push(host);
  return host;
}

describe('the plugin', () => {
  it('is what the host of Aalis loads, under the MIT licence', () => {
    verifies('A-001');
    expect(plugin).toMatchObject({
      name: '@aalis/plugin-tool-browser',
      displayName: '浏览器工具',
      subsystem: 'tools',
    });
    expect(Object.keys(plugin).toSorted()).toEqual(
      ['apply', 'displayName', 'name', 'subsystem', 'uses'].toSorted(),
    );
    const { license, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      license: string;
      exports: Record<string, { default: string }>;
    };
    expect(license).toBe('MIT');
    expect(exports['./plugin/aalis']?.default).toBe('./dist/app/aalis-plugin.js');
  });

  it.each(['config', 'logger', 'lifecycle', 'events'] as const)(
    'cannot do without the service %s',
    (name) => {
      verifies('A-002');
      expect(plugin.uses.required).toEqual(['config', 'logger', 'lifecycle', 'events']);
      expect(() => plugin.apply(servicesWithout(name))).toThrow(name);
    },
  );

  it.each(['tools', 'sessionManager', 'webui', 'proc', 'storage'] as const)(
    'loads and works without the service %s',
    async (name: ServiceName) => {
      verifies('A-003');
      expect(plugin.uses.optional).toContain(name);
      const host = startHost({ absent: [name] });
      expect(host.status).toEqual({ state: 'ready' });
      if (name === 'tools') return expect(host.tools.size).toBe(0);
      expect(await host.open(site.url('/plain'))).toMatch(/^p_/);
    },
  );

  it('loads with none of the optional services', () => {
    verifies('A-003');
    const host = startHost({ absent: ['tools', 'sessionManager', 'webui', 'proc', 'storage'] });
    expect(host.status).toEqual({ state: 'ready' });
  });

  it('marks exactly the four tools that act as sensitive', () => {
    verifies('A-019', 'A-028');
    const host = startHost();
    const risks = [...host.tools.values()].map(({ name, risk }) => [name, risk ?? null]);
    expect(Object.fromEntries(risks)).toEqual({
      browser_navigate: 'sensitive',
      browser_get_text: null,
      browser_click: 'sensitive',
      browser_type: 'sensitive',
      browser_screenshot: null,
      browser_get_links: null,
      browser_close_page: 'sensitive',
    });
  });
});

describe('an option that must be right', () => {
  it.each([
    ['blockPrivate', 'yes'],
    ['allowedProtocols', 'http'],
    ['allowedHosts', 'intranet'],
    ['executablePath', 'chromium'],
  ])('puts the plugin into an error state without tools: %s', (name, value) => {
    verifies('A-015');
    const host = startHost({ config: { [name]: value } });
    expect(host.status).toMatchObject({ state: 'error', reason: expect.stringContaining(name) });
    expect(host.tools.size).toBe(0);
  });

  it.each([
    ['allowedProtocols', ['http', 'ftp'], 'A-016'],
    ['allowedHosts', ['intranet', 5], 'A-017'],
    ['executablePath', 7, 'A-015'],
  ] as const)('is refused in its parts too: %s is %j', (name, value, id) => {
    verifies(id);
    expect(startHost({ config: { [name]: value } }).status?.state).toBe('error');
  });

  it('may be left undefined', () => {
    verifies('A-015');
    const undef = { blockPrivate: undefined, allowedProtocols: undefined, executablePath: '' };
    expect(startHost({ config: undef }).tools.size).toBe(7);
  });
});

describe('any other option', () => {
  it.each([
    ['headless', 'no'],
    ['defaultTimeout', '30s'],
    ['viewportWidth', null],
    ['viewportHeight', {}],
    ['maxPages', '5'],
    ['maxContentLength', true],
  ])('falls back to its default with a warning: %s', (name, value) => {
    verifies('A-018');
    const host = startHost({ config: { [name]: value } });
    expect(host.status).toEqual({ state: 'ready' });
    expect(host.tools.size).toBe(7);
    expect(host.warnings.filter((text) => text.includes(name))).toHaveLength(1);
  });

  it('warns of hosts that match nothing', () => {
    verifies('A-069');
    const allowedHosts = ['*.corp', 'box:8080', '10.0.0.0/8', 'Intranet', '[::1]', 'intranet'];
    const host = startHost({ config: { allowedHosts } });
    expect(host.status).toEqual({ state: 'ready' });
    for (const entry of allowedHosts.slice(0, 4)) {
      expect(host.warnings.some((text) => text.includes(entry))).toBe(true);
    }
    expect(host.warnings).toHaveLength(4);
  });
});

describe('sessions of the host', () => {
  it('share with their children, and with everyone who is in them', async () => {
    verifies('A-029', 'A-034', 'A-041');
    const host = startHost({ roots: { child: 's1', grandchild: 's1', s1: 's1' } });
    await host.open(site.url('/login'), 's1');
    const pageId = await host.open(site.url('/whoami'), 'child');
    const { value } = await host.done('browser_get_text', { pageId }, { sessionId: 's1' });
    expect(value['text']).toMatch(/who=me[\s\S]*storage:me/);
    // Another participant of the session calls under the same id.
    await host.done('browser_get_links', { pageId }, { sessionId: 's1' });
    await host.done('browser_close_page', { pageId }, { sessionId: 'grandchild' });
    expect(await host.fails('browser_get_text', { pageId })).toBe('页面不存在');
  });

  it.each([
    ['without a session manager', { absent: ['sessionManager'] }],
    ['outside of its table', { roots: {} }],
  ] as const)('own what they open themselves %s', async (_where, options: HostOptions) => {
    verifies('A-037');
    const host = startHost(options);
    const pageId = await host.open(site.url('/plain'), 'lone');
    await host.done('browser_get_text', { pageId }, { sessionId: 'lone' });
    expect(await host.fails('browser_get_text', { pageId }, { sessionId: 'other' })).toBe(
      '页面不存在',
    );
  });

  it('without an id share one context, and reach no page of a session', async () => {
    verifies('A-038', 'A-074');
    const host = startHost();
    const theirs = await host.open(site.url('/plain'), 's1');
    const pageId = await host.open(site.url('/login'), '');
    const who = await host.open(site.url('/whoami'), '');
    const { value } = await host.done('browser_get_text', { pageId: who }, { sessionId: '' });
    expect(value['text']).toContain('who=me');
    for (const [id, sessionId] of [
      [theirs, ''],
      [pageId, 's1'],
    ] as const) {
      expect(await host.fails('browser_get_text', { pageId: id }, { sessionId })).toBe(
        '页面不存在',
      );
    }
    expect(await host.fails('browser_screenshot', { pageId }, { sessionId: '' })).toContain('会话');
    expect(host.files.size).toBe(0);
  });

  it('end with session:deleted, pages and logins; the end of a child ends nothing', async () => {
    verifies('A-039', 'A-040');
    const host = startHost({ roots: { child: 's1' } });
    const pageId = await host.open(site.url('/login'), 'child');
    const other = await host.open(site.url('/plain'), 's2');
    host.deleteSession('child');
    await host.done('browser_get_text', { pageId });
    host.deleteSession('s1');
    await expect
      .poll(async () => (await host.call('browser_get_text', { pageId })).isError)
      .toBe(true);
    const who = await host.open(site.url('/whoami'), 's1');
    const { value } = await host.done('browser_get_text', { pageId: who });
    expect(value['text']).toMatch(/cookie:none[\s\S]*storage:null/);
    await host.done('browser_get_text', { pageId: other }, { sessionId: 's2' });
  });
});

describe('the network policy of the host', () => {
  it('that cannot be read lets nothing connect, with the error that says so', async () => {
    verifies('A-058', 'A-057');
    const host = startHost({ network: { allowedPorts: 'all' } });
    expect(host.status).toEqual({ state: 'ready' });
    let hits = 0;
    site.route('/malformed', (_request, response) => {
      hits += 1;
      response.end('x');
    });
    for (const origin of [site.origin, site.otherOrigin]) {
      const error = await host.fails('browser_navigate', { url: `${origin}/malformed` });
      expect(error).toContain('net::ERR_SOCKS_CONNECTION_FAILED');
      expect(error).toMatch(/blockPrivate.*network/);
    }
    expect(hits).toBe(0);
  });

  it('may allow private addresses while its ports and ranges hold', async () => {
    verifies('A-059');
    const allowedPorts = [80, 443, site.port];
    const open = startHost({
      config: { allowedHosts: [] },
      network: { blockPrivate: false, allowedPorts },
    });
    await open.open(site.url('/plain'));
    const denied = startHost({
      config: { allowedHosts: [] },
      network: { blockPrivate: false, denyCidrs: ['127.0.0.0/8'], allowedPorts },
    });
    expect(await denied.fails('browser_navigate', { url: site.url('/plain') })).toContain(
      'ERR_SOCKS_CONNECTION_FAILED',
    );
    const port = startHost({ network: { blockPrivate: false, allowedPorts: [443] } });
    expect(await port.fails('browser_navigate', { url: site.url('/plain') })).toContain(
      'ERR_SOCKS_CONNECTION_FAILED',
    );
    const strict = startHost({ config: { allowedHosts: [] } });
    expect(await strict.fails('browser_navigate', { url: site.url('/plain') })).not.toBe('');
  });
});

describe('a screenshot', () => {
  it('is stored first, by the naming rule of the host and its content, once', async () => {
    verifies('A-072', 'A-073', 'A-075', 'A-081');
    const host = startHost();
    const pageId = await host.open(site.url('/plain'));
    const { value } = await host.done('browser_screenshot', { pageId });
    const uri = String(value['storage_uri']);
    expect(uri).toMatch(/^tmp:\/browser\/dir-of-s1\/shot-[0-9a-f]{16}\.png$/);
    const content = host.files.get(uri) ?? new Uint8Array();
    const hash = createHash('sha256').update(content).digest('hex');
    expect(uri).toContain(`shot-${hash.slice(0, 16)}.png`);
    const again = await host.done('browser_screenshot', { pageId });
    expect(again.value['storage_uri']).toBe(uri);
    expect(host.files.size).toBe(1);
  });

  it('is attached for models that take images, and the text says so', async () => {
    verifies('A-076', 'A-078');
    const host = startHost();
    const pageId = await host.open(site.url('/plain'));
    const { value, images, content } = await host.done(
      'browser_screenshot',
      { pageId },
      { acceptsImages: true },
    );
    expect(images).toHaveLength(1);
    expect(images[0]?.mimeType).toBe('image/png');
    expect(value['note']).toBe(
      '图已随结果附上;若你看不到图,可把 storage_uri 交给看图工具(如有)或 send_attachment',
    );
    expect(value['storage_uri']).toMatch(/^tmp:/);
    expect(content).not.toContain(images[0]?.data.slice(0, 60));
  });

  it.each([[false], [undefined]])(
    'is not attached where acceptsImages is %s, and the text says so',
    async (acceptsImages) => {
      verifies('A-077', 'A-078');
      const host = startHost();
      const pageId = await host.open(site.url('/plain'));
      const { value, images, content } = await host.done(
        'browser_screenshot',
        { pageId },
        acceptsImages === undefined ? {} : { acceptsImages },
      );
      expect(images).toEqual([]);
      expect(value['note']).toBe(
        '图未随结果附上,可把 storage_uri 交给看图工具(如有)查看或 send_attachment 发送',
      );
      expect(content).not.toMatch(/[A-Za-z0-9+/]{200}/);
    },
  );

  it.each<[string, HostOptions]>([
    ['the storage refuses it', { hasFullStorage: true }],
    ['there is no storage', { absent: ['storage'] }],
  ])(
    'is attached alone where %s, and an error for those who see no images',
    async (_why, options) => {
      verifies('A-079', 'A-080');
      const host = startHost(options);
      const pageId = await host.open(site.url('/plain'));
      const { value, images } = await host.done(
        'browser_screenshot',
        { pageId },
        { acceptsImages: true },
      );
      expect(images).toHaveLength(1);
      expect(value).not.toHaveProperty('storage_uri');
      expect(await host.fails('browser_screenshot', { pageId })).toContain('截图');
    },
  );

  it('stays when the plugin is disabled', async () => {
    verifies('A-082');
    const host = startHost();
    const pageId = await host.open(site.url('/plain'));
    await host.done('browser_screenshot', { pageId });
    await host.disable();
    expect(host.files.size).toBe(1);
  });
});

describe('disabling', () => {
  it('takes the tools away, and ends the browser', async () => {
    verifies('A-065');
    const host = startHost();
    await host.open(site.url('/plain'));
    await host.disable();
    expect(host.tools.size).toBe(0);
    expect(host.status).toEqual({ state: 'disabled' });
    // The host's disposal asserts that no process and no socket is left.
  });

  it('during a launch ends the browser as soon as it is there, and the call fails', async () => {
    verifies('A-086');
    const host = startHost();
    const opening = host.call('browser_navigate', { url: site.url('/plain') });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await host.disable();
    const { isError } = await opening;
    expect(isError).toBe(true);
  });
});

function servicesWithout(name: ServiceName): AalisServices {
  const services = {
    config: { get: () => ({}) },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    lifecycle: { onDisable: () => {}, setStatus: () => {} },
    events: { on: () => () => {} },
  };
  return Object.fromEntries(
    Object.entries(services).filter(([one]) => one !== name),
  ) as unknown as AalisServices;
}
