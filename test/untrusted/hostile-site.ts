import type { FixtureServer } from '../harness/fixture-server.ts';

/** What the site says, by the place where it says it. */
export interface Words {
  readonly title: string;
  readonly text: string;
  readonly name: string;
  readonly console: string;
  readonly error: string;
  readonly dialog: string;
  readonly file: string;
  readonly key: string;
  readonly header: string;
  readonly path: string;
}

export const PLACES = [
  'title',
  'text',
  'name',
  'console',
  'error',
  'dialog',
  'file',
  'key',
  'header',
  'path',
] as const satisfies readonly (keyof Words)[];

/**
 * Serves pages that say `words()` wherever a page can say anything: texts, names, addresses,
 * headers, cookies, storage, console, errors, dialogs, file names, frames, and through functions
 * of the browser that they have replaced.
 */
export function serveHostileSite(server: FixtureServer, words: () => Words): void {
  server.route('/hostile', (_request, response) => {
    const { header, key } = words();
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'x-words': encodeHeader(header),
      'set-cookie': `${token(key)}=${token(header)}; path=/`,
    });
    response.end(pageOf(words()));
  });
  server.route('/away', (_request, response) => {
    const location = `/hostile?${encodeURIComponent(words().path.toWellFormed())}#${token(words().path)}`;
    response.writeHead(302, { location }).end();
  });
  server.route('/nowhere', (_request, response) => {
    const location = `http://${token(words().path).toLowerCase()}.invalid/`;
    response.writeHead(302, { location }).end();
  });
  server.route('/private', (_request, response) => {
    response.writeHead(302, { location: `http://10.0.0.1/${token(words().path)}` }).end();
  });
  server.route('/file', (_request, response) => {
    const { file } = words();
    response.writeHead(200, {
      'content-type': `application/${token(file)}`,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.toWellFormed())}.txt`,
    });
    response.end(file.toWellFormed());
  });
  server.route('/words', ({ url }, response) => {
    if (url.searchParams.has('open')) return; // never answered
    const { text, header } = words();
    const status = url.searchParams.has('fail') ? 500 : 200;
    response.writeHead(status, token(header), {
      'content-type': 'text/plain; charset=utf-8',
      'x-words': encodeHeader(header),
    });
    response.end(text.toWellFormed());
  });
  server.route('/worker.js', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' });
    response.end(`console.error(${inScript(words().console)});`);
  });
  server.route('/frame', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<title>${inHtml(words().title)}</title><p>${inHtml(words().text)}</p>
      <button onclick="1">${inHtml(words().name)}</button>`);
  });
}

function pageOf(words: Words): string {
  const attr = inHtml(words.name);
  const path = encodeURIComponent(words.path.toWellFormed());
  return `<!doctype html><html lang="en"><head><title>${inHtml(words.title)}</title>
<style>#cover { position: absolute; inset: 0; } .box { position: relative; width: 90px; height: 30px; }</style></head>
<body>
<h1>${inHtml(words.text)}</h1>
<button id="plain" title="${attr}" aria-label="${attr}">go</button>
<button class="twin">${attr}</button><button class="twin">${attr}</button>
<button id="off" disabled title="element is not enabled ${attr}">${attr}</button>
<div class="box"><button id="under">under</button><div id="cover" title="${attr}">${attr}</div></div>
<a id="link" href="/away?${path}">${attr}</a><a id="save" href="/file">${attr}</a>
<button id="ask">ask</button><button id="shout">shout</button><button id="leave">leave</button>
<button id="pop">pop</button>
<form id="form"><input id="field" aria-label="${attr}" value="${attr}" placeholder="${attr}">
<select id="list" aria-label="${attr}"><option value="${attr}">${attr}</option><option value="b">${attr} b</option></select>
<input type="checkbox" id="check" aria-label="${attr}"></form>
<input type="file" id="file" aria-label="${attr}"><img src="/words?img" alt="${attr}">
<div id="from" draggable="true" aria-label="${attr}" tabindex="0">${attr}</div><div id="to">${attr}</div>
<iframe src="/frame" title="${attr}" name="${attr}"></iframe>
<script>
  const say = ${inScript(words.console)}, fail = ${inScript(words.error)};
  console.log(say, { [say]: say }); console.error(say); console.warn(say);
  for (const at of ['?a', '?fail']) fetch('/words' + at + '&' + encodeURIComponent(${inScript(words.path.toWellFormed())}), { method: 'POST', body: say, headers: { 'x-said': ${inScript(token(words.header))} } }).catch(() => {});
  fetch('/words?open&' + ${inScript(token(words.path))}).catch(() => {});
  setTimeout(() => { throw Object.assign(new Error(fail), { name: fail }); });
  Promise.reject(fail);
  try { localStorage.setItem(${inScript(words.key)}, ${inScript(words.text)}); sessionStorage.setItem(${inScript(words.key)}, say); } catch {}
  try { indexedDB.open(${inScript(words.key)}).onupgradeneeded = (e) => e.target.result.createObjectStore(${inScript(words.key)}); } catch {}
  try { document.cookie = ${inScript(token(words.key))} + '=' + encodeURIComponent(${inScript(words.text.toWellFormed())}); } catch {}
  try { new Worker('/worker.js?' + ${inScript(token(words.path))}); } catch {}
  document.getElementById('plain').onclick = () => { console.error(fail); document.title = say; document.querySelector('h1').append(say); };
  document.getElementById('ask').onclick = () => confirm(${inScript(words.dialog)});
  document.getElementById('shout').onclick = () => setTimeout(() => prompt(${inScript(words.dialog)}, say));
  document.getElementById('leave').onclick = () => { history.pushState(null, '', '/hostile?' + ${inScript(token(words.path))}); };
  document.getElementById('pop').onclick = () => window.open('/frame?' + ${inScript(token(words.path))}, ${inScript(token(words.name))});
  window.throws = () => { throw new Error('net::ERR_ABORTED is not a valid selector Invalid ' + fail); };
  window.lies = () => {
    const lie = () => 'element is not visible ' + fail;
    for (const [of, name] of [[window, 'scrollX'], [window, 'scrollY'], [window, 'innerWidth'], [window, 'devicePixelRatio'], [Element.prototype, 'scrollHeight'], [Element.prototype, 'scrollTop'], [Storage.prototype, 'length'], [Document.prototype, 'readyState'], [Document.prototype, 'title']]) {
      try { Object.defineProperty(of, name, { configurable: true, get: lie }); } catch {}
    }
    for (const [of, name] of [[Storage.prototype, 'getItem'], [Storage.prototype, 'setItem'], [Storage.prototype, 'key'], [Element.prototype, 'getBoundingClientRect'], [Element.prototype, 'scrollIntoView'], [window, 'scrollBy'], [window, 'matchMedia'], [Performance.prototype, 'getEntriesByType'], [Performance.prototype, 'now'], [Date, 'now'], [JSON, 'stringify'], [indexedDB, 'databases']]) {
      try { of[name] = () => { throw new Error('Invalid ' + fail); }; } catch {}
    }
  };
</script></body></html>`;
}

function inHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\u0000', '\ufffd')
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function inScript(text: string): string {
  return JSON.stringify(text).replaceAll('<', String.raw`\u003c`);
}

/** What a header takes of it. */
function encodeHeader(text: string): string {
  // eslint-disable-next-line no-control-regex -- what Node refuses in a header
  return text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?');
}

/** What a cookie, a host or a media type takes of it. */
function token(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}
