import { chromium, selectors } from 'playwright-core';
import { Lens } from './src/lens/lens.ts';
const lens = await Lens.register(selectors);
const b = await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell', args:['--no-sandbox','--disable-background-networking']});
const c = await b.newContext();
const p = await c.newPage();
p.on('crash',()=>console.log('CRASH'));
const sig = new AbortController().signal;
await p.goto('http://127.0.0.1:4555/');
const step = async (n:string, f:()=>Promise<unknown>) => { try { const r = await f(); console.log(n,'ok', JSON.stringify(r)?.slice(0,100)); } catch(e:any){ console.log(n, e.message.split('\n')[0]); } };
await step('settle', ()=>lens.settle(p,1500,sig));
await step('snap', ()=>lens.snapshot(p,{budget:6000},sig).then(s=>s.text.length));
let l:any;
await step('locate', async()=>{ l = await lens.locate(p,'e15',sig); return l.ref});
const mode = process.argv[2];
if (mode==='eval') await step('eval', ()=>l.locator.evaluate((e:any)=>e.localName));
if (mode==='fillsig') await step('fill', ()=>l.locator.fill('lamp',{timeout:0, signal: sig}));
if (mode==='filleval') { await step('fill', ()=>l.locator.fill('lamp',{timeout:3000}));  await step('eval', ()=>l.locator.evaluate((e:any)=>e.value)); }
if (mode==='inputvalue') { await step('fill', ()=>l.locator.fill('lamp',{timeout:3000}));  await step('eval', ()=>l.locator.inputValue()); }
await step('verdict', ()=>l.verdict(sig));
await step('settle', ()=>lens.settle(p,1500,sig));

const s1 = await lens.snapshot(p,{budget:6000},sig);
const n = Number(process.argv[3] ?? 3);
for (let i=0;i<n;i++) await step('plain'+i, ()=>lens.snapshot(p,{budget:6000},sig).then(s=>s.text.length));
await b.close();
