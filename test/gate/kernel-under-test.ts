import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Browser, chromium } from 'playwright-core';

import { flyCanary } from '../../src/gate/canary.ts';
import { Gate } from '../../src/gate/gate.ts';
import { probeKernelLevel } from '../../src/gate/namespace.ts';
import { networkPolicySchema } from '../../src/model/network.ts';

/**
 * Runs as whatever user it is started by: probes the kernel level with a real browser, then lets
 * a browser without any of the gate's flags try to reach this machine, in a namespace and out of
 * it. Prints what it saw as one line of JSON.
 */
const [, , childPath = '', executablePath = ''] = process.argv;
const signal = AbortSignal.timeout(90_000);
const isRoot = process.getuid?.() === 0;

const probe = await probeKernelLevel({ signal, executablePath });
const seen: Record<string, unknown> = { uid: process.getuid?.(), ...probe };
if (probe.level === 'kernel') {
  await using gate = new Gate({ policy: networkPolicySchema.parse({}), childPath });
  await using namespace = await gate.openNamespace(probe.command, signal);
  const launcher = await namespace.launcherFor(executablePath);

  const tied = await launch(launcher, gate.launchArgs({ namespace }));
  await flyCanary(tied, gate, { signal, namespace });
  seen['canary'] = 'passed';
  seen['sandbox'] = await sandboxOf(tied);
  await tied.close();

  seen['inside'] = await touchesOf(launcher);
  seen['outside'] = await touchesOf(executablePath);
}
process.stdout.write(`${JSON.stringify(seen)}\n`);
process.exit(0);

async function launch(path: string, args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    chromiumSandbox: !isRoot,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      ...args,
    ],
  });
}

/** How many TCP connections and datagrams a browser without a gate gets to this machine. */
async function touchesOf(path: string): Promise<{ tcp: number; udp: number }> {
  const touches = { tcp: 0, udp: 0 };
  const server = createServer((socket) => {
    touches.tcp++;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp4').on('message', () => touches.udp++);
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  const browser = await launch(path, []);
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`).catch(() => {});
  const fresh = await browser.newPage();
  await fresh.evaluate(`(async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] });
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    await new Promise((resolve) => setTimeout(resolve, 1500));
  })()`);
  await browser.close();
  server.close();
  udp.close();
  return touches;
}

/** What Chromium itself says of its sandbox; a page of its own that only a test may open. */
async function sandboxOf(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  await page.goto('chrome://sandbox').catch(() => {});
  return (await page.textContent('body').catch(() => '')) ?? '';
}
