import { OrielError } from '../kernel/errors.ts';
import { decide, type Lookup } from './decide.ts';
import { explain } from './explain.ts';
import { guardUrl, type UrlVerdict } from './guard-url.ts';
import type { CompiledPolicy } from './policy.ts';
import { systemLookup } from './resolve.ts';

export interface CheckOptions {
  /** Whether names are looked up and their addresses judged. */
  readonly dns: boolean;
  readonly lookup?: Lookup;
  readonly signal?: AbortSignal;
}

const LOOKUP_TIMEOUT_MS = 10_000;

/** The verdict on a URL without connecting to it: what `oriel gate check` prints. */
export async function checkUrl(
  text: string,
  policy: CompiledPolicy,
  options: CheckOptions,
): Promise<UrlVerdict> {
  const guarded = guardUrl(text, policy);
  if (guarded.verdict === 'block' || !options.dns) return guarded;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return guarded;
  const target = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
  const timeout = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  try {
    const decision = await decide(policy, target, options.lookup ?? systemLookup, signal);
    if (decision.allow) return guarded;
    return {
      url: text,
      verdict: 'block',
      rule: decision.refusal.rule,
      ...explain(decision.refusal),
    };
  } catch (thrown) {
    options.signal?.throwIfAborted();
    if (!timeout.aborted) throw thrown;
    throw new OrielError('timeout', `${target.host} was not resolved within 10 s.`, {
      hint: 'Check the resolver of this machine, or use --no-dns.',
    });
  }
}
