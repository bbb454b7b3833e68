import { chromium, selectors } from '/work/wt/lens/node_modules/playwright-core/index.mjs';
import { Lens } from '/work/wt/lens/src/lens/lens.ts';
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox','--disable-background-networking','--disable-component-update','--disable-sync','--no-first-run','--disable-quic']});
const lens=await Lens.register(selectors);
const p=await (await b.newContext()).newPage();
const rows=(n:number)=>`<h1>Users</h1><nav><a href="/a">Home</a><a href=/b>About</a></nav><main><table><caption>Users</caption><tr><th>#<th>Name<th>City<th></tr>${Array.from({length:n},(_,i)=>`<tr><td>${i}<td><a href="/u/${i}">User ${i}</a><td>Berlin<td><button>Delete</button></tr>`).join('')}</table></main><footer><h2>Contact</h2><a href=/imprint>Imprint</a></footer>`;
await p.setContent(rows(1000));
let s=await lens.snapshot(p);
console.log(s.text); console.log(s.stats);
for(let i=0;i<5;i++){const t=performance.now(); s=await lens.snapshot(p); console.log(performance.now()-t,s.stats.pageMs);}
s=await lens.snapshot(p,{full:true}); console.log('full',s.stats);
s=await lens.snapshot(p,{full:true}); console.log('full',s.stats);
s=await lens.snapshot(p,{query:'user 777'}); console.log(s.text,s.stats);
s=await lens.snapshot(p,{expand:'r1.990'}); console.log(s.text.slice(0,400),s.stats);
await p.setContent('<form>'+Array.from({length:50},(_,i)=>`<p><label for=f${i}>Field ${i}</label><input id=f${i} name=f${i} ${i%5?'':'required'}></p>`).join('')+'<select id=s><option>Red<option>Green</select><button>Send</button></form>');
s=await lens.snapshot(p); console.log(s.text.slice(0,600),s.stats);
await p.setContent('<div>'.repeat(5000)+'deep <button>Go</button>');
s=await lens.snapshot(p); console.log(s.text.slice(0,600),s.stats);
await p.setContent('<ul><li>x'.repeat(2500)+'deep <button>Go</button>');
s=await lens.snapshot(p); console.log(s.text.slice(-600),s.stats);
await p.setContent(Array.from({length:5000},(_,i)=>`<div class=c><span>t${i}</span><p>para ${i} <a href=#>x</a></p></div>`).join(''));
s=await lens.snapshot(p); console.log(s.text.slice(-400),s.stats);
for(let i=0;i<3;i++){const t=performance.now(); s=await lens.snapshot(p); console.log(performance.now()-t,s.stats.pageMs);}
await b.close();
