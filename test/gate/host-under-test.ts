import { chromium } from 'playwright-core';

import { Gate } from '../../src/gate/gate.ts';
import { networkPolicySchema } from '../../src/model/network.ts';

/** A host of its own process: a gate and a browser on it, until somebody kills one of them. */
const [, , childPath = '', executablePath = ''] = process.argv;
const gate = new Gate({ policy: networkPolicySchema.parse({}), childPath });
await gate.start(AbortSignal.timeout(10_000));
const browser = await chromium.launch({
  executablePath,
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-gpu',
    ...gate.launchArgs(),
  ],
});
await browser.newPage();
process.stdout.write(`${JSON.stringify({ gate: gate.pid })}\n`);
setInterval(() => {}, 1000);
