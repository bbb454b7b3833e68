import { it } from 'vitest';
import { startOriel, textOf } from '../harness/oriel.ts';
import { CONTRACT_PAGE } from '../contract/contract-page.ts';
it('probe', async () => {
  const oriel = await startOriel({ config: { timeouts: { actionMs: 2500 , scriptMs: 2000} } });
  oriel.fixtures.route('/contract', (_r, res) => void res.writeHead(200, {'content-type':'text/html; charset=utf-8'}).end(CONTRACT_PAGE));
  const say = async (tool: string, input: unknown) => {
    const o = await oriel.call(tool, input);
    console.log(tool, JSON.stringify(input).slice(0,100), '->', o.status, o.status==='failed'?JSON.stringify(o.error):'', '\n'+textOf(o).slice(0,0));
  };
  const u = (p: string) => oriel.fixtures.url(p);
  const sig = new AbortController().signal;

  try {
    for (const variant of ['raw','mark','settle', 'raw-after-mark','marksettle', 'snap']) {
      await say('browser_navigate', { url: u(process.env['PATHX'] ?? '/contract') });
      const p = oriel.raw();
      let crashed = false;
      p.on('crash', () => { crashed = true; });
      try {
        if (variant === 'raw') await p.waitForFunction('true', undefined, { timeout: 3000 });
        if (variant === 'mark') await oriel.core.deps.lens.mark(p, sig);
        if (variant === 'settle') await oriel.core.deps.lens.settle(p, 1000, sig);
        if (variant === 'raw-after-mark') { await oriel.core.deps.lens.mark(p, sig); await p.waitForFunction('true', undefined, { timeout: 3000 }); }
        if (variant === 'marksettle') { await oriel.core.deps.lens.mark(p, sig); await p.evaluate('1'); await oriel.core.deps.lens.settle(p, 1000, sig); }
        if (variant === 'snap') { await oriel.core.deps.lens.snapshot(p, {budget: 5000}, sig); }
      } catch (e) { console.log(String(e).split('\n')[0]); }
      await new Promise((r) => setTimeout(r, 300));
      console.log('VARIANT', variant, 'crashed', crashed);
    }
  } finally { await oriel[Symbol.asyncDispose](); }
}, 120000);
