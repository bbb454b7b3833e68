import { z } from 'zod';

/** A device as Playwright describes it. */
export interface DeviceDescriptor {
  readonly userAgent: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor: number;
  readonly isMobile: boolean;
  readonly hasTouch: boolean;
}

/** Line conditions; Chromium applies them to everything a page loads. */
export const lineSchema = z.strictObject({
  latencyMs: z.number().min(0).max(60_000).optional(),
  downloadKbps: z.number().min(1).max(10_000_000).optional(),
  uploadKbps: z.number().min(1).max(10_000_000).optional(),
});
export type Line = z.output<typeof lineSchema>;

/** What one page, or every page of a session, can be made to be. */
export interface PageSettings {
  readonly device?: { readonly name: string; readonly descriptor: DeviceDescriptor } | undefined;
  readonly userAgent?: string | undefined;
  readonly colorScheme?: 'light' | 'dark' | 'no-preference' | undefined;
  readonly reducedMotion?: 'reduce' | 'no-preference' | undefined;
  readonly forcedColors?: 'active' | 'none' | undefined;
  readonly contrast?: 'more' | 'no-preference' | undefined;
  readonly media?: 'screen' | 'print' | undefined;
  readonly locale?: string | undefined;
  readonly timezone?: string | undefined;
  readonly line?: Line | undefined;
  readonly cpuSlowdown?: number | undefined;
  readonly extraHeaders?: Readonly<Record<string, string>> | undefined;
}

export interface Geolocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy?: number | undefined;
}

export interface HttpCredentials {
  readonly origin: string;
  readonly username: string;
  readonly password: string;
}

/** What only a whole session can be made to be. */
export interface SessionSettings {
  readonly geolocation?: Geolocation | undefined;
  readonly permissions?: readonly string[] | undefined;
  readonly offline?: boolean | undefined;
  readonly httpCredentials?: HttpCredentials | undefined;
}

/** What happens to requests whose address matches. */
export type RouteRule =
  | { readonly kind: 'block'; readonly pattern: string }
  | {
      readonly kind: 'fulfil';
      readonly pattern: string;
      readonly status: number;
      readonly contentType: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {
      readonly kind: 'modify';
      readonly pattern: string;
      /** Null takes a header away. */
      readonly headers: Readonly<Record<string, string | null>>;
      readonly method: string | undefined;
      readonly postData: string | undefined;
    };

export const routeFactsSchema = z.strictObject({
  id: z.string().describe('Id within the session, such as r1.'),
  kind: z.enum(['block', 'fulfil', 'modify']),
  pattern: z.string(),
  hits: z.int().describe('Requests it has caught.'),
});
export type RouteFacts = z.output<typeof routeFactsSchema>;
