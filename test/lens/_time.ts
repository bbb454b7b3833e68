import { chromium, selectors } from 'playwright-core';
import { Lens } from '../../src/lens/lens.ts';
const b = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
  ],
});
const lens = await Lens.register(selectors);
const c = await b.newContext();
const p = await c.newPage();
const table = (n: number) =>
  `<h1>Users</h1><nav><a href="/a">Home</a><a href=/b>About</a></nav><main><table><caption>Users</caption><tr><th>#<th>Name<th>City<th></tr>${Array.from({ length: n }, (_, i) => `<tr><td>${i}<td><a href="/u/${i}">User ${i}</a><td>Berlin<td><button>Delete</button></tr>`).join('')}</table></main><footer><h2>Contact</h2><a href=/imprint>Imprint</a></footer>`;
const pages: any = {
  table: table(1000),
  deep: '<div>'.repeat(5000) + 'deep <button>Go</button>',
  mixed: Array.from(
    { length: 40 },
    (_, i) =>
      `<section><h2>S${i}</h2>${Array.from({ length: 100 }, (_, j) => `<div><p>text ${j} <b>b</b></p><a href=#>l</a><span>z</span></div>`).join('')}</section>`,
  ).join(''),
};
for (const [name, opt] of [
  ['table', {}],
  ['table', { full: true }],
  ['deep', {}],
  ['mixed', {}],
] as any) {
  await p.goto('about:blank');
  await p.setContent(pages[name]);
  const ms = [];
  let s;
  for (let i = 0; i < 8; i++) {
    s = await lens.snapshot(p, opt);
    ms.push(s.stats.pageMs + '/' + s.stats.totalMs);
  }
  const t = performance.now();
  await p.mainFrame().locator('css=html').count();
  console.log(name, ms.join(' '), 'raw roundtrip', performance.now() - t);
}
await b.close();
