import type { ErrorCode } from '../../src/app/library.ts';

type Input = Readonly<Record<string, unknown>>;

export interface ContractCase {
  /** What holds, as the end of a sentence that begins with the tool's name. */
  readonly title: string;
  /** Calls before it, on the contract page, which is opened first. */
  readonly before?: readonly (readonly [tool: string, input: Input])[];
  /** `{origin}` stands for the address of the server. */
  readonly input: Input;
  /** The code of the failure; absent for a success. */
  readonly code?: ErrorCode;
  /** Part of the output, or of the whole outcome as data where the case is about its effect. */
  readonly output?: Input;
  readonly outcome?: Input;
}

const status = (text: string) => ['browser_wait', { text }] as const;

/** What every surface must answer alike, by tool. A tool without a row fails the suite. */
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
    { title: 'keeps its budget', input: { budget: 500 }, output: { isTruncated: true } },
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
    { title: 'misses its field', input: { target: '#nowhere', text: 'Ada' }, code: 'not_found' },
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
      input: { fields: [{ target: '#nowhere', value: 'x' }], stopOnError: false },
      output: { fields: [{ target: '#nowhere', value: null }] },
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
    { title: 'pictures the viewport', input: {}, output: { width: 1280, height: 720 } },
    { title: 'misses its element', input: { target: '#nowhere' }, code: 'not_found' },
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
};
