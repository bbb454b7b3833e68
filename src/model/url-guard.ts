import type { NetworkPolicy } from './network.ts';

/** Judges addresses by their text; names are judged by the gate when the browser connects. */
export interface UrlGuard {
  /**
   * An address that an agent gives, in canonical form.
   *
   * @param narrower - What the session's policy has beyond the server's.
   * @throws `bad_input` when it is no address, `blocked` when the policy refuses it, with the rule
   * and how an operator would allow it.
   */
  admit(url: string, narrower: Partial<NetworkPolicy>): string;
  /** @throws `blocked` when a page stands where its session may not look. */
  observe(url: string, narrower: Partial<NetworkPolicy>): void;
  /**
   * What a session may have beyond the server's policy, checked.
   *
   * @throws `denied` when it would widen, `bad_input` when it does not parse.
   */
  checkNarrower(narrower: Partial<NetworkPolicy>): void;
}
