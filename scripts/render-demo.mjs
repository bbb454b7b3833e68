// `node scripts/render-demo.mjs`: runs `oriel demo` and renders what it printed to docs/images/demo.png.
// The output is real; paths of the machine that it ran on are shortened, and the middle is left
// out where the picture would grow too tall.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { readHostFacts } from '../dist/engine/host-facts.js';
import { findBrowser } from '../dist/engine/ladder.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);
const COLUMNS = 100;
const FIRST_STEPS = 3;
const LAST_STEPS = 2;
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g');

const demo = spawnSync(process.execPath, [join(ROOT, 'dist/bin/oriel.js'), 'demo'], {
  cwd: ROOT,
  env: { ...process.env, FORCE_COLOR: '1', NO_COLOR: '' },
  encoding: 'utf8',
});
if (demo.status !== 0) {
  console.error(demo.stdout + demo.stderr);
  process.exit(1);
}
const told = demo.stdout.split('\n\u001b[1mGive your own agent')[0] ?? '';
const parts = told.split(/\n\n/);
const steps = parts.slice(1, -1);
const shown = [
  `\u001b[32m$\u001b[39m npx oriel demo`,
  parts[0],
  ...steps.slice(0, FIRST_STEPS),
  `\u001b[2m     … ${steps.length - FIRST_STEPS - LAST_STEPS} more steps: product, cart, checkout, form, dialog\u001b[22m`,
  ...steps.slice(-LAST_STEPS),
  parts.at(-1),
]
  .join('\n\n')
  .replaceAll(/\/\S*\/output\//g, '~/.local/share/oriel/output/');

const found = findBrowser({ headless: true, dataDir: '', host: readHostFacts(process.env) });
const browser = await chromium.launch({
  executablePath: found.path,
  chromiumSandbox: process.getuid?.() !== 0,
});
const page = await browser.newPage({
  deviceScaleFactor: 1.5,
  viewport: { width: 980, height: 600 },
});
await page.setContent(`<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; padding: 20px; background: #e9e6e1; width: fit-content; }
  .window { background: #14171c; border-radius: 10px; box-shadow: 0 10px 30px #0004; overflow: hidden; }
  .bar { height: 32px; background: #23272e; display: flex; align-items: center; gap: 7px; padding: 0 12px; }
  .bar i { width: 11px; height: 11px; border-radius: 50%; background: #4b515b; }
  pre { margin: 0; padding: 16px 20px 20px; color: #d7dae0; width: ${COLUMNS}ch;
    font: 13px/1.42 'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas, monospace; white-space: pre; }
  .b { color: #fff; font-weight: 700 } .d { color: #838a96 } .c { color: #63c5da } .m { color: #d694e0 }
  .g { color: #8ccf7e } .y { color: #e5c76b }
</style><div class="window"><div class="bar"><i></i><i></i><i></i></div><pre>${toHtml(shown)}</pre></div>`);
const body = await page.locator('body').boundingBox();
const png = await page.screenshot({ clip: body, fullPage: true });
writeFileSync(join(ROOT, 'docs/images/demo.png'), png);
await browser.close();
console.log(`docs/images/demo.png, ${png.length} bytes`);

function toHtml(text) {
  const classes = { 1: 'b', 2: 'd', 36: 'c', 35: 'm', 32: 'g', 33: 'y' };
  return text
    .replace(/[&<>]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[letter])
    .replace(COLOUR, (_code, number) =>
      classes[number] ? `<span class="${classes[number]}">` : '</span>',
    );
}
