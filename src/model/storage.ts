import { z } from 'zod';

export const SAME_SITE = ['Strict', 'Lax', 'None'] as const;

export const cookieSchema = z.strictObject({
  name: z.string(),
  value: z.string().nullable().describe('Null unless it was asked for by name.'),
  domain: z.string(),
  path: z.string(),
  expires: z.string().nullable().describe('ISO time; null with the session.'),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(SAME_SITE),
  partitionKey: z.string().optional().describe('Top-level site it is kept apart for.'),
});
export type CookieFacts = z.output<typeof cookieSchema>;

/** A cookie to set. */
export interface NewCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Unix time in seconds; -1 ends with the session. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: (typeof SAME_SITE)[number];
  readonly partitionKey?: string | undefined;
}

export interface CookieFilter {
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly path?: string | undefined;
}

export const STORAGE_AREAS = ['local', 'session', 'indexeddb'] as const;

export const storageEntrySchema = z.strictObject({
  key: z.string(),
  value: z.string().nullable().describe('Null where only keys were asked for.'),
  chars: z.int().describe('Length of the whole value; of a database, its records.'),
});
export type StorageEntry = z.output<typeof storageEntrySchema>;

const nameValue = z.looseObject({ name: z.string(), value: z.string() });

/** What a file of a session's storage must hold; the form is Playwright's. */
export const storageStateSchema = z.looseObject({
  cookies: z.array(
    z.looseObject({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      path: z.string(),
      expires: z.number(),
      httpOnly: z.boolean(),
      secure: z.boolean(),
      sameSite: z.enum(SAME_SITE),
    }),
  ),
  origins: z.array(z.looseObject({ origin: z.url(), localStorage: z.array(nameValue) })),
});
export type StorageState = z.output<typeof storageStateSchema>;
