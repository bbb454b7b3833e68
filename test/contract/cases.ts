import type { ErrorCode } from '../../src/app/library.ts';

type Input = Readonly<Record<string, unknown>>;

export interface ContractCase {
  /** What holds, as the end of a sentence that begins with the tool's name. */
  readonly title: string;
  /** The page that is opened first; the contract page by default. */
  readonly on?: string;
  /** Calls before it. */
  readonly before?: readonly (readonly [tool: string, input: Input])[];
  /** `{origin}` stands for the address of the fixture server, `{shop}` for that of the demo shop. */
  readonly input: Input;
  /** The code of the failure; absent for a success. */
  readonly code?: ErrorCode;
  /** Part of the output, or of the whole outcome as data where the case is about its effect. */
  readonly output?: Input;
  readonly outcome?: Input;
  /** Measures differ from browser to browser: only the names in the output are compared. */
  readonly isMeasured?: boolean;
}

const status = (text: string) => ['browser_wait', { text }] as const;

/**
 * What every surface must answer alike, by tool. A tool without a row is held to its examples, and
 * one without either fails the suite.
 */
export const CASES: Readonly<Record<string, readonly ContractCase[]>> = {
  browser_navigate: [
    {
      title: 'opens an address',
      input: { url: '{origin}/contract?second' },
      output: { title: 'Contract', status: 200, url: '{origin}/contract?second' },
      outcome: { page: 'p1', effect: { navigation: { to: '{origin}/contract?second' } } },
    },
    {
      title: 'says when there is nothing to go forward to',
      input: { history: 'forward' },
      code: 'not_found',
    },
    { title: 'wants an address or a direction', input: {}, code: 'bad_input' },
  ],
  browser_snapshot: [
    { title: 'sees the page', input: {}, output: { title: 'Contract', isTruncated: false } },
    { title: 'searches it', input: { query: 'Save' } },
    { title: 'refuses a budget that is none', input: { budget: 'much' }, code: 'bad_input' },
  ],
  browser_click: [
    { title: 'takes a peer’s name for the target', input: { selector: '#save' } },
    {
      title: 'follows a link and tells of it',
      input: { target: 'text=Second' },
      outcome: { effect: { navigation: { to: '{origin}/contract?second', status: 200 } } },
    },
    {
      title: 'refuses to choose among twins',
      input: { target: 'text=Twin' },
      code: 'ambiguous_ref',
    },
    { title: 'says that a ref is old', input: { target: 'e999' }, code: 'stale_ref' },
    { title: 'says that a dialog waits', input: { target: '#ask' }, code: 'dialog_open' },
  ],
  browser_type: [
    {
      title: 'answers with the value',
      input: { target: '#name', text: 'Ada' },
      output: { value: 'Ada' },
    },
    { title: 'misses its field', input: { target: 'e999', text: 'Ada' }, code: 'stale_ref' },
  ],
  browser_fill: [
    {
      title: 'sets fields of each kind',
      input: {
        fields: [
          { target: '#name', value: 'Ada' },
          { target: '#size', value: 'Large' },
          { target: '#terms', value: true },
        ],
      },
    },
    {
      title: 'goes on where it is told to',
      input: { fields: [{ target: 'e999', value: 'x' }], stopOnError: false },
      output: { fields: [{ target: 'e999', value: null }] },
    },
  ],
  browser_select: [
    {
      title: 'takes a label for a value',
      input: { target: '#size', values: ['Large'] },
      output: { values: ['l'] },
    },
  ],
  browser_press: [
    {
      title: 'presses a key on an element',
      input: { key: 'x', target: '#name' },
      output: { pressed: 'x' },
    },
  ],
  browser_hover: [{ title: 'hovers', input: { target: '#help' } }],
  browser_scroll: [
    {
      title: 'tells where the page is then',
      input: { direction: 'down', pixels: 500 },
      output: { y: 500 },
    },
    { title: 'wants a direction or a target', input: {}, code: 'bad_input' },
  ],
  browser_wait: [
    { title: 'finds what holds already', input: { text: 'nothing yet' } },
    {
      title: 'waits for a function to become true',
      before: [
        ['browser_evaluate', { function: '() => void setTimeout(() => (window.done = 1), 300)' }],
      ],
      input: { function: '() => window.done' },
    },
    {
      title: 'does not take a function for true',
      input: { function: '() => false', timeoutMs: 300 },
      code: 'timeout',
    },
    { title: 'gives up in time', input: { text: 'never', timeoutMs: 300 }, code: 'timeout' },
  ],
  browser_read: [
    {
      title: 'reads an element',
      before: [['browser_click', { target: '#save' }], status('saved')],
      input: { target: '#log' },
      output: { text: 'saved', total: 5, isTruncated: false },
    },
    {
      title: 'lists links',
      input: { format: 'links' },
      output: { links: [{ text: 'Second', href: '{origin}/contract?second' }], total: 1 },
    },
  ],
  browser_evaluate: [
    {
      title: 'gives the value as data',
      input: { function: '() => ({ twins: document.querySelectorAll("button").length })' },
      output: { value: { twins: 5 }, isTruncated: false },
    },
    {
      title: 'hands a function its target and argument',
      input: {
        function: '(element, add) => element.id + add',
        target: '#save',
        arg: '!',
      },
      output: { value: 'save!' },
    },
    {
      title: 'takes an expression, and a promise',
      input: { function: 'Promise.resolve(document.title)' },
      output: { value: 'Contract' },
    },
    {
      title: 'reports what the script throws',
      input: { function: 'nowhere()' },
      code: 'bad_input',
    },
  ],
  browser_screenshot: [
    { title: 'pictures the viewport', input: {}, isMeasured: true },
    { title: 'misses its element', input: { target: 'e999' }, code: 'stale_ref' },
  ],
  browser_tabs: [
    { title: 'lists the page', input: {}, output: { pages: [{ page: 'p1', isCurrent: true }] } },
    { title: 'does not know page 99', input: { action: 'select', page: 'p99' }, code: 'not_found' },
  ],
  browser_dialog: [
    {
      title: 'answers what waits',
      before: [['browser_click', { target: '#ask' }]],
      input: { action: 'dismiss' },
      output: { type: 'confirm', message: 'Really?' },
    },
    { title: 'sees none', input: {}, output: { type: null } },
  ],
  browser_session: [
    { title: 'tells of the caller’s own', input: {}, output: { sessions: [{ isYours: true }] } },
    { title: 'does not know another’s', input: { session: 's_none' }, code: 'not_found' },
  ],
  browser_drag: [
    { title: 'drags', input: { from: '#from', to: '#to' } },
    { title: 'needs both ends', input: { from: '#from' }, code: 'bad_input' },
  ],
  browser_mouse: [
    {
      title: 'moves',
      input: { action: 'move', x: 10, y: 20 },
      output: { done: 'Mouse move at 10, 20.' },
    },
  ],
  browser_assert: [
    {
      title: 'tells what holds',
      input: { conditions: { kind: 'element', target: '#save', state: 'visible' } },
      output: { holds: true },
    },
    {
      title: 'tells what does not hold, which is no failure',
      input: { conditions: { kind: 'url', contains: '/elsewhere' } },
      output: { holds: false },
    },
    { title: 'knows no other kinds', input: { conditions: { kind: 'mood' } }, code: 'bad_input' },
  ],
  browser_audit: [{ title: 'judges the page', input: { only: ['wcag2a'] }, output: { frames: 1 } }],
  browser_console: [
    {
      title: 'finds what the page said',
      before: [['browser_evaluate', { function: 'console.warn("contract")' }]],
      input: { level: 'warning', contains: 'contract', limit: 1 },
      isMeasured: true,
    },
    { title: 'knows no other levels', input: { level: 'loud' }, code: 'bad_input' },
  ],
  browser_coverage: [{ title: 'measures a load', input: {}, isMeasured: true }],
  browser_evidence: [
    { title: 'collects a snapshot', input: { kind: 'snapshot' }, isMeasured: true },
    { title: 'knows no other kinds', input: { kind: 'mood' }, code: 'bad_input' },
  ],
  browser_har: [
    { title: 'records', input: { action: 'start' }, output: { isRecording: true } },
    { title: 'keeps what it recorded', input: { action: 'stop' }, output: { isRecording: false } },
  ],
  browser_init_script: [
    {
      title: 'adds and clears a script',
      before: [['browser_init_script', { script: 'window.contract = true' }]],
      input: { action: 'clear' },
      output: { scripts: [] },
    },
  ],
  browser_network: [
    {
      title: 'finds a request',
      input: { containsUrl: '/contract', limit: 1 },
      isMeasured: true,
    },
    { title: 'does not know request r99999', input: { id: 'r99999' }, code: 'not_found' },
  ],
  browser_performance: [{ title: 'measures the page', input: {}, isMeasured: true }],
  browser_trace: [
    {
      title: 'records and keeps a trace',
      before: [['browser_trace', { action: 'start', screenshots: false }]],
      input: { action: 'stop' },
      isMeasured: true,
    },
  ],
  browser_video: [{ title: 'has nothing to keep', input: { action: 'stop' }, code: 'not_found' }],
  browser_upload: [
    {
      title: 'hands over a file of the workspace',
      input: { target: '#file', paths: ['LICENSE'] },
      output: { files: [{ name: 'LICENSE' }] },
    },
    {
      title: 'keeps to the workspace',
      input: { target: '#file', paths: ['/etc/hostname'] },
      code: 'denied',
    },
  ],
  browser_storage_state: [
    { title: 'keeps a state', input: { action: 'export', overwrite: true }, isMeasured: true },
  ],
};
