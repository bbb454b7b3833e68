/** A page that tries to reach a target in one way. */
export interface VectorPage {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const script = (code: string): VectorPage => ({
  body: `<!doctype html><body><script type="module">${code}</script>`,
});
const markup = (html: string): VectorPage => ({ body: `<!doctype html><body>${html}` });
const head = (html: string): VectorPage => ({ body: `<!doctype html><head>${html}</head><body>x` });

const hostOf = (target: string) => new URL(target).host;
const nameOf = (target: string) => new URL(target).hostname;

/** A peer connection that gathers with these servers, so that it tries all of them. */
const gathering = (servers: string, more = ''): VectorPage =>
  script(`
    const peer = new RTCPeerConnection({iceServers: ${servers}, iceCandidatePoolSize: 1});
    peer.createDataChannel('x');
    await peer.setLocalDescription(await peer.createOffer());
    ${more}
  `);

/** Answers our own offer and adds one remote candidate. */
const withCandidate = (candidate: string): VectorPage =>
  script(`
    const [one, two] = [new RTCPeerConnection(), new RTCPeerConnection()];
    one.createDataChannel('x');
    await one.setLocalDescription(await one.createOffer());
    await two.setRemoteDescription(one.localDescription);
    await two.setLocalDescription(await two.createAnswer());
    await one.setRemoteDescription(two.localDescription);
    await one.addIceCandidate({candidate: ${JSON.stringify(candidate)}, sdpMid: '0', sdpMLineIndex: 0});
  `);

type PageFor = (target: string, quoted: string) => VectorPage;

const PAGES: Readonly<Record<string, PageFor>> = {
  'redirect-post': (target) =>
    markup(
      `<form method="post" action="/redirect?status=307&target=${encodeURIComponent(target)}"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`,
    ),
  'js-location': (_target, quoted) => script(`location.href = ${quoted}`),
  'window-open': (_target, quoted) => script(`window.open(${quoted})`),
  'a-click': (target) =>
    markup(`<a id="a" href="${target}">x</a><script>document.getElementById('a').click()</script>`),
  'a-ping': (target) =>
    markup(
      `<a id="a" href="#x" ping="${target}">x</a><script>document.getElementById('a').click()</script>`,
    ),
  'form-post': (target) =>
    markup(
      `<form method="post" action="${target}"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`,
    ),
  iframe: (target) => markup(`<iframe src="${target}"></iframe>`),
  'iframe-srcdoc': (target) =>
    markup(`<iframe srcdoc="<iframe src='${target}'></iframe>"></iframe>`),
  'iframe-sandbox': (target) => markup(`<iframe sandbox src="${target}"></iframe>`),
  object: (target) => markup(`<object data="${target}"></object>`),
  embed: (target) => markup(`<embed src="${target}">`),
  img: (target) => markup(`<img src="${target}">`),
  'img-srcset': (target) => markup(`<img srcset="${target} 1x">`),
  video: (target) => markup(`<video preload="auto" src="${target}"></video>`),
  'video-poster': (target) => markup(`<video poster="${target}"></video>`),
  audio: (target) => markup(`<audio preload="auto" src="${target}"></audio>`),
  track: (target) =>
    markup(
      `<video crossorigin="anonymous" src="/ok"><track default kind="subtitles" src="${target}"></video><script>document.querySelector('track').track.mode = 'showing'</script>`,
    ),
  script: (target) => markup(`<script src="${target}"></script>`),
  module: (_target, quoted) => script(`import(${quoted}).catch(() => {})`),
  'svg-image': (target) => markup(`<svg><image href="${target}" width="1" height="1"/></svg>`),
  'svg-use': (target) => markup(`<svg><use href="${target}#x"/></svg>`),
  'css-import': (target) => head(`<style>@import url("${target}");</style>`),
  'css-font': (target) =>
    head(`<style>@font-face{font-family:f;src:url("${target}")} body{font-family:f}</style>`),
  'css-cursor': (target) => head(`<style>body{cursor:url("${target}"),auto}</style>`),
  'link-stylesheet': (target) => head(`<link rel="stylesheet" href="${target}">`),
  'link-modulepreload': (target) => head(`<link rel="modulepreload" href="${target}">`),
  'link-prefetch': (target) => head(`<link rel="prefetch" href="${target}">`),
  'link-preconnect': (target) => head(`<link rel="preconnect" href="${target}">`),
  'link-dnsprefetch': (target) => head(`<link rel="dns-prefetch" href="${target}">`),
  'link-icon': (target) => head(`<link rel="icon" href="${target}">`),
  'link-manifest': (target) => head(`<link rel="manifest" href="${target}">`),
  'link-header': (target) => ({
    headers: { link: `<${target}>; rel=preload; as=image` },
    body: '<!doctype html>x',
  }),
  fetch: (_target, quoted) => script(`fetch(${quoted}, {mode:'no-cors'}).catch(() => {})`),
  'fetch-keepalive': (_target, quoted) =>
    script(`
      addEventListener('pagehide', () => fetch(${quoted}, {mode:'no-cors', keepalive: true}).catch(() => {}));
      location.href = '/ok';
    `),
  'fetch-later': (_target, quoted) =>
    script(`
      if (self.fetchLater) fetchLater(${quoted}, {activateAfter: 0, mode: 'no-cors'});
      setTimeout(() => location.href = '/ok', 200);
    `),
  xhr: (_target, quoted) =>
    script(`const x = new XMLHttpRequest(); x.open('GET', ${quoted}); x.send()`),
  beacon: (_target, quoted) => script(`navigator.sendBeacon(${quoted}, 'x')`),
  websocket: (target) => script(`new WebSocket('ws://${hostOf(target)}/secret')`),
  worker: (target) => script(`new Worker('/worker.js?target=${encodeURIComponent(target)}')`),
  'shared-worker': (target) =>
    script(`new SharedWorker('/worker.js?target=${encodeURIComponent(target)}')`),
  'sw-import': (target) =>
    script(
      `navigator.serviceWorker.register('/service-worker.js?target=${encodeURIComponent(target)}').catch(() => {})`,
    ),
  'reporting-api': (target) => ({
    headers: {
      'reporting-endpoints': `default="${target}"`,
      'content-security-policy': "img-src 'none'; report-to default",
    },
    body: '<!doctype html><img src="/x.png">',
  }),
  webauthn: (target) =>
    script(`
      navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), rpId: '${nameOf(target)}',
        timeout: 500}}).catch(() => {})
    `),
  xslt: (target) => ({
    type: 'text/xml',
    body: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${target}"?><a/>`,
  }),
  'webrtc-stun-udp': (target) => gathering(`[{urls: 'stun:${hostOf(target)}'}]`),
  'webrtc-turn-udp': (target) =>
    gathering(`[{urls: 'turn:${hostOf(target)}?transport=udp', username: 'a', credential: 'b'}]`),
  'webrtc-turn-tcp': (target) =>
    gathering(`[{urls: 'turn:${hostOf(target)}?transport=tcp', username: 'a', credential: 'b'}]`),
  'webrtc-ice-tcp': (target) => {
    const port = new URL(target).port || '80';
    return withCandidate(
      `candidate:1 1 tcp 1518280447 ${nameOf(target)} ${port} typ host tcptype passive`,
    );
  },
  'webrtc-mdns': () => gathering('[]'),
  'webrtc-dns': (target) =>
    gathering(
      `[{urls: 'turn:webrtc-leak.test:${new URL(target).port || 3478}?transport=udp', username: 'a', credential: 'b'},
        {urls: 'stun:webrtc-leak.test:3478'},
        {urls: 'turn:webrtc-leak.test:3478?transport=tcp', username: 'a', credential: 'b'}]`,
    ),
  webtransport: (target) =>
    script(`
      const {port} = new URL('${target}');
      const transport = new WebTransport('https://${nameOf(target)}:' + (port || 443));
      transport.ready.catch(() => {}); transport.closed.catch(() => {});
    `),
  'quic-altsvc': (target) => ({
    headers: { 'alt-svc': `h3=":${new URL(target).port || 443}"; ma=60` },
    body: '<!doctype html><script>setTimeout(() => fetch("/ok"), 100)</script>',
  }),
  'file-window-open': () => script(`window.open('file:///etc/passwd')`),
  'chrome-location': () => script(`location = 'chrome://settings'`),
  'ws-public': () =>
    script(`new WebSocket('ws://public.test/ws').onmessage = (m) => document.title = m.data`),
  'sw-public': () => script(`navigator.serviceWorker.register('/public-worker.js')`),
  'popup-public': () => script(`window.open('http://other.test/popup')`),
};

export function pageFor(kind: string, target: string): VectorPage {
  const page = PAGES[kind];
  if (!page) throw new Error(`no page for ${kind}`);
  return page(target, JSON.stringify(target));
}
