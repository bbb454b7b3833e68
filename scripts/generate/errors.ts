import { ERROR_CODES, type ErrorCode } from '../../src/kernel/errors.ts';
import { argumentNames } from '../../src/tool/input.ts';
import { effectsOf, type AnyTool } from '../../src/tool/declaration.ts';
import { code, GENERATED, table } from './markdown.ts';

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  bad_input: 'An argument or setting does not fit; the message names it and what fits.',
  not_found: 'What was named is not there: a page, a session, an element, a tool.',
  stale_ref: 'The ref is of an element that is gone from the page.',
  changed_ref: 'The element is there and means something else now; nothing was done to it.',
  ambiguous_ref: 'Several elements fit; the answer shows them.',
  not_actionable: 'The element cannot take the action now: hidden, covered, disabled, moving.',
  denied: 'The policy of this server, or a person, refuses the call.',
  blocked: 'The network policy refuses the address.',
  not_owner: 'It belongs to another caller.',
  busy: 'Another call holds it for the moment.',
  user_holds_browser: 'A person has taken the browser over.',
  needs_human: 'A person has to do or decide something first.',
  dialog_open: 'A dialog of the page waits for its answer.',
  over_limit: 'A cap of this server is reached.',
  timeout: 'It did not happen within the limit of the call.',
  cancelled: 'The caller gave the call up.',
  gone: 'The page, browser or client is not there any more.',
  unsupported: 'This browser or platform cannot do it.',
  upstream: 'The site, the network or the browser failed.',
  setup_needed: 'No browser was found that starts.',
  bug: 'Oriel did something that it should not; please report it.',
};

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES).map(([name, { http, exit, retry, actor }]) => [
    code(name),
    MEANINGS[name as ErrorCode],
    String(exit),
    String(http),
    retry,
    actor,
  ]);
  return [
    GENERATED,
    '# Errors',
    '',
    'A call that fails answers with one of these codes, a message that says what happened to what,',
    'a hint what to do next, and the evidence that a success would have had.',
    '',
    table(['Code', 'What it means', 'Exit code', 'HTTP', 'Same call again', 'Who can act'], rows),
    '',
  ].join('\n');
}

/** The codes that a call of the tool is likely to fail with, from what its declaration says. */
export function likelyCodes(tool: AnyTool): ErrorCode[] {
  const names = argumentNames(tool);
  const takesTarget = names.some((name) => ['target', 'from', 'to', 'fields'].includes(name));
  const changes = effectsOf(tool).some((effect) => effect !== 'read');
  const likely: Partial<Record<ErrorCode, boolean>> = {
    bad_input: true,
    not_found: names.includes('page') || names.includes('session') || takesTarget,
    stale_ref: takesTarget,
    changed_ref: takesTarget && changes,
    ambiguous_ref: takesTarget,
    not_actionable: takesTarget && changes,
    denied: changes,
    blocked: names.includes('url') && changes,
    dialog_open: tool.scope === 'page' && tool.toleratesDialog !== true,
    timeout: true,
    cancelled: true,
    gone: tool.scope === 'page',
    setup_needed: tool.opensPage === true,
  };
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((name) => likely[name]);
}
