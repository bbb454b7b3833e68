import { randomBytes } from 'node:crypto';

declare const brand: unique symbol;
/** A string that cannot be mixed up with another kind of id. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

/** An unguessable id: `prefix_` and 128 random bits in base64url. */
export function mintId<Kind extends string>(prefix: string): Id<Kind> {
  return `${prefix}_${randomBytes(16).toString('base64url')}` as Id<Kind>;
}
