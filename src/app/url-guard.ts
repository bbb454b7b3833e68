import { assertUrlAllowed, guardUrl } from '../gate/guard-url.ts';
import { narrow } from '../gate/narrow.ts';
import { compilePolicy, type CompiledPolicy } from '../gate/policy.ts';
import type { Config } from '../config/schema.ts';
import { OrielError } from '../kernel/errors.ts';
import type { NetworkPolicy } from '../model/network.ts';
import type { UrlGuard } from '../model/url-guard.ts';

/** The gate's judgement of addresses, for each session's policy. */
export class PolicyUrlGuard implements UrlGuard {
  readonly #base: CompiledPolicy;
  readonly #narrowed = new WeakMap<object, CompiledPolicy>();

  /** @throws `bad_input` for a policy that does not parse. */
  constructor(config: Config) {
    this.#base = compilePolicy(config.network, { workspace: config.workspace });
  }

  admit(url: string, narrower: Partial<NetworkPolicy>): string {
    if (!URL.canParse(url)) {
      throw new OrielError('bad_input', `${JSON.stringify(url.slice(0, 200))} is not an address.`, {
        hint: 'Write it with its protocol, such as https://example.com/.',
      });
    }
    assertUrlAllowed(url, this.#policyOf(narrower));
    return new URL(url).href;
  }

  observe(url: string, narrower: Partial<NetworkPolicy>): void {
    const verdict = guardUrl(url, this.#policyOf(narrower), { from: 'page' });
    if (verdict.verdict === 'allow') return;
    // The page has chosen that address, and with it the words of the reason and the remedy.
    throw new OrielError('blocked', 'The page stands at an address where it may not.', {
      hint: 'Go elsewhere with browser_navigate.',
      pageText: `${verdict.reason} ${verdict.remedy}`,
      details: { rule: verdict.rule },
    });
  }

  checkNarrower(narrower: Partial<NetworkPolicy>): void {
    this.#policyOf(narrower);
  }

  #policyOf(narrower: Partial<NetworkPolicy>): CompiledPolicy {
    let policy = this.#narrowed.get(narrower);
    if (!policy) {
      policy = narrow(this.#base, narrower);
      this.#narrowed.set(narrower, policy);
    }
    return policy;
  }
}
