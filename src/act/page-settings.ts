import type { CDPSession, Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { PageSettings } from '../model/emulation.ts';
import { applyMetrics, type Metrics } from './metrics.ts';

/** What {@link applySettings} needs to know besides the settings. */
export interface Surroundings {
  /** The session is offline: a line of its own would put the page back on line. */
  readonly isOffline: boolean;
  /** The screen without a device. */
  readonly plain: Metrics;
}

/**
 * Makes a page be what `next` says, where it was what `before` said: what is in neither is not
 * touched, what is only in `before` is put back.
 */
export async function applySettings(
  page: Page,
  cdp: CDPSession,
  before: PageSettings,
  next: PageSettings,
  { isOffline, plain }: Surroundings,
): Promise<void> {
  const has = (key: keyof PageSettings) => before[key] !== undefined || next[key] !== undefined;
  if (has('device')) {
    const device = next.device?.descriptor;
    await applyMetrics(page, cdp, device ? { ...device.viewport, ...device } : plain);
    const touch = device?.hasTouch ?? false;
    await cdp.send('Emulation.setTouchEmulationEnabled', {
      enabled: touch,
      ...(touch ? { maxTouchPoints: 5 } : {}),
    });
  }
  if (has('device') || has('userAgent') || has('locale')) await applyIdentity(cdp, next);
  if (has('locale')) await send(cdp, 'Emulation.setLocaleOverride', { locale: next.locale ?? '' });
  if (has('timezone')) {
    await send(cdp, 'Emulation.setTimezoneOverride', { timezoneId: next.timezone ?? '' });
  }
  await applyMedia(page, before, next);
  if (has('line')) {
    await cdp.send('Network.emulateNetworkConditions', {
      offline: isOffline,
      latency: next.line?.latencyMs ?? 0,
      downloadThroughput: bytesPerSecond(next.line?.downloadKbps),
      uploadThroughput: bytesPerSecond(next.line?.uploadKbps),
    });
  }
  if (has('cpuSlowdown')) {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: next.cpuSlowdown ?? 1 });
  }
  if (has('extraHeaders')) await page.setExtraHTTPHeaders({ ...next.extraHeaders });
}

async function applyMedia(page: Page, before: PageSettings, next: PageSettings): Promise<void> {
  const features = ['media', 'colorScheme', 'reducedMotion', 'forcedColors', 'contrast'] as const;
  const changed = features.filter((key) => before[key] !== undefined || next[key] !== undefined);
  if (changed.length === 0) return;
  await page.emulateMedia(Object.fromEntries(changed.map((key) => [key, next[key] ?? null])));
}

/** User agent, languages and client hints go together: a page compares them. */
async function applyIdentity(cdp: CDPSession, next: PageSettings): Promise<void> {
  const given = next.userAgent ?? next.device?.descriptor.userAgent;
  if (given === undefined && next.locale === undefined) {
    await cdp.send('Emulation.setUserAgentOverride', { userAgent: '' });
    return;
  }
  const userAgent = given ?? (await cdp.send('Browser.getVersion')).userAgent;
  await cdp.send('Emulation.setUserAgentOverride', {
    userAgent,
    ...(next.locale === undefined ? {} : { acceptLanguage: next.locale }),
    ...(given === undefined ? {} : { platform: platformOf(given).legacy }),
    ...(given === undefined ? {} : { userAgentMetadata: clientHints(given) }),
  });
}

function clientHints(userAgent: string) {
  return {
    platform: platformOf(userAgent).name,
    platformVersion: '',
    architecture: '',
    model: '',
    mobile: /\bMobile\b|iPhone/.test(userAgent),
  };
}

function platformOf(userAgent: string): { name: string; legacy: string } {
  if (/Android/.test(userAgent)) return { name: 'Android', legacy: 'Linux armv8l' };
  if (/iPhone/.test(userAgent)) return { name: 'iOS', legacy: 'iPhone' };
  if (/iPad/.test(userAgent)) return { name: 'iOS', legacy: 'iPad' };
  if (/Mac OS X/.test(userAgent)) return { name: 'macOS', legacy: 'MacIntel' };
  if (/Windows/.test(userAgent)) return { name: 'Windows', legacy: 'Win32' };
  return { name: 'Linux', legacy: 'Linux x86_64' };
}

function bytesPerSecond(kbps: number | undefined): number {
  return kbps === undefined ? -1 : (kbps * 1000) / 8;
}

/** Pages of one site share a process, and a process has one locale and one time zone. */
async function send(
  cdp: CDPSession,
  method: 'Emulation.setLocaleOverride' | 'Emulation.setTimezoneOverride',
  params: { locale?: string; timezoneId?: string },
): Promise<void> {
  try {
    await cdp.send(method, params);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : '';
    if (!/already in effect/.test(text)) throw cause;
    throw new OrielError('unsupported', 'Another page of the same process has another setting.', {
      hint: 'Set locale and timezone for the whole session: leave out `page`.',
      cause,
    });
  }
}
