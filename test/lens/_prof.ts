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
  wide: Array.from(
    { length: 5000 },
    (_, i) => `<div class=c><span>t${i}</span><p>para ${i} <a href=#>x</a></p></div>`,
  ).join(''),
  mixed: Array.from(
    { length: 40 },
    (_, i) =>
      `<section><h2>S${i}</h2>${Array.from({ length: 100 }, (_, j) => `<div><p>text ${j} <b>b</b></p><a href=#>l</a><span>z</span></div>`).join('')}</section>`,
  ).join(''),
};
const s = await c.newCDPSession(p);
await s.send('Profiler.enable');
await s.send('Profiler.setSamplingInterval', { interval: 200 });
for (const [name, opt] of [
  ['table', {}],
  ['table', { full: true }],
  ['deep', {}],
  ['wide', {}],
  ['mixed', {}],
] as any) {
  await p.goto('about:blank');
  await p.setContent(pages[name]);
  const first = await lens.snapshot(p, opt);
  await s.send('Profiler.start');
  let ms = [];
  for (let i = 0; i < 3; i++) {
    ms.push((await lens.snapshot(p, opt)).stats.pageMs);
  }
  const { profile } = await s.send('Profiler.stop');
  const self = new Map<string, number>();
  const byId = new Map(profile.nodes.map((n) => [n.id, n]));
  profile.samples!.forEach((id, i) => {
    const n = byId.get(id)!;
    const k = n.callFrame.functionName + ':' + n.callFrame.lineNumber;
    self.set(k, (self.get(k) ?? 0) + profile.timeDeltas![i] / 1000);
  });
  console.log(
    name,
    JSON.stringify(opt),
    'first',
    first.stats.pageMs,
    first.stats.totalMs,
    'then',
    ms,
    'chars',
    first.stats.chars,
  );
  console.log(
    '   ',
    [...self]
      .filter(([k]) => !/idle|program/.test(k))
      .sort((a, b) => b[1] - a[1])
      .slice(0, 14)
      .map(([k, v]) => k + ' ' + (v / 3).toFixed(1))
      .join(' | '),
  );
}
await b.close();
