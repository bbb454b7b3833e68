import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

import { Gate } from '../../src/gate/gate.ts';
import { networkPolicySchema } from '../../src/model/network.ts';
import { launchOn } from './browser-under-test.ts';
import { PublicSite } from './public-site.ts';

/**
 * Runs in a network namespace whose resolver is ours and whose only way out is an interface that
 * leads nowhere. Every name the pages use is in the gate's own table, so whatever is
 * asked of the resolver was asked by the browser. Prints what it saw as one line of JSON.
 */
const [, , childPath = '', executablePath = ''] = process.argv;
const signal = AbortSignal.timeout(90_000);
const queries: string[] = [];
const resolver = createSocket('udp4').on('message', (message) => {
  const labels: string[] = [];
  for (let at = 12; (message[at] ?? 0) > 0; at += (message[at] ?? 0) + 1) {
    labels.push(message.subarray(at + 1, at + 1 + (message[at] ?? 0)).toString('latin1'));
  }
  queries.push(labels.join('.'));
});
resolver.bind(53, '127.0.0.1');
await once(resolver, 'listening');

const hosts = Object.fromEntries(
  ['victim.test', 'webrtc-leak.test', 'prefetch.test'].map((name) => [name, ['10.0.0.5']]),
);
await using site = await PublicSite.open();
await using gate = new Gate({
  policy: networkPolicySchema.parse({
    hosts: { ...hosts, 'public.test': ['93.184.216.34'], 'app.localhost': ['93.184.216.34'] },
    exemptHosts: ['app.localhost'],
  }),
  childPath,
  testing: { dialMap: { '93.184.216.34': { host: '127.0.0.1', port: site.port } } },
});
await gate.start(signal);

const KINDS = [
  'webrtc-dns',
  'webrtc-stun-udp',
  'webrtc-turn-udp',
  'webrtc-turn-tcp',
  'webrtc-ice-tcp',
  'webrtc-mdns',
  'webtransport',
  'quic-altsvc',
  'link-dnsprefetch',
  'link-preconnect',
  'img',
  'websocket',
];

const before = sentDatagrams();
await using listener = await gate.openListener('s1', {}, signal);
const browser = await launchOn(gate, executablePath, {
  args: ['--disable-features=LocalNetworkAccessChecks'],
});
await visitAll(browser);
await browser.close();
await listener.flush();
const guarded = { queries: [...queries], datagrams: sentDatagrams() - before };

queries.length = 0;
const start = sentDatagrams();
const free = await chromium.launch({
  executablePath,
  chromiumSandbox: false,
  args: ['--disable-background-networking', '--disable-gpu'],
});
const page = await free.newPage();
await page.goto('http://control.test/', { timeout: 3000 }).catch(() => {});
const other = await free.newPage();
await other.evaluate(`(async () => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:198.51.100.7:3478' }] });
  peer.createDataChannel('x');
  await peer.setLocalDescription(await peer.createOffer());
  await new Promise((resolve) => setTimeout(resolve, 1500));
})()`);
await free.close();
const control = { queries: [...queries], datagrams: sentDatagrams() - start };

const blocked = [...new Set(listener.blocked().map(({ host }) => host))];
process.stdout.write(`${JSON.stringify({ guarded, control, blocked })}\n`);
process.exit(0);

async function visitAll(on: Browser): Promise<void> {
  const context = await on.newContext({ proxy: listener.contextProxy });
  for (const kind of KINDS) {
    for (const target of ['http://victim.test:3478/', 'http://198.51.100.7:3478/']) {
      const visited = await context.newPage();
      const query = new URLSearchParams({ kind, target });
      const origin = kind === 'webtransport' ? 'app.localhost' : 'public.test';
      await visited.goto(`http://${origin}/page?${query}`).catch(() => {});
      await visited.waitForTimeout(400);
      await visited.close();
    }
  }
  await context.close();
}

/** Datagrams sent in this namespace so far, to loopback and out, whoever sent them. */
function sentDatagrams(): number {
  const rows = readFileSync('/proc/net/snmp', 'latin1').split('\n');
  const [names = '', values = ''] = rows.filter((row) => row.startsWith('Udp:'));
  const v4 = Number(values.split(' ')[names.split(' ').indexOf('OutDatagrams')]);
  const v6 = /Udp6OutDatagrams\s+(\d+)/.exec(readFileSync('/proc/net/snmp6', 'latin1'))?.[1];
  return v4 + Number(v6 ?? 0);
}
