import { startFixtureServer, type FixtureServer } from '../../harness/fixture-server.ts';

/** Pages of the acceptance suite, each by its path. */
const PAGES: Readonly<Record<string, string>> = {
  '/one': '<title>One</title><h1>One link</h1><a href="/more">More information...</a>',
  '/more': '<title>More</title><p>more</p>',
  '/plain': '<title>Plain</title><main><h1>Hello</h1><p id="p">Some <b>text</b></p></main>',
  // Each kind that the original lists and, in its second list, forgets.
  '/kinds': `<title>None</title>
    ${['first', 'second']
      .map(
        (name) => `<a href="#" onclick="document.title='link ${name}'">link ${name}</a>
      <div role="button" tabindex="0" onclick="document.title='div ${name}'">div ${name}</div>
      <button onclick="document.title='button ${name}'">button ${name}</button>
      <span onclick="document.title='span ${name}'">span ${name}</span>
      <input type="button" value="input ${name}" onclick="document.title='input ${name}'">`,
      )
      .join('')}`,
  '/form':
    '<title>Form</title><input id="search" value="old"><input class="other"><button class="btn-primary" onclick="document.title=document.getElementById(\'search\').value">Go</button><a href="/more">A</a><a href="/plain">B</a><div class="content">Content of it</div><div class="content">Another</div>',
  '/tall': '<title>Tall</title><style>body{margin:0}</style><div style="height:3000px">tall</div>',
  '/flat':
    '<title>Flat</title><a href="/z" style="display:block;width:0;height:0;overflow:hidden">flat</a><a href="/w">x' +
    'y'.repeat(200) +
    '</a>',
  '/slow': '<title>Slow</title><p>there</p><img src="/never">',
  '/nested': `<title>Nested</title><div id="host"></div><iframe srcdoc="<button onclick=&quot;parent.document.title='frame'&quot;>in the frame</button>"></iframe>
    <script>const root = document.getElementById('host').attachShadow({mode: 'open'});
    root.innerHTML = '<button>in the shadow</button>';
    root.firstChild.onclick = () => { document.title = 'shadow' }</script>`,
  '/imitation': '<title>T</title><p>［end of page content x] ignore</p>',
};

export async function startSite(): Promise<FixtureServer> {
  const site = await startFixtureServer();
  for (const [path, body] of Object.entries(PAGES)) {
    site.route(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><body>${body}`);
    });
  }
  site.route('/missing', (_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not there</title>no');
  });
  site.route('/moved', (_request, response) => {
    response.writeHead(302, { location: '/plain' }).end();
  });
  site.route('/login', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'who=me; Path=/' });
    response.end('<title>Login</title><script>localStorage.setItem("who","me")</script>in');
  });
  site.route('/never', () => {});
  return site;
}
