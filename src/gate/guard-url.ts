import { realpathSync } from 'node:fs';
import { relative, isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { OrielError } from '../kernel/errors.ts';
import { decideKnown, screenTarget } from './decide.ts';
import { explain } from './explain.ts';
import { parseHost } from './host.ts';
import { matchesHost, matchesTarget } from './host-pattern.ts';
import type { CompiledPolicy } from './policy.ts';
import type { ConnectRule } from './refusal.ts';

const MAX_URL_CHARS = 8192;
const HTTP_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** What decided on a URL; `allowed` when nothing refused it. */
export type UrlRule =
  | ConnectRule
  | 'allowed'
  | 'too_long'
  | 'invalid_url'
  | 'protocol'
  | 'userinfo'
  | 'file_access'
  | 'strict';

/** The verdict on a URL, in the words an agent and an operator read. */
export interface UrlVerdict {
  readonly url: string;
  readonly verdict: 'allow' | 'block';
  readonly reason: string;
  readonly rule: UrlRule;
  /** How an operator would allow it; empty when it is allowed. */
  readonly remedy: string;
}

export interface GuardOptions {
  /**
   * `agent` (the default) for a URL that a caller names; `page` for the URL a page stands on,
   * which may also be an error page, a blob of its own, or of any length.
   */
  readonly from?: 'agent' | 'page';
}

/**
 * Judges a URL by its text: protocol, spelling, file access, host and port, literal addresses.
 * Names are not looked up; the gate judges what they resolve to when the browser connects.
 */
export function guardUrl(
  text: string,
  policy: CompiledPolicy,
  options: GuardOptions = {},
): UrlVerdict {
  const isPage = options.from === 'page';
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  const block = (rule: UrlRule, reason: string, remedy: string): UrlVerdict => ({
    url: shown,
    verdict: 'block',
    rule,
    reason,
    remedy,
  });
  if (!isPage && text.length > MAX_URL_CHARS) {
    return block(
      'too_long',
      `The URL is longer than ${MAX_URL_CHARS} characters.`,
      'Use a shorter URL.',
    );
  }
  if (!URL.canParse(text)) {
    return block(
      'invalid_url',
      `${JSON.stringify(shown)} is not an absolute URL.`,
      'Write it with its protocol, such as https://example.com/.',
    );
  }
  const url = new URL(text);
  if (url.href === 'about:blank' || (isPage && isInnocentPage(url))) return allow(text);
  if (isPage && url.protocol === 'blob:' && url.origin !== 'null') {
    return guardUrl(url.origin, policy, options);
  }
  if (url.protocol === 'file:') return guardFile(url, policy, block) ?? allow(text);
  const protocol = url.protocol.slice(0, -1);
  const isHttp = protocol === 'http' || protocol === 'https';
  if (!isHttp || !policy.source.allowedProtocols.includes(protocol)) {
    return block(
      'protocol',
      `The protocol "${url.protocol}" may not be opened.`,
      `Use one of: ${policy.source.allowedProtocols.join(', ')}, or about:blank.`,
    );
  }
  if (!isPage && (url.username !== '' || url.password !== '')) {
    return block(
      'userinfo',
      'The URL carries a user name or password before its host.',
      'Leave them out; sign in on the page instead.',
    );
  }
  return guardHost(url, policy, block) ?? allow(text);
}

type Block = (rule: UrlRule, reason: string, remedy: string) => UrlVerdict;

function guardHost(url: URL, policy: CompiledPolicy, block: Block): UrlVerdict | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (HTTP_PORTS[url.protocol] ?? 0) : Number(url.port);
  const target = { host, port };
  const screened = screenTarget(policy, target);
  if ('rule' in screened) {
    const { reason, remedy } = explain(screened);
    return block(screened.rule, reason, remedy);
  }
  if (screened.address !== undefined) {
    const decision = decideKnown(policy, target, [screened.address]);
    if (decision.allow) return undefined;
    const { reason, remedy } = explain(decision.refusal);
    return block(decision.refusal.rule, reason, remedy);
  }
  if (policy.source.strict && !isListedName(policy, host, port)) {
    return block(
      'strict',
      `${screened.name} is neither an IP address nor a listed host, and the policy is strict.`,
      `The operator can allow it with --allowlist ${screened.name}, or switch strict off.`,
    );
  }
  return undefined;
}

function isListedName(policy: CompiledPolicy, text: string, port: number): boolean {
  const host = parseHost(text);
  if (!host) return false;
  const isExempt = policy.exempt.some((entry) => matchesTarget(entry, host, port));
  return isExempt || (policy.allowlist?.some((entry) => matchesHost(entry, host)) ?? false);
}

/** Pages that show nothing of anyone else: what Chromium puts where a load failed. */
function isInnocentPage(url: URL): boolean {
  return url.href === 'about:srcdoc' || url.protocol === 'chrome-error:';
}

function guardFile(url: URL, policy: CompiledPolicy, block: Block): UrlVerdict | undefined {
  const access = policy.source.fileAccess;
  if (access === 'none') {
    return block(
      'file_access',
      'Local files may not be opened.',
      'The operator can allow those of the workspace with fileAccess: workspace.',
    );
  }
  // On Windows a host in a file: URL opens a network share, past every proxy.
  if (url.host !== '') {
    return block('file_access', 'A file: URL may not name a host.', 'Use file:///path.');
  }
  if (access === 'all' || isInside(url, policy.facts.workspace)) return undefined;
  return block(
    'file_access',
    'The file is not in the workspace, or does not exist.',
    'Only files of the workspace may be opened, and no link that leads out of it.',
  );
}

function isInside(url: URL, workspace: string | undefined): boolean {
  if (workspace === undefined) return false;
  try {
    const path = relative(realpathSync(workspace), realpathSync(fileURLToPath(url)));
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}

function allow(url: string): UrlVerdict {
  return { url, verdict: 'allow', rule: 'allowed', reason: 'The policy allows it.', remedy: '' };
}

/**
 * @throws OrielError `blocked` when the verdict is to block
 */
export function assertUrlAllowed(
  url: string,
  policy: CompiledPolicy,
  options: GuardOptions = {},
): void {
  const verdict = guardUrl(url, policy, options);
  if (verdict.verdict === 'allow') return;
  throw new OrielError('blocked', verdict.reason, {
    hint: verdict.remedy,
    details: { rule: verdict.rule },
  });
}
