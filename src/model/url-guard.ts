import type { NetworkPolicy } from './network.ts';

/** Judges addresses that an agent gives, before anything is opened. */
export interface UrlGuard {
  /**
   * The address in canonical form.
   *
   * @throws `bad_input` when it is no address, `blocked` when the policy refuses it, with the
   * rule and how an operator would allow it.
   */
  admit(url: string, policy: NetworkPolicy): string;
}
