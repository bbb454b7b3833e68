import type { AddressKind } from './address.ts';

/** The rule that refused a connection, in the order they are asked. */
export type ConnectRule =
  | 'host_grammar'
  | 'port'
  | 'deny_host'
  | 'not_allowlisted'
  | 'special_name'
  | 'unresolved'
  | 'never'
  | 'deny_cidr'
  | 'control_port'
  | 'own_address'
  | 'not_public';

/** Why a connection was refused. Holds no address that a name resolved to. */
export interface Refusal {
  readonly rule: ConnectRule;
  readonly host: string;
  readonly port: number;
  /** What a literal is; absent for names, whose addresses an agent must not learn. */
  readonly kind: AddressKind | undefined;
  readonly isLiteral: boolean;
}
