/** Where a requirement comes from; none: as written in the system's description. */
export type RequirementTag =
  /** Learned from the system's public source. */
  | 'src'
  /** The original contradicts itself; our decision stands in the text. */
  | 'AMBIG'
  /** A rule of guidance, checked in our skill text and documents. */
  | 'DOC'
  /** Concerns a surrounding host; tested with a small fake host. */
  | 'HOST';

/** The five systems: Aalis, the browser-automation skill, OpenClaw, Octopus, agent-forge. */
export type RequirementSystem = 'A' | 'B' | 'C' | 'D' | 'E';

interface Entry {
  readonly id: `${RequirementSystem}-${number}`;
  readonly tags?: readonly RequirementTag[];
  /** What has to hold, in one line. */
  readonly text: string;
  readonly state: 'todo' | 'done' | 'waived';
  /** Why it does not apply; a waived requirement must say. */
  readonly reason?: string;
}

export interface Requirement extends Entry {
  readonly system: RequirementSystem;
}

/**
 * Every behaviour that the five systems ask of Oriel. Tests cite an id with `verifies()`. Set
 * `done` when a passing test cites it: a full run fails when none does.
 */
const ENTRIES = [
  {
    id: 'A-001',
    text: 'The Aalis entry default-exports definePlugin with name, displayName 浏览器工具, subsystem tools, uses and apply; MIT licence.',
    state: 'done',
  },
  {
    id: 'A-002',
    text: 'Mandatory host services: config, logger, lifecycle, events.',
    state: 'done',
  },
  {
    id: 'A-003',
    text: 'tools, sessionManager, webui, proc and storage are optional host services; the plugin loads with any subset of them absent.',
    state: 'done',
  },
  {
    id: 'A-004',
    tags: ['AMBIG'],
    text: 'The original drives Chromium with Puppeteer; here playwright-core does. Tested: headless by default, headed only through config headless.',
    state: 'done',
  },
  {
    id: 'A-005',
    text: 'headless boolean, default true.',
    state: 'done',
  },
  {
    id: 'A-006',
    text: 'defaultTimeout number (ms), default 30000; applies to page navigation and operations.',
    state: 'done',
  },
  {
    id: 'A-007',
    text: 'viewportWidth number, default 1280.',
    state: 'done',
  },
  {
    id: 'A-008',
    text: 'viewportHeight number, default 720.',
    state: 'done',
  },
  {
    id: 'A-009',
    tags: ['src', 'AMBIG'],
    text: 'maxPages number, default 5: pages open at the same time; when exceeded, the least recently accessed one is closed.',
    state: 'done',
  },
  {
    id: 'A-010',
    text: "executablePath string, default ''; an absolute path is used before anything else, empty means the set-up ladder's browser.",
    state: 'done',
  },
  {
    id: 'A-011',
    text: 'maxContentLength number, default 50000: maximum characters of page text returned to the agent.',
    state: 'done',
  },
  {
    id: 'A-012',
    text: 'blockPrivate boolean, default true: refuse localhost, 127.x, ::1, 10.x, 172.16-31.x, 192.168.x, 169.254.x, 0.0.0.0 (each is a test case).',
    state: 'done',
  },
  {
    id: 'A-013',
    text: 'allowedProtocols multi-select, default ["http","https"]: the browser may open only URLs with these protocols.',
    state: 'done',
  },
  {
    id: 'A-014',
    text: 'allowedHosts multi-select, default []: an exemption list for intranet hosts; empty means only blockPrivate decides.',
    state: 'done',
  },
  {
    id: 'A-015',
    text: 'An explicit invalid blockPrivate, allowedProtocols, allowedHosts or executablePath is an error state with no browser tool registered.',
    state: 'done',
  },
  {
    id: 'A-016',
    text: 'Protocols other than http and https in allowedProtocols are invalid.',
    state: 'done',
  },
  {
    id: 'A-017',
    text: 'allowedHosts must be an array of strings.',
    state: 'done',
  },
  {
    id: 'A-018',
    text: 'A wrong type in any other field falls back to the default and logs a warning (6 fields).',
    state: 'done',
  },
  {
    id: 'A-019',
    text: 'Exactly seven tools are registered: navigate, get_text, click, type, screenshot, get_links and close_page, each as browser_….',
    state: 'done',
  },
  {
    id: 'A-020',
    text: 'browser_navigate opens url; optional pageId reuses a page opened in this session; optional waitFor waits for a CSS selector.',
    state: 'done',
  },
  {
    id: 'A-021',
    tags: ['src'],
    text: 'browser_navigate returns pageId, title, URL and page text truncated to maxContentLength.',
    state: 'done',
  },
  {
    id: 'A-022',
    tags: ['src'],
    text: 'browser_get_text returns the page text, or that of the element matching a CSS selector.',
    state: 'done',
  },
  {
    id: 'A-023',
    tags: ['src'],
    text: 'browser_click clicks by pageId and selector, waits up to 5000 ms for network idle, best effort, and returns the new url and title.',
    state: 'done',
  },
  {
    id: 'A-024',
    tags: ['src'],
    text: 'browser_type types into an input; clears it first by default; optionally presses Enter to submit.',
    state: 'done',
  },
  {
    id: 'A-025',
    tags: ['src'],
    text: 'browser_screenshot captures a given page; whole page or one element possible.',
    state: 'done',
  },
  {
    id: 'A-026',
    tags: ['src'],
    text: 'browser_get_links returns links (href and text), default limit 50.',
    state: 'done',
  },
  {
    id: 'A-027',
    text: 'browser_close_page closes the given page.',
    state: 'done',
  },
  {
    id: 'A-028',
    text: "The write tools browser_navigate, browser_click, browser_type, browser_close_page declare risk: 'sensitive'; the other three do not.",
    state: 'done',
  },
  {
    id: 'A-029',
    text: 'Pages and login state belong to the root session that opened them; a child session counts as its root (rootSessionOf).',
    state: 'done',
  },
  {
    id: 'A-030',
    text: 'Every root session has its own browser context (createBrowserContext) and its pages are opened in it.',
    state: 'done',
  },
  {
    id: 'A-031',
    text: 'Cookies, localStorage and cache are valid only inside that session: a site logged in within session A is not logged in within session B.',
    state: 'done',
  },
  {
    id: 'A-032',
    text: 'Contexts are created on demand.',
    state: 'done',
  },
  {
    id: 'A-033',
    text: 'After a crash or restart the contexts are gone, are rebuilt on demand, and login state is not preserved.',
    state: 'done',
  },
  {
    id: 'A-034',
    text: 'A tool with pageId reaches only pages opened by the calling root session; the root and all its children can read and close them.',
    state: 'done',
  },
  {
    id: 'A-035',
    text: "Another session's page is indistinguishable from a missing one: 页面不存在, same text and shape.",
    state: 'done',
  },
  {
    id: 'A-036',
    text: "browser_navigate with another session's or a missing pageId opens a new page (same answer in both cases, the foreign page untouched).",
    state: 'done',
  },
  {
    id: 'A-037',
    text: 'Without a session manager, or for a session not in its table, the calling session itself is the owner.',
    state: 'done',
  },
  {
    id: 'A-038',
    text: 'Calls with an empty session id share one context and reach only pages that were opened without a session.',
    state: 'done',
  },
  {
    id: 'A-039',
    text: "On the event session:deleted that session's context closes, with its pages and logins.",
    state: 'done',
  },
  {
    id: 'A-040',
    text: "Deleting a child session does not touch the root session's context.",
    state: 'done',
  },
  {
    id: 'A-041',
    text: 'Everyone present in a multi-user session shares its pages and logins (any participant can drive a page another opened).',
    state: 'done',
  },
  {
    id: 'A-042',
    text: 'maxPages is a process-level cap, not per session.',
    state: 'done',
  },
  {
    id: 'A-043',
    text: 'Over maxPages the least recently accessed page of all closes; pages in use or held are passed over, else over_limit.',
    state: 'done',
  },
  {
    id: 'A-044',
    text: "Before opening, the URL's protocol must be in allowedProtocols. So about:blank, data:, file:, chrome: are refused in this dialect.",
    state: 'done',
  },
  {
    id: 'A-045',
    text: 'With blockPrivate, isPrivateHost runs on the string before any launch or lookup; hosts in allowedHosts skip it.',
    state: 'done',
  },
  {
    id: 'A-046',
    text: 'With blockPrivate a SOCKS5 gate listens on 127.0.0.1, random port, no authentication, CONNECT only (others answered 07).',
    state: 'done',
  },
  {
    id: 'A-047',
    text: 'The browser is launched with --proxy-server pointing at it, so all TCP goes through it.',
    state: 'done',
  },
  {
    id: 'A-048',
    text: 'The browser is launched with --proxy-bypass-list=<-loopback>, so localhost, loopback and link-local are no longer exempt from the proxy.',
    state: 'done',
  },
  {
    id: 'A-049',
    text: 'Covered connections: page, windows opened by window.open, dedicated workers, shared workers, service workers (5 tests).',
    state: 'done',
  },
  {
    id: 'A-050',
    text: 'Covered triggers: navigation, click, form submit, each redirect hop, sub-resource, fetch, WebSocket (7 tests).',
    state: 'done',
  },
  {
    id: 'A-051',
    text: "Every connection is first checked against the policy's allowedPorts, hosts in allowedHosts included.",
    state: 'done',
  },
  {
    id: 'A-052',
    tags: ['AMBIG'],
    text: 'A host in allowedHosts skips the private check; denyCidrs, metadata addresses and our control ports still hold for it.',
    state: 'done',
  },
  {
    id: 'A-053',
    text: 'An IP literal is judged numerically whatever its spelling, and the connection goes to exactly the judged address.',
    state: 'done',
  },
  {
    id: 'A-054',
    text: 'A domain is resolved once; all its addresses must pass; the connection uses only the addresses from that resolution.',
    state: 'done',
  },
  {
    id: 'A-055',
    text: 'No second resolution happens between check and connect, so DNS rebinding (public at check, private at connect) is ineffective.',
    state: 'done',
  },
  {
    id: 'A-056',
    text: 'Refusal, resolution failure and connection failure all surface in the browser as net::ERR_SOCKS_CONNECTION_FAILED.',
    state: 'done',
  },
  {
    id: 'A-057',
    text: 'On that error browser_navigate adds that blockPrivate may have blocked the target; a malformed network section gives the same error.',
    state: 'done',
  },
  {
    id: 'A-058',
    tags: ['HOST'],
    text: "With a malformed network section of the host nothing connects; Oriel's own config file refuses the start instead.",
    state: 'done',
  },
  {
    id: 'A-059',
    text: "The process-level network policy is distinct from the plugin's blockPrivate: true + false = gate up, private addresses pass.",
    state: 'done',
  },
  {
    id: 'A-060',
    text: 'WebRTC runs with --webrtc-ip-handling-policy=disable_non_proxied_udp: no UDP outside the proxy (verified for the bundled Chrome only).',
    state: 'done',
  },
  {
    id: 'A-061',
    text: 'The gate starts before the first browser launch and keeps listening until the plugin is disabled.',
    state: 'done',
  },
  {
    id: 'A-062',
    text: 'If it cannot start: error, no browser launch, the next call retries; the browser never runs without its gate.',
    state: 'done',
  },
  {
    id: 'A-063',
    tags: ['AMBIG'],
    text: 'A foreign local process is refused (peer check) or judged by the same rules; it never reaches what the browser could not.',
    state: 'done',
  },
  {
    id: 'A-064',
    text: 'A connection whose greeting and request have not fully arrived within 10 seconds is dropped.',
    state: 'done',
  },
  {
    id: 'A-065',
    text: 'On plugin disable the gate closes first and cuts connections in flight, without waiting for pages and browser, which close then.',
    state: 'done',
  },
  {
    id: 'A-066',
    text: "Behind the gate no QUIC; system proxy settings and variables are ignored; outbound sockets belong to the gate's process.",
    state: 'done',
  },
  {
    id: 'A-067',
    text: 'blockPrivate=false: no private check, no gate, and the process-level network policy does not apply to the browser.',
    state: 'done',
  },
  {
    id: 'A-068',
    text: "The tests of A-049 and A-050 also pass with Chrome's local-network-access checks switched off by feature flag.",
    state: 'done',
  },
  {
    id: 'A-069',
    text: 'allowedHosts entries compare exactly with the lower-cased host; one with *, a port, / or upper case matches nothing and warns.',
    state: 'done',
  },
  {
    id: 'A-070',
    text: 'allowedHosts only matters while blockPrivate=true.',
    state: 'done',
  },
  {
    id: 'A-071',
    tags: ['src'],
    text: 'isPrivateHost, assertAddressesSafe, canonicalAddress and pinnedLookup exist once, in src/gate, used by guard, gate and fetch.',
    state: 'done',
  },
  {
    id: 'A-072',
    text: "Every PNG is first stored at tmp:/browser/{session directory}/shot-{first 16 hex of the content's SHA-256}.png.",
    state: 'done',
  },
  {
    id: 'A-073',
    tags: ['HOST'],
    text: "The session directory follows the host's session-media naming rule sessionDirName.",
    state: 'done',
  },
  {
    id: 'A-074',
    text: 'An empty session id makes browser_screenshot return a tool error.',
    state: 'done',
  },
  {
    id: 'A-075',
    text: 'The text result always carries storage_uri, except in A-079.',
    state: 'done',
  },
  {
    id: 'A-076',
    text: "If the main model accepts images the PNG is also in the result's images, and the note says so verbatim.",
    state: 'done',
  },
  {
    id: 'A-077',
    text: 'If the model cannot see images, or only content is read, there are no images and the note says so verbatim.',
    state: 'done',
  },
  {
    id: 'A-078',
    text: 'The text result never contains base64 in either case.',
    state: 'done',
  },
  {
    id: 'A-079',
    text: 'If storing fails, fall back to images only.',
    state: 'done',
  },
  {
    id: 'A-080',
    text: 'If storing fails and the caller cannot take images either: tool error.',
    state: 'done',
  },
  {
    id: 'A-081',
    text: 'Equal images map to the same file (content hash; repeated shots add no file).',
    state: 'done',
  },
  {
    id: 'A-082',
    text: 'Files are never cleaned automatically: no TTL, nothing deleted on unload.',
    state: 'done',
  },
  {
    id: 'A-083',
    text: 'Chromium starts on demand; one instance and one page table per process.',
    state: 'done',
  },
  {
    id: 'A-084',
    text: 'Concurrent first calls share a single launch.',
    state: 'done',
  },
  {
    id: 'A-085',
    text: 'Each acquisition checks that the connection lives; after a crash the next call relaunches, the page table cleared, old ids invalid.',
    state: 'done',
  },
  {
    id: 'A-086',
    text: 'If the plugin is disabled during a launch, the browser closes as soon as it has launched and the initiating call returns an error.',
    state: 'done',
  },
  {
    id: 'A-087',
    text: 'Every pageId has its own browser window: two pageIds of one session have different windowIds, headless too.',
    state: 'done',
  },
  {
    id: 'A-088',
    text: 'click, type and screenshot bring the page to the front first, so one behind its own popup still works.',
    state: 'done',
  },
  {
    id: 'A-089',
    text: 'browser_screenshot in total (bring to front + find element + capture) is limited to defaultTimeout.',
    state: 'done',
  },
  {
    id: 'A-090',
    text: 'On that limit: a timeout error, this browser generation closes without waiting, the page table empties, the next call relaunches.',
    state: 'done',
  },
  {
    id: 'A-091',
    tags: ['AMBIG'],
    text: 'No other call waits for one browser command longer than 2 x defaultTimeout; it then fails as timeout.',
    state: 'done',
  },
  {
    id: 'A-092',
    text: 'defaultTimeout: 0 disables both limits.',
    state: 'done',
  },
  {
    id: 'A-093',
    text: "A page with key browser, in the plugin's details, lists the open pages of all sessions with ID, title, address, last access.",
    state: 'todo',
  },
  {
    id: 'A-094',
    text: 'Row action "close"; and "close all pages" with a confirmation box. Labels 关闭, 关闭所有页面.',
    state: 'todo',
  },
  {
    id: 'A-095',
    text: 'Closing a page that no longer exists returns an error, not success.',
    state: 'todo',
  },
  {
    id: 'A-096',
    text: 'The list refetches on: page opened, page closed, navigation or click that changed title or address, page table cleared by a browser restart.',
    state: 'todo',
  },
  {
    id: 'A-097',
    tags: ['src'],
    text: 'page content returned to the model is wrapped as untrusted content naming the page URL (text and links).',
    state: 'done',
  },
  {
    id: 'A-098',
    tags: ['DOC'],
    text: "The docs state the gate's costs and limits: CPU, lookups, no QUIC, no system proxy, no authentication, the WebRTC flag.",
    state: 'done',
  },
  {
    id: 'B-001',
    tags: ['DOC'],
    text: 'Skill browser-automation: for rendered pages, forms, screenshots; for a static page or quick fact prefer web_fetch/web_search.',
    state: 'todo',
  },
  {
    id: 'B-002',
    text: 'browser_navigate opens a URL and returns the final URL and the title.',
    state: 'todo',
  },
  {
    id: 'B-003',
    text: 'browser_snapshot returns title, URL and body text of the current page; text over 8000 characters is cut and marked as truncated.',
    state: 'todo',
  },
  {
    id: 'B-004',
    text: 'browser_click clicks by CSS selector or text=....',
    state: 'todo',
  },
  {
    id: 'B-005',
    text: 'browser_fill fills a field by selector.',
    state: 'todo',
  },
  {
    id: 'B-006',
    text: 'browser_evaluate runs a JS expression in the page and returns a string of at most 4000 characters.',
    state: 'todo',
  },
  {
    id: 'B-007',
    text: 'browser_screenshot saves the current page as a PNG inside the workspace and returns its absolute path and byte count.',
    state: 'todo',
  },
  {
    id: 'B-008',
    text: 'Default screenshot files are named shot-*.png.',
    state: 'todo',
  },
  {
    id: 'B-009',
    text: 'browser_click_at clicks at viewport coordinates; the coordinate system is 1280x800 with the origin at the top left.',
    state: 'todo',
  },
  {
    id: 'B-010',
    text: 'browser_live_shot saves the current picture to the fixed file browser-live.png.',
    state: 'todo',
  },
  {
    id: 'B-011',
    text: 'It also writes browser-live.json with URL, title and timestamp, to be polled by a watcher.',
    state: 'todo',
  },
  {
    id: 'B-012',
    text: 'browser_close closes the browser and may be called repeatedly (idempotent).',
    state: 'todo',
  },
  {
    id: 'B-013',
    text: 'Base model is one page: after one navigate, snapshot/click/fill/screenshot all address that page; a new navigate changes it.',
    state: 'todo',
  },
  {
    id: 'B-014',
    tags: ['DOC'],
    text: 'While someone watches, browser_live_shot must follow every navigate, click, fill and click_at, not only the end.',
    state: 'todo',
  },
  {
    id: 'B-015',
    text: 'A point clicked by the user on the live picture arrives as x/y at browser_click_at.',
    state: 'todo',
  },
  {
    id: 'B-016',
    tags: ['DOC'],
    text: 'After click_at: snapshot to confirm, then live_shot to refresh.',
    state: 'todo',
  },
  {
    id: 'B-017',
    text: "browser-live.json's timestamp changes with every live shot (watcher can detect a new frame).",
    state: 'todo',
  },
  {
    id: 'B-018',
    text: 'The user can take over the browser from the console; the holder is user or agent.',
    state: 'todo',
  },
  {
    id: 'B-019',
    text: 'While holder=user every agent browser_* tool fails immediately with an error containing "user holds browser control".',
    state: 'todo',
  },
  {
    id: 'B-020',
    tags: ['DOC'],
    text: 'The agent must not retry, must not close the browser, and waits for the hand-back.',
    state: 'todo',
  },
  {
    id: 'B-021',
    text: 'After hand-back (holder=agent) the next "continue" message resumes the agent.',
    state: 'todo',
  },
  {
    id: 'B-022',
    tags: ['DOC'],
    text: 'On resuming, the agent first takes a snapshot to see what the user changed.',
    state: 'todo',
  },
  {
    id: 'B-023',
    text: 'browser_snapshot_refs returns a list of elements with a ref each.',
    state: 'todo',
  },
  {
    id: 'B-024',
    text: 'browser_click_ref clicks by ref; more stable than CSS.',
    state: 'todo',
  },
  {
    id: 'B-025',
    text: 'After the page re-rendered, refs must be taken again before a click (a stale ref is an error, not a wrong click).',
    state: 'todo',
  },
  {
    id: 'B-026',
    text: 'browser_mouse_move moves the mouse.',
    state: 'todo',
  },
  {
    id: 'B-027',
    text: 'browser_key_press presses a key.',
    state: 'todo',
  },
  {
    id: 'B-028',
    text: 'browser_type_text types text through the keyboard.',
    state: 'todo',
  },
  {
    id: 'B-029',
    text: "Remote-control input and the agent's mouse/keyboard tools use the same implementation.",
    state: 'todo',
  },
  {
    id: 'B-030',
    text: 'The page state is kept across takeover and hand-back (URL, cookies, form content unchanged by the switch itself).',
    state: 'todo',
  },
  {
    id: 'B-031',
    tags: ['DOC'],
    text: 'Navigate first, then snapshot the real rendering; after click/fill snapshot again; never report from guesswork.',
    state: 'todo',
  },
  {
    id: 'B-032',
    tags: ['DOC'],
    text: 'After a screenshot, re-open the file (shell/PIL), verify format, dimensions and non-zero bytes before handing it over.',
    state: 'todo',
  },
  {
    id: 'B-033',
    tags: ['DOC'],
    text: "On failure show the tool's error; never substitute another picture.",
    state: 'todo',
  },
  {
    id: 'B-034',
    tags: ['DOC'],
    text: 'Network goes through an egress proxy; a domain not on the Tinyproxy allowlist gives a proxy 403; report it, do not work around.',
    state: 'todo',
  },
  {
    id: 'B-035',
    tags: ['DOC'],
    text: 'file:// URLs may open test pages already written in the workspace; a reliable self-test.',
    state: 'todo',
  },
  {
    id: 'B-036',
    tags: ['DOC'],
    text: 'Do not browse what static fetching can; do not bypass click/fill by evaluate unless a snapshot proved that they fail.',
    state: 'todo',
  },
  {
    id: 'B-037',
    text: 'browser_new_page opens a page and switches to it.',
    state: 'todo',
  },
  {
    id: 'B-038',
    text: 'Each new page gets a fresh Playwright context: cookies and storage isolated between pages (two accounts at the same time).',
    state: 'todo',
  },
  {
    id: 'B-039',
    text: 'browser_list_pages lists all pages: index, URL, title, which one is current.',
    state: 'todo',
  },
  {
    id: 'B-040',
    text: 'browser_list_pages before any launch returns an empty list and does not launch.',
    state: 'todo',
  },
  {
    id: 'B-041',
    text: 'browser_switch_page selects by index; afterwards navigate/snapshot/click/fill/screenshot address that page.',
    state: 'todo',
  },
  {
    id: 'B-042',
    text: 'Switching to a missing index is an explicit error; the MCP process does not crash and the current page does not change.',
    state: 'todo',
  },
  {
    id: 'B-043',
    text: 'After a switch all refs of the old page are invalid; snapshot_refs must be taken again.',
    state: 'todo',
  },
  {
    id: 'B-044',
    text: 'browser_close_page closes one page, by default the current one.',
    state: 'todo',
  },
  {
    id: 'B-045',
    tags: ['AMBIG'],
    text: 'Closing the current page switches automatically to the page before it in the list (index-1; index 0: the new index 0).',
    state: 'todo',
  },
  {
    id: 'B-046',
    text: 'Closing the last page is an explicit error that points to browser_close; the page stays open.',
    state: 'todo',
  },
  {
    id: 'B-047',
    text: 'Environment variable BROWSER_ALLOWED_HOSTS, a comma list, e.g. example.com,.python.org.',
    state: 'todo',
  },
  {
    id: 'B-048',
    text: 'Unset or empty: no check, behaviour unchanged (egress proxy only).',
    state: 'todo',
  },
  {
    id: 'B-049',
    text: 'The check runs in navigate before Chromium is launched; a refusal does not launch it.',
    state: 'done',
  },
  {
    id: 'B-050',
    text: 'file:// is never refused by the allowlist (which files: fileAccess, in this dialect workspace; B-035).',
    state: 'done',
  },
  {
    id: 'B-051',
    text: 'The host of an http(s) URL must match an entry.',
    state: 'done',
  },
  {
    id: 'B-052',
    text: 'A leading-dot entry is a suffix match: .python.org allows python.org and docs.python.org, not notpython.org.',
    state: 'done',
  },
  {
    id: 'B-053',
    text: 'An entry without a dot prefix is exact (example.com does not allow www.example.com).',
    state: 'done',
  },
  {
    id: 'B-054',
    text: 'Case does not matter when a host is matched.',
    state: 'done',
  },
  {
    id: 'B-055',
    text: 'The port does not matter when a host is matched.',
    state: 'todo',
  },
  {
    id: 'B-056',
    text: 'localhost/127.0.0.1 get no special treatment: a local dev server must be listed. When listed it is reachable, on any port.',
    state: 'done',
  },
  {
    id: 'B-057',
    text: 'A host that misses the allowlist is a direct error.',
    state: 'done',
  },
  {
    id: 'B-058',
    tags: ['AMBIG'],
    text: 'With an allowlist every connection of the session is checked in the gate: unlisted links end blocked, sub-resources are counted.',
    state: 'todo',
  },
  {
    id: 'B-059',
    text: 'browser_close closes all pages.',
    state: 'todo',
  },
  {
    id: 'B-060',
    text: 'browser_close removes browser-live.png and browser-live.json from the working directory, best effort; a failing removal is no error.',
    state: 'todo',
  },
  {
    id: 'B-061',
    text: 'Other screenshot files (shot-*.png, custom names) are untouched by close.',
    state: 'todo',
  },
  {
    id: 'B-062',
    tags: ['DOC'],
    text: 'After close, old live files must not be reported as the current picture.',
    state: 'todo',
  },
  {
    id: 'B-063',
    tags: ['HOST'],
    text: 'A non-empty BROWSER_ALLOWED_HOSTS of the worker is written to [mcp_servers.playwright.env] of the tenant config.',
    state: 'todo',
  },
  {
    id: 'B-064',
    tags: ['HOST'],
    text: 'The allowlist value reaches the MCP process verbatim.',
    state: 'todo',
  },
  {
    id: 'B-065',
    tags: ['HOST'],
    text: 'Unset or empty writes nothing and never overwrites an existing value.',
    state: 'todo',
  },
  {
    id: 'B-066',
    tags: ['HOST'],
    text: 'The allowlist value never appears in logs.',
    state: 'todo',
  },
  {
    id: 'B-067',
    tags: ['HOST'],
    text: "It is not added to the web-search env block nor to the container's env.",
    state: 'todo',
  },
  {
    id: 'B-068',
    tags: ['HOST'],
    text: 'The config helper returns False and leaves the file byte-identical when the result would not differ.',
    state: 'todo',
  },
  {
    id: 'B-069',
    tags: ['HOST'],
    text: 'Merging into an old tenant config is idempotent; other sections are untouched.',
    state: 'todo',
  },
  {
    id: 'B-070',
    tags: ['HOST'],
    text: 'Enforcement happens only after wiring (a test with and without).',
    state: 'todo',
  },
  {
    id: 'B-071',
    tags: ['HOST'],
    text: "Ten Tinyproxy BASIC rules are added for languages' sites, documentation, crates, questions and vulnerability databases.",
    state: 'todo',
  },
  {
    id: 'B-072',
    tags: ['HOST'],
    text: 'Proxy entries already present are not duplicated; a private search host stays exact-only, without a wildcard for its domain.',
    state: 'todo',
  },
  {
    id: 'B-073',
    text: 'No persistent profile: cookies are lost when the MCP process ends.',
    state: 'todo',
  },
  {
    id: 'B-074',
    text: 'No credential vault: account passwords do not enter the browser tools.',
    state: 'todo',
  },
  {
    id: 'B-075',
    text: 'Downloads land in the workspace only; there is no download manifest.',
    state: 'todo',
  },
  {
    id: 'B-076',
    text: 'No approval card, no CAPTCHA bypass. No live verification with real Chromium, host Tinyproxy filter not reloaded.',
    state: 'todo',
  },
  {
    id: 'B-077',
    text: 'Its own suite uses fakes only, no network, no real Chromium; ours runs real Chromium.',
    state: 'todo',
  },
  {
    id: 'B-078',
    tags: ['DOC'],
    text: 'When a gap is hit, state it; do not pretend.',
    state: 'todo',
  },
  {
    id: 'B-079',
    tags: ['DOC'],
    text: 'A comparison document docs/platform-browser.md; the skill text has a multi-page and an allowlist section.',
    state: 'todo',
  },
  {
    id: 'B-080',
    text: "With an upstream egress proxy the browser's traffic goes through it; its 403 reaches the agent naming the host, never bypassed.",
    state: 'done',
  },
  {
    id: 'C-001',
    text: 'Plugin id browser, name Browser: registers the tool browser, CLI sub-commands and gateway methods.',
    state: 'todo',
  },
  {
    id: 'C-002',
    text: "The tool's descriptor is static; heavy runtime code is imported only on the first execute.",
    state: 'todo',
  },
  {
    id: 'C-003',
    text: 'The plugin also declares node-host commands, a reload policy and security-audit collectors.',
    state: 'todo',
  },
  {
    id: 'C-004',
    tags: ['src'],
    text: 'One parameter action with exactly 17 values, from doctor, status, start, stop to upload, dialog and act.',
    state: 'todo',
  },
  {
    id: 'C-005',
    tags: ['src'],
    text: 'act takes a kind: batch, click, clickCoords, type, press, hover, drag, select, fill, resize, wait, evaluate, close and others.',
    state: 'todo',
  },
  {
    id: 'C-006',
    text: 'An unknown action is an error naming the action.',
    state: 'todo',
  },
  {
    id: 'C-007',
    text: 'target is sandbox, host or node.',
    state: 'todo',
  },
  {
    id: 'C-008',
    text: 'sandbox is the default when a sandbox is available; it resolves to the sandbox bridge URL.',
    state: 'todo',
  },
  {
    id: 'C-009',
    text: 'host checks that host control is permitted, then uses the local control service; when refused, the error names the setting.',
    state: 'todo',
  },
  {
    id: 'C-010',
    text: "node routes through the gateway's node.invoke to a remote node.",
    state: 'todo',
  },
  {
    id: 'C-011',
    tags: ['src'],
    text: 'The schema stays a flat object, no nested unions at the root.',
    state: 'todo',
  },
  {
    id: 'C-012',
    text: 'The socket helper opens a WebSocket, runs a function with send, and always cleans up.',
    state: 'todo',
  },
  {
    id: 'C-013',
    text: 'Handshake retries: default 2 (so up to 3 attempts), normalised from the option handshakeRetries.',
    state: 'todo',
  },
  {
    id: 'C-014',
    text: 'The sender increments an id per command and resolves the matching promise on the response.',
    state: 'todo',
  },
  {
    id: 'C-015',
    text: 'With commandTimeoutMs, expiry closes the whole socket and rejects all pending commands.',
    state: 'todo',
  },
  {
    id: 'C-016',
    text: 'Any error rejects all pending commands and closes the connection; no promise is left pending.',
    state: 'todo',
  },
  {
    id: 'C-017',
    text: 'A URL whose path contains /devtools/browser/ is a direct WebSocket endpoint.',
    state: 'todo',
  },
  {
    id: 'C-018',
    text: 'An HTTP endpoint is resolved through /json/version -> webSocketDebuggerUrl.',
    state: 'todo',
  },
  {
    id: 'C-019',
    text: 'A loopback or wildcard ws host with a remote CDP host takes host, port and protocol from the CDP URL.',
    state: 'todo',
  },
  {
    id: 'C-020',
    text: 'Protocol mapping: http -> ws, https -> wss.',
    state: 'todo',
  },
  {
    id: 'C-021',
    text: 'Credentials and query parameters of the CDP URL are inherited by the ws URL.',
    state: 'todo',
  },
  {
    id: 'C-022',
    tags: ['src'],
    text: 'CDP limits: HTTP 5000 ms, handshake 10000 ms, redirects refused, 429 with its own message, URLs redacted in logs.',
    state: 'todo',
  },
  {
    id: 'C-023',
    text: 'Page.captureScreenshot over CDP, base64 at that layer. Tested by results: viewport restored, lazy content loaded, not by mechanism.',
    state: 'todo',
  },
  {
    id: 'C-024',
    text: "Full page: temporarily widen the viewport to at least the content's size from Page.getLayoutMetrics with Emulation.setDeviceMetricsOverride.",
    state: 'done',
  },
  {
    id: 'C-025',
    text: 'The original viewport is restored in a finally, also when the capture fails.',
    state: 'done',
  },
  {
    id: 'C-026',
    text: 'If a device emulation was active before, it is re-applied when clearing the override changed the viewport.',
    state: 'done',
  },
  {
    id: 'C-027',
    text: 'Built from Accessibility.getFullAXTree; only role, name, value of semantic nodes; decorative nodes dropped.',
    state: 'todo',
  },
  {
    id: 'C-028',
    text: 'The flat node list becomes a tree with depths.',
    state: 'todo',
  },
  {
    id: 'C-029',
    text: 'Elements without a standard role but with cursor:pointer, onclick or tabindex are found by an injected script and included as interactive.',
    state: 'todo',
  },
  {
    id: 'C-030',
    text: 'References are e1, e2, ... given to interactive roles (button, textbox, link, ...) and to content roles (heading, image, ...).',
    state: 'todo',
  },
  {
    id: 'C-031',
    text: 'When the same role+name occurs several times an nth index is added; unique ones have none.',
    state: 'todo',
  },
  {
    id: 'C-032',
    text: 'Link targets (real href) are resolved (DOM.resolveNode + Runtime.callFunctionOn).',
    state: 'todo',
  },
  {
    id: 'C-033',
    text: 'iframes are resolved.',
    state: 'todo',
  },
  {
    id: 'C-034',
    tags: ['src'],
    text: 'Interactive roles get a ref always, content roles (article, cell, heading, listitem, main, region and others) when named.',
    state: 'todo',
  },
  {
    id: 'C-035',
    tags: ['src'],
    text: 'A reference is accepted as e12, @e12 or ref=e12; options interactive, compact, depth, maxChars; stats lines/chars/refs/interactive.',
    state: 'todo',
  },
  {
    id: 'C-036',
    text: 'playwright-core (no bundled browsers) is loaded on demand with createRequire.',
    state: 'todo',
  },
  {
    id: 'C-037',
    text: 'Playwright attaches with chromium.connectOverCDP(cdpUrl) to a browser that the product launched itself.',
    state: 'todo',
  },
  {
    id: 'C-038',
    text: 'Per page state keeps console messages, page errors, network requests, role references and their mode (role or aria).',
    state: 'todo',
  },
  {
    id: 'C-039',
    text: "act:click ref=e3 resolves through the most recent snapshot's map and getByRole (with nth).",
    state: 'todo',
  },
  {
    id: 'C-040',
    text: 'A ref unknown to the last snapshot is an error.',
    state: 'todo',
  },
  {
    id: 'C-041',
    tags: ['src'],
    text: 'Dialogs and file choosers are handled through Playwright (dialog, upload actions).',
    state: 'todo',
  },
  {
    id: 'C-042',
    text: 'Profile user (an existing browser) is driven through a child process chrome-devtools-mcp over stdio MCP.',
    state: 'todo',
  },
  {
    id: 'C-043',
    text: 'In that driver per-call timeouts for type, hover, drag (and similar) are not supported and are rejected.',
    state: 'todo',
  },
  {
    id: 'C-044',
    text: "The existing session's logins, cookies, local storage are used as they are.",
    state: 'todo',
  },
  {
    id: 'C-045',
    text: 'All three paths (CDP direct, Playwright, Chrome MCP) meet in one routing layer that picks by profile.',
    state: 'todo',
  },
  {
    id: 'C-046',
    text: 'Fetching is done by pluggable providers, not one hard-wired HTTP client.',
    state: 'todo',
  },
  {
    id: 'C-047',
    text: 'All registered providers are loaded and sorted by priority for auto-detection.',
    state: 'todo',
  },
  {
    id: 'C-048',
    text: 'A configured provider is used directly.',
    state: 'todo',
  },
  {
    id: 'C-049',
    tags: ['src'],
    text: 'Otherwise auto-detection: first keyless providers, then by available credentials; the order is documented.',
    state: 'todo',
  },
  {
    id: 'C-050',
    text: 'HTML becomes readable text through an extractor chain; extractors are tried in order until one returns something non-empty.',
    state: 'todo',
  },
  {
    id: 'C-051',
    text: 'If no extractor returns anything, the raw text is returned with extractor "none".',
    state: 'todo',
  },
  {
    id: 'C-052',
    text: 'Web search has the same provider architecture as fetch.',
    state: 'todo',
  },
  {
    id: 'C-053',
    text: 'If the preferred provider fails and no provider was given explicitly, the next available one is tried.',
    state: 'todo',
  },
  {
    id: 'C-054',
    text: 'A provider that yields no tool definition is skipped and remembered as unavailable.',
    state: 'todo',
  },
  {
    id: 'C-055',
    text: 'A structured "not available" answer also triggers the next provider.',
    state: 'todo',
  },
  {
    id: 'C-056',
    text: 'With an explicit provider there is no fallback: its error is thrown, its structured "not available" answer is the result.',
    state: 'todo',
  },
  {
    id: 'C-057',
    tags: ['src'],
    text: 'When all fail, the last error is thrown; when all were unavailable, a clear "no provider available" error.',
    state: 'todo',
  },
  {
    id: 'C-058',
    text: 'The result names the provider that answered.',
    state: 'todo',
  },
  {
    id: 'C-059',
    text: 'Exercise: with two fetch providers and the first forced to fail, the second answers.',
    state: 'todo',
  },
  {
    id: 'C-060',
    text: 'The control service starts from config; a second start returns the existing state.',
    state: 'todo',
  },
  {
    id: 'C-061',
    text: 'It does not start when the plugin or browser.enabled is off.',
    state: 'todo',
  },
  {
    id: 'C-062',
    text: 'An auth token is generated if none exists before starting.',
    state: 'todo',
  },
  {
    id: 'C-063',
    text: 'Profile status fields: name, transport, cdpPort|null, cdpUrl|null, driver, running, tabCount, isDefault, isRemote.',
    state: 'todo',
  },
  {
    id: 'C-064',
    text: 'Driver openclaw: managed browser with an isolated user data directory.',
    state: 'todo',
  },
  {
    id: 'C-065',
    text: "Driver existing-session: attaches to the user's running browser.",
    state: 'todo',
  },
  {
    id: 'C-066',
    text: 'Profiles are isolated (cookies set in one are absent in the other) and may have a colour.',
    state: 'todo',
  },
  {
    id: 'C-067',
    text: 'A remote profile (explicit cdpUrl) never launches a local browser.',
    state: 'todo',
  },
  {
    id: 'C-068',
    text: 'Executable discovery knows brave, canary, chromium, chrome, custom and edge, by per-platform lists, returning kind and path.',
    state: 'todo',
  },
  {
    id: 'C-069',
    text: 'A custom path is reported with kind custom.',
    state: 'todo',
  },
  {
    id: 'C-070',
    text: 'open associates the target id with the session key.',
    state: 'todo',
  },
  {
    id: 'C-071',
    text: "Later operations touch the tab's last-active time.",
    state: 'todo',
  },
  {
    id: 'C-072',
    text: 'At session end all tabs tracked for the given session keys are closed in one batch.',
    state: 'done',
  },
  {
    id: 'C-073',
    text: 'An empty list of keys is a no-op.',
    state: 'done',
  },
  {
    id: 'C-074',
    text: "Cleanup is best effort: its failure never blocks or fails the session's end; it is reported through onWarn/onError.",
    state: 'todo',
  },
  {
    id: 'C-075',
    text: 'Tabs of other sessions stay open.',
    state: 'done',
  },
  {
    id: 'C-076',
    tags: ['src'],
    text: 'A tab already gone is not an error.',
    state: 'done',
  },
  {
    id: 'C-077',
    tags: ['src'],
    text: 'idle sweep: idle 120 min, at most 8 tabs per session, sweep every 5 min, oldest first.',
    state: 'todo',
  },
  {
    id: 'C-078',
    text: 'HTTP server for sandboxed browsers; default host 127.0.0.1.',
    state: 'todo',
  },
  {
    id: 'C-079',
    text: 'A non-loopback host throws "bridge server must bind to loopback host (got ...)".',
    state: 'todo',
  },
  {
    id: 'C-080',
    tags: ['src'],
    text: 'It refuses to start without authToken or authPassword.',
    state: 'todo',
  },
  {
    id: 'C-081',
    text: 'Every request passes the auth middleware; missing or wrong credentials -> 401.',
    state: 'todo',
  },
  {
    id: 'C-082',
    text: 'noVNC observer: read-only remote view, authenticated by a one-time token.',
    state: 'todo',
  },
  {
    id: 'C-083',
    tags: ['src'],
    text: 'The observer response sets Referrer-Policy: no-referrer.',
    state: 'todo',
  },
  {
    id: 'C-084',
    text: 'Before a CDP WebSocket is opened its host is checked by policy; loopback is allowed automatically for the control channel.',
    state: 'todo',
  },
  {
    id: 'C-085',
    text: 'Page navigation accepts only http: and https:.',
    state: 'done',
  },
  {
    id: 'C-086',
    tags: ['src'],
    text: 'Other protocols are refused with Navigation blocked: unsupported protocol "..." except explicitly safe ones.',
    state: 'todo',
  },
  {
    id: 'C-087',
    tags: ['src'],
    text: 'Empty or unparsable URL is refused.',
    state: 'done',
  },
  {
    id: 'C-088',
    text: 'Strict mode is dangerouslyAllowPrivateNetwork === false.',
    state: 'todo',
  },
  {
    id: 'C-089',
    tags: ['src'],
    text: 'Strict: a profile with a proxy is refused (the final target cannot be verified).',
    state: 'todo',
  },
  {
    id: 'C-090',
    text: 'Strict: only IP-literal URLs or explicitly allowlisted host names are accepted (browser DNS and Node DNS are independent).',
    state: 'done',
  },
  {
    id: 'C-091',
    text: 'The whole redirect chain is checked, every hop.',
    state: 'done',
  },
  {
    id: 'C-092',
    text: 'Private targets are blocked in strict mode; allowed when the flag is true.',
    state: 'todo',
  },
  {
    id: 'C-093',
    text: 'A local managed browser on loopback: the control plane is exempt from the navigation SSRF policy; a remote CDP host is not.',
    state: 'todo',
  },
  {
    id: 'C-094',
    tags: ['src'],
    text: 'The final URL is checked after each action; the policy error wins over the network error.',
    state: 'todo',
  },
  {
    id: 'C-095',
    text: 'Batch: at most 100 actions.',
    state: 'done',
  },
  {
    id: 'C-096',
    text: 'Batch nesting: at most depth 5.',
    state: 'done',
  },
  {
    id: 'C-097',
    tags: ['src'],
    text: 'Click delay: at most 5 s (5000 ms); above is an error.',
    state: 'done',
  },
  {
    id: 'C-098',
    text: 'Explicit wait time: at most 30 s. Above is an error.',
    state: 'todo',
  },
  {
    id: 'C-099',
    tags: ['src'],
    text: 'Interaction timeout: default 8 s, maximum 60 s.',
    state: 'done',
  },
  {
    id: 'C-100',
    tags: ['src'],
    text: 'Wait timeout: default 20 s, maximum 120 s.',
    state: 'done',
  },
  {
    id: 'C-101',
    tags: ['src'],
    text: 'Viewport side <= 8192; navigation timeout 20 s in 1..120 s; a batch stops at the first error; nested actions stay in the tab.',
    state: 'todo',
  },
  {
    id: 'C-102',
    text: 'Snapshots, console logs and tab lists are wrapped in explicit markers as untrusted external content.',
    state: 'done',
  },
  {
    id: 'C-103',
    tags: ['src'],
    text: 'page text that imitates the markers (also with full-width or look-alike brackets) is neutralised before wrapping.',
    state: 'done',
  },
  {
    id: 'C-104',
    tags: ['src', 'DOC'],
    text: 'Skill browser-automation: check status/tabs first, address tabs by label, snapshot before each click, stop at manual steps.',
    state: 'todo',
  },
  {
    id: 'C-105',
    text: 'open accepts a label; later calls accept label, tab handle or target id for the same tab.',
    state: 'todo',
  },
  {
    id: 'C-106',
    text: 'The engine (CDP or Playwright) is selectable in config, and both give the same screenshot within 1 % of pixels.',
    state: 'todo',
  },
  {
    id: 'C-107',
    text: 'The log names connection set-up and the path used (CDP, Playwright, Chrome MCP).',
    state: 'todo',
  },
  {
    id: 'C-108',
    text: 'Screenshot and accessibility snapshot are possible over CDP without Playwright loaded.',
    state: 'todo',
  },
  {
    id: 'D-001',
    text: 'Layers: tool class -> abstract backend interface -> local Playwright backend; files base, local backend, tool, registration.',
    state: 'done',
  },
  {
    id: 'D-002',
    text: 'A new backend is added by implementing the interface and switching it; the tools do not change.',
    state: 'done',
  },
  {
    id: 'D-003',
    tags: ['src'],
    text: 'Backend interface has at least initialize and create_session(session_id).',
    state: 'done',
  },
  {
    id: 'D-004',
    text: "Tools register in the agent's tool registry automatically.",
    state: 'done',
  },
  {
    id: 'D-005',
    text: 'Session management is unified across backends.',
    state: 'done',
  },
  {
    id: 'D-006',
    text: 'Exactly eight tools: navigate, snapshot, click, type, get_text, execute_js, screenshot and close, each as browser_….',
    state: 'done',
  },
  {
    id: 'D-007',
    tags: ['src'],
    text: 'Each definition has name, description and a parameters object.',
    state: 'done',
  },
  {
    id: 'D-008',
    text: 'browser_navigate {url required, session_id optional}.',
    state: 'done',
  },
  {
    id: 'D-009',
    text: 'Empty or missing session_id creates a session automatically.',
    state: 'done',
  },
  {
    id: 'D-010',
    text: 'The automatic id is browser_{timestamp}: ^browser_\\d+$, milliseconds, unique among live sessions (two parallel navigates get two).',
    state: 'done',
  },
  {
    id: 'D-011',
    tags: ['src'],
    text: 'An unknown non-empty session_id also creates that session; the result always includes session_id.',
    state: 'done',
  },
  {
    id: 'D-012',
    tags: ['src'],
    text: 'navigate result: success, url (final), title, status (HTTP), message, session_id; waits for domcontentloaded.',
    state: 'done',
  },
  {
    id: 'D-013',
    text: 'browser_snapshot {session_id} returns success, url, title, snapshot, elements, element_count.',
    state: 'done',
  },
  {
    id: 'D-014',
    text: 'snapshot is an indented text tree of [role] name lines starting at the document. Two spaces a level, first line [document]....',
    state: 'done',
  },
  {
    id: 'D-015',
    tags: ['src'],
    text: 'elements[] entries have ref ("@e0" first), tag, text, visible.',
    state: 'done',
  },
  {
    id: 'D-016',
    text: 'element_count equals elements.length.',
    state: 'done',
  },
  {
    id: 'D-017',
    text: 'For a page with one link: one element, {"ref":"@e0","tag":"a","text":"More information...","visible":true}.',
    state: 'done',
  },
  {
    id: 'D-018',
    text: 'browser_click {element_ref, session_id}.',
    state: 'done',
  },
  {
    id: 'D-019',
    text: 'element_ref may be a ref (@e0) or a CSS selector (a).',
    state: 'done',
  },
  {
    id: 'D-020',
    tags: ['src'],
    text: 'browser_type {element_ref, text, session_id}.',
    state: 'done',
  },
  {
    id: 'D-021',
    tags: ['src'],
    text: "browser_get_text {element_ref, session_id} returns the element's text.",
    state: 'done',
  },
  {
    id: 'D-022',
    tags: ['src'],
    text: 'browser_execute_js {script, session_id}; e.g. document.title.',
    state: 'done',
  },
  {
    id: 'D-023',
    tags: ['src'],
    text: 'A throwing script gives an error result, not a crash.',
    state: 'done',
  },
  {
    id: 'D-024',
    tags: ['src'],
    text: 'browser_screenshot {session_id, full_page default false} returns a base64-encoded picture.',
    state: 'done',
  },
  {
    id: 'D-025',
    text: 'full_page: true captures the whole page.',
    state: 'done',
  },
  {
    id: 'D-026',
    tags: ['src'],
    text: 'browser_close {session_id} closes the session at once.',
    state: 'done',
  },
  {
    id: 'D-027',
    text: 'Each session_id maps to its own browser context; no leakage of cookies or storage between two ids.',
    state: 'done',
  },
  {
    id: 'D-028',
    text: 'Two sessions can be used alternately.',
    state: 'done',
  },
  {
    id: 'D-029',
    text: 'A session idle for 5 minutes is cleaned up automatically.',
    state: 'done',
  },
  {
    id: 'D-030',
    tags: ['src'],
    text: 'Any tool call counts as activity and postpones the cleanup.',
    state: 'done',
  },
  {
    id: 'D-031',
    text: 'browser_close cleans immediately.',
    state: 'done',
  },
  {
    id: 'D-032',
    text: 'When the agent shuts down, all sessions are cleaned.',
    state: 'done',
  },
  {
    id: 'D-033',
    tags: ['src'],
    text: 'A tool call with an unknown session (other than navigate) returns success:false and an error.',
    state: 'done',
  },
  {
    id: 'D-034',
    text: 'After idle cleanup the same call gives that error.',
    state: 'done',
  },
  {
    id: 'D-035',
    tags: ['src'],
    text: 'at most 10 concurrent sessions; expired ones are cleaned first, then Maximum sessions reached: 10.',
    state: 'done',
  },
  {
    id: 'D-036',
    tags: ['src'],
    text: 'Idle sessions are really cleaned up, their contexts closed, not only when the limit is hit.',
    state: 'done',
  },
  {
    id: 'D-037',
    text: "Three ways: index ref @e0, @e1, @e5 from the last snapshot's elements.",
    state: 'done',
  },
  {
    id: 'D-038',
    text: 'An element reference may be CSS: a, input#search, .btn-primary.',
    state: 'done',
  },
  {
    id: 'D-039',
    text: "An element reference may be XPath: //div[@class='content'].",
    state: 'done',
  },
  {
    id: 'D-040',
    tags: ['src'],
    text: 'Clicking @eN clicks exactly the element that elements[N] described.',
    state: 'done',
  },
  {
    id: 'D-041',
    text: 'A ref out of range is an error.',
    state: 'done',
  },
  {
    id: 'D-042',
    text: 'CSS and XPath work without a preceding snapshot.',
    state: 'done',
  },
  {
    id: 'D-043',
    text: 'Navigation, snapshot, interaction, JS, screenshot, multi-session isolation, automatic cleanup are all present (feature list).',
    state: 'done',
  },
  {
    id: 'D-044',
    text: 'Results are JSON.',
    state: 'done',
  },
  {
    id: 'D-045',
    tags: ['src'],
    text: 'Success results have success: true; failures success: false with error and message.',
    state: 'done',
  },
  {
    id: 'D-046',
    tags: ['src'],
    text: 'Missing required parameter gives an error result, not an exception.',
    state: 'done',
  },
  {
    id: 'D-047',
    tags: ['src'],
    text: 'Unknown tool name: success:false, Unknown browser tool: {name}.',
    state: 'done',
  },
  {
    id: 'D-048',
    tags: ['src'],
    text: 'Invalid URL handled gracefully (error result).',
    state: 'done',
  },
  {
    id: 'D-049',
    tags: ['src'],
    text: 'defaults: headless true, operation timeout 30000 ms, viewport 1280x720.',
    state: 'done',
  },
  {
    id: 'D-050',
    text: 'Playwright not installed: a clear error with the two install commands.',
    state: 'done',
  },
  {
    id: 'D-051',
    tags: ['src'],
    text: 'the browser starts on the first tool call, once.',
    state: 'done',
  },
  {
    id: 'D-052',
    tags: ['src'],
    text: 'cleanup of several sessions at once does not raise.',
    state: 'done',
  },
  {
    id: 'D-053',
    tags: ['DOC'],
    text: '"visit URL and get the content" leads to navigate, then snapshot with the returned session id.',
    state: 'done',
  },
  {
    id: 'D-054',
    tags: ['DOC'],
    text: 'every later call must pass the session id that navigate returned.',
    state: 'done',
  },
  {
    id: 'D-055',
    tags: ['DOC'],
    text: 'README documents installation, tool list with examples, session rules, refs, tests, how to add a backend.',
    state: 'done',
  },
  {
    id: 'D-056',
    text: 'Tests can be run as a suite and singly (registration test without a browser).',
    state: 'done',
  },
  {
    id: 'D-057',
    text: 'Adding a cloud backend is documented with a skeleton.',
    state: 'done',
  },
  {
    id: 'E-001',
    text: "It is the product's single browser channel. Name @agent-forge/plugin-browser-playwright.",
    state: 'todo',
  },
  {
    id: 'E-002',
    text: 'Exactly 17 primitive tools are registered; a full-control host with an interactive surface additionally gets browser_login (18).',
    state: 'todo',
  },
  {
    id: 'E-003',
    tags: ['DOC'],
    text: 'browser_evaluate is declared as the escape hatch for what no built-in tool covers.',
    state: 'todo',
  },
  {
    id: 'E-004',
    text: 'Other plugins load pages through agent-forge.browser.fetch@1 with a shared profile, without seeing Playwright or storage state.',
    state: 'todo',
  },
  {
    id: 'E-005',
    text: 'package.json names no playwright; the forge entry imports neither playwright nor playwright-core statically.',
    state: 'todo',
  },
  {
    id: 'E-006',
    text: 'The driver resolves playwright at connect time from <agentDir>/browser-deps through createRequire.',
    state: 'todo',
  },
  {
    id: 'E-007',
    text: 'browser_setup installs on first use: the npm package playwright, then Chromium into <dir>/browsers.',
    state: 'todo',
  },
  {
    id: 'E-008',
    text: 'With Playwright missing every other tool fails structured, with the two exact install commands, pointing to browser_setup.',
    state: 'todo',
  },
  {
    id: 'E-009',
    text: 'browser_navigate {url, waitUntil?}.',
    state: 'todo',
  },
  {
    id: 'E-010',
    text: 'The first navigate opens the session.',
    state: 'todo',
  },
  {
    id: 'E-011',
    text: 'browser_login {url, profile?, timeoutMs?}: only full-control + interactive.',
    state: 'todo',
  },
  {
    id: 'E-012',
    text: 'It opens a visible Chromium with the named profile; default profile name default.',
    state: 'todo',
  },
  {
    id: 'E-013',
    text: 'The user signs in; storage state is saved only after an interactive confirmation.',
    state: 'todo',
  },
  {
    id: 'E-014',
    text: 'Confirmation timeout default 300 s, range 60 s..600 s.',
    state: 'todo',
  },
  {
    id: 'E-015',
    text: 'Cancel, timeout or closing the window saves nothing (3 tests).',
    state: 'todo',
  },
  {
    id: 'E-016',
    text: 'browser_setup {} installs into <agentDir>/browser-deps.',
    state: 'todo',
  },
  {
    id: 'E-017',
    text: 'browser_setup short-circuits with alreadyInstalled when present.',
    state: 'todo',
  },
  {
    id: 'E-018',
    text: 'browser_snapshot {includeDom?, includeA11y?, includeStyles?, includeScreenshot?}. Defaults: a11y true, the others false.',
    state: 'todo',
  },
  {
    id: 'E-019',
    text: "A11y evidence is Playwright's ARIA snapshot, bounded to 16 KiB.",
    state: 'todo',
  },
  {
    id: 'E-020',
    text: 'DOM evidence is page.content(), bounded to 64 KiB.',
    state: 'todo',
  },
  {
    id: 'E-021',
    text: 'The screenshot is an image block, PNG, bounded to 16 MiB; over it no image, the evidence says too_large with the bytes.',
    state: 'todo',
  },
  {
    id: 'E-022',
    tags: ['HOST'],
    text: "The host's image normaliser owns the per-tool inline budget.",
    state: 'todo',
  },
  {
    id: 'E-023',
    text: 'For the screenshot the evidence holds only a byte-count marker, no picture data.',
    state: 'todo',
  },
  {
    id: 'E-024',
    text: 'Style capture answers not_supported_in_this_build; the parameter exists for contract compatibility.',
    state: 'todo',
  },
  {
    id: 'E-025',
    text: 'Summary and evidence also report the most recent downloaded file, if any.',
    state: 'todo',
  },
  {
    id: 'E-026',
    text: 'browser_assert_postcondition {condition}: one condition or an array of 1..32.',
    state: 'todo',
  },
  {
    id: 'E-027',
    text: 'An array means all must hold.',
    state: 'todo',
  },
  {
    id: 'E-028',
    text: 'Conditions over URL, element, text, console and network state, in declared shapes; an unknown kind is rejected.',
    state: 'todo',
  },
  {
    id: 'E-029',
    text: 'Console and network come from per-page ring buffers of 200 entries.',
    state: 'todo',
  },
  {
    id: 'E-030',
    text: '0 or 33 conditions are rejected.',
    state: 'todo',
  },
  {
    id: 'E-031',
    text: 'browser_collect_evidence {kind: console|network|snapshot} returns the raw evidence.',
    state: 'todo',
  },
  {
    id: 'E-032',
    text: 'browser_console {level?, contains?, limit?}.',
    state: 'todo',
  },
  {
    id: 'E-033',
    text: 'level is a comma combination of error, warning, info, debug.',
    state: 'todo',
  },
  {
    id: 'E-034',
    text: "info also matches Playwright's log type.",
    state: 'todo',
  },
  {
    id: 'E-035',
    text: "browser_console's limit is 50 by default, at most 200.",
    state: 'todo',
  },
  {
    id: 'E-036',
    text: 'Returns {total, returned: [{type, text, location?, timestamp}]}.',
    state: 'todo',
  },
  {
    id: 'E-037',
    text: 'Auto-accepted dialogs appear as entries of type dialog.',
    state: 'todo',
  },
  {
    id: 'E-038',
    text: 'browser_network {containsUrl?, status?, method?, limit?}.',
    state: 'todo',
  },
  {
    id: 'E-039',
    text: 'Returns {total, returned: [{method, url, status, timestamp, durationMs?, sizeBytes?}]}.',
    state: 'todo',
  },
  {
    id: 'E-040',
    text: 'A network entry has a duration only when timing is known, and a size only with a content-length header.',
    state: 'todo',
  },
  {
    id: 'E-041',
    text: 'Over 200 console or network entries the oldest are dropped.',
    state: 'todo',
  },
  {
    id: 'E-042',
    text: 'browser_performance {}: navigation timing TTFB, DOMContentLoaded, load.',
    state: 'todo',
  },
  {
    id: 'E-043',
    text: 'browser_performance reports paint timing: FP and FCP.',
    state: 'todo',
  },
  {
    id: 'E-044',
    text: 'Resource summary: count, total transferred bytes, the 5 slowest by duration.',
    state: 'todo',
  },
  {
    id: 'E-045',
    text: 'browser_performance reports the DOM node count.',
    state: 'todo',
  },
  {
    id: 'E-046',
    text: 'browser_performance only reads: globals, DOM and performance entries are the same before and after.',
    state: 'todo',
  },
  {
    id: 'E-047',
    text: 'browser_wait {until: selector|navigation|networkidle|time, locator?, ms?}.',
    state: 'todo',
  },
  {
    id: 'E-048',
    text: 'browser_wait until selector needs locator and waits until it is visible; a missing one is an error.',
    state: 'todo',
  },
  {
    id: 'E-049',
    text: 'browser_wait until time needs ms; a missing one is an error.',
    state: 'todo',
  },
  {
    id: 'E-050',
    text: 'browser_wait clamps ms to 0..30000.',
    state: 'todo',
  },
  {
    id: 'E-051',
    text: 'For other waits than time the default is 30000 ms.',
    state: 'todo',
  },
  {
    id: 'E-052',
    text: 'Returns requested, effective and actual durations.',
    state: 'todo',
  },
  {
    id: 'E-053',
    text: 'Timeout maps to failure browser_wait_timeout.',
    state: 'todo',
  },
  {
    id: 'E-054',
    text: 'browser_locator_action {locator: {kind: css|id|role|text|test-id, value, name?}, action, value?, key?, delay?}.',
    state: 'todo',
  },
  {
    id: 'E-055',
    text: 'Actions: click, dblclick, rightclick, fill, type, press, hover, select, check, uncheck, clear, upload, scroll (13, one test each).',
    state: 'todo',
  },
  {
    id: 'E-056',
    text: 'Five locator kinds, one test each; role uses name.',
    state: 'todo',
  },
  {
    id: 'E-057',
    text: 'upload: value = an absolute path or a JSON array of paths, via setInputFiles.',
    state: 'todo',
  },
  {
    id: 'E-058',
    text: 'A relative upload path is rejected.',
    state: 'todo',
  },
  {
    id: 'E-059',
    text: 'scroll takes <direction>:<pixels>, e.g. down:500: the element is scrolled into view, then the wheel turns by the pixels.',
    state: 'todo',
  },
  {
    id: 'E-060',
    text: 'A malformed scroll value is rejected.',
    state: 'todo',
  },
  {
    id: 'E-061',
    text: 'Every action returns a fragment of the ARIA snapshot taken after it.',
    state: 'todo',
  },
  {
    id: 'E-062',
    text: 'browser_evaluate {expression, arg?} runs page.evaluate.',
    state: 'todo',
  },
  {
    id: 'E-063',
    text: 'The JSON-serialised result is bounded to 64 KiB. Over it: cut, truncated: true, original byte count.',
    state: 'todo',
  },
  {
    id: 'E-064',
    text: 'undefined serialises as undefined.',
    state: 'todo',
  },
  {
    id: 'E-065',
    text: '30 s wall-clock timeout; the page-side script is left to finish by itself.',
    state: 'todo',
  },
  {
    id: 'E-066',
    text: 'Dialogs fired during evaluation are accepted automatically.',
    state: 'todo',
  },
  {
    id: 'E-067',
    text: "browser_drag {from, to, steps?}: hover source, mouse down, stepped mouse.move to the target's geometric centre, mouse up.",
    state: 'todo',
  },
  {
    id: 'E-068',
    text: 'steps default 8, clamped 1..100.',
    state: 'todo',
  },
  {
    id: 'E-069',
    text: 'The target is deliberately not hovered while the button is down.',
    state: 'todo',
  },
  {
    id: 'E-070',
    text: 'If the target has no bounding box the fine movement is skipped.',
    state: 'todo',
  },
  {
    id: 'E-071',
    text: 'browser_mouse {action: move|click|dblclick|rightclick|wheel, x, y, deltaX?, deltaY?, button?}: raw viewport coordinates, no element needed.',
    state: 'todo',
  },
  {
    id: 'E-072',
    text: 'wheel is the basic page-scroll primitive.',
    state: 'todo',
  },
  {
    id: 'E-073',
    text: 'browser_press_key {key, delay?}: page-level keyboard.press with Playwright key names (Control+a, Enter, Meta+c).',
    state: 'todo',
  },
  {
    id: 'E-074',
    text: "browser_tabs {action: list|new|switch|close, index?, url?}: the driver's own tracked tab set.",
    state: 'todo',
  },
  {
    id: 'E-075',
    text: 'switch redirects all following tools to that tab.',
    state: 'todo',
  },
  {
    id: 'E-076',
    text: 'A bad index is a structured failure.',
    state: 'todo',
  },
  {
    id: 'E-077',
    text: 'browser_storage: get-cookies, set-cookie, clear-cookies, get-local, set-local, clear-local.',
    state: 'todo',
  },
  {
    id: 'E-078',
    text: 'Cookies work through the context; localStorage through the page.',
    state: 'todo',
  },
  {
    id: 'E-079',
    text: 'set-cookie requires name, value and domain.',
    state: 'todo',
  },
  {
    id: 'E-080',
    text: 'browser_viewport {action: set|get, width?, height?}.',
    state: 'todo',
  },
  {
    id: 'E-081',
    text: 'set clamps each side to 320..7680.',
    state: 'todo',
  },
  {
    id: 'E-082',
    text: 'When clamped the requested value is reported too.',
    state: 'todo',
  },
  {
    id: 'E-083',
    text: 'All results are PluginResultV1 {version, ok, summary, evidence[], content[], error?}, and validate against one JSON schema.',
    state: 'todo',
  },
  {
    id: 'E-084',
    text: 'Structured payloads travel as JSON text in the evidence summary, bounded to 64 KiB.',
    state: 'todo',
  },
  {
    id: 'E-085',
    text: 'Read-only host mode registers exactly 7 tools: snapshot, assert_postcondition, collect_evidence, console, network, performance, wait.',
    state: 'todo',
  },
  {
    id: 'E-086',
    text: 'Nothing that changes browser or disk state is ever registered there (so neither navigate, tabs, storage, viewport, setup nor login).',
    state: 'todo',
  },
  {
    id: 'E-087',
    text: 'browser_login writes <agentDir>/browser/profiles/<name>/storage-state.json.',
    state: 'todo',
  },
  {
    id: 'E-088',
    text: "The storage state's file mode is 0600.",
    state: 'todo',
  },
  {
    id: 'E-089',
    text: 'The previous capture is kept as storage-state.backup.json.',
    state: 'todo',
  },
  {
    id: 'E-090',
    text: 'A profile lock (.lock) is held from loading the snapshot until the browser has closed.',
    state: 'todo',
  },
  {
    id: 'E-091',
    text: 'A second writer gets browser_profile_busy after waiting 10 s.',
    state: 'todo',
  },
  {
    id: 'E-092',
    text: 'The storage state is capped at 10 MiB.',
    state: 'todo',
  },
  {
    id: 'E-093',
    text: 'It is written via a temp file in the same directory + fsync + rename (crash leaves the old file whole).',
    state: 'todo',
  },
  {
    id: 'E-094',
    text: 'agent-forge.browser.fetch@1 is declared under provides.',
    state: 'todo',
  },
  {
    id: 'E-095',
    text: 'It loads the named snapshot, opens headless Chromium and returns {version, finalUrl, title?, text, truncated}.',
    state: 'todo',
  },
  {
    id: 'E-096',
    text: 'text is at most 16K characters; truncated tells.',
    state: 'todo',
  },
  {
    id: 'E-097',
    text: 'It never returns cookies, localStorage or auth files.',
    state: 'todo',
  },
  {
    id: 'E-098',
    text: 'It is available in read-only mode; browser_login is not.',
    state: 'todo',
  },
  {
    id: 'E-099',
    tags: ['DOC'],
    text: 'The shared profile is a convenience boundary, not a credential-isolation boundary; the docs say so.',
    state: 'todo',
  },
  {
    id: 'E-100',
    text: 'Profile names cannot escape the profiles directory (implied: path traversal test).',
    state: 'todo',
  },
  {
    id: 'E-101',
    text: 'Two policies apply to every opened page, without dedicated tools.',
    state: 'todo',
  },
  {
    id: 'E-102',
    text: 'Dialogs are accepted automatically (dialog.accept()).',
    state: 'todo',
  },
  {
    id: 'E-103',
    text: 'They are logged in the console ring buffer as [dialog] <type>: <message>.',
    state: 'todo',
  },
  {
    id: 'E-104',
    text: 'So browser_console and console post-conditions can observe them.',
    state: 'todo',
  },
  {
    id: 'E-105',
    text: 'Downloads are saved to <agentDir>/browser-deps/downloads/.',
    state: 'todo',
  },
  {
    id: 'E-106',
    text: 'The downloads directory is created lazily.',
    state: 'todo',
  },
  {
    id: 'E-107',
    text: 'The newest file name is attached to browser_snapshot results.',
    state: 'todo',
  },
  {
    id: 'E-108',
    text: 'When agentDir is unknown the name is still reported but the file is not saved.',
    state: 'todo',
  },
  {
    id: 'E-109',
    text: 'The policies also hold for pages opened by window.open and browser_tabs new.',
    state: 'todo',
  },
  {
    id: 'E-110',
    text: 'createBrowserCapabilityFactoryV1(runtime) accepts any BrowserRuntimeV1: connect, and optionally setup, login, fetch.',
    state: 'todo',
  },
  {
    id: 'E-111',
    text: 'Tests and embedding hosts inject fakes through it.',
    state: 'todo',
  },
  {
    id: 'E-112',
    text: 'A runtime without login/fetch/setup simply lacks those capabilities (no crash).',
    state: 'todo',
  },
  {
    id: 'E-113',
    text: 'The shipped runtime PlaywrightBrowserRuntimeV1 takes agentDir, browserDepsDir, headless.',
    state: 'todo',
  },
  {
    id: 'E-114',
    text: 'Deterministic seams: spawnSync, resolvePlaywright, loadPlaywright and ensureDir.',
    state: 'todo',
  },
  {
    id: 'E-115',
    text: 'The default export dist/entry.js is composed by the host from api.host.agentDir. Reachable as oriel/forge, the one default export.',
    state: 'todo',
  },
  {
    id: 'E-116',
    text: "The deterministic suite never downloads or spawns anything. That system's own deterministic suite; ours has it as a project of its own.",
    state: 'todo',
  },
  {
    id: 'E-117',
    text: 'The real end-to-end run needs AGENT_FORGE_BROWSER_REAL_TEST=1; in CI example.com is mapped to a loopback server.',
    state: 'todo',
  },
  {
    id: 'E-118',
    text: 'The real test uses a throw-away agent directory and deletes it.',
    state: 'todo',
  },
  {
    id: 'E-119',
    text: 'Development: npm install --ignore-scripts, npm run build, npm test.',
    state: 'todo',
  },
] as const satisfies readonly Entry[];

export type RequirementId = (typeof ENTRIES)[number]['id'];

export const REQUIREMENTS: readonly Requirement[] = ENTRIES.map((entry: Entry) => ({
  ...entry,
  system: entry.id[0] as RequirementSystem,
}));
