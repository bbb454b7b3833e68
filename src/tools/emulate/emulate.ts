import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { lineSchema, type PageSettings } from '../../model/emulation.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool, type PageRun } from '../../tool/declaration.ts';
import { nearest } from '../../kernel/nearest.ts';

const header = z
  .string()
  .max(8_192)
  .regex(/^[^\r\n\0]*$/, 'must be one line');

const settings = {
  device: z.string().max(80).optional().describe('Such as "iPhone 15" or "Pixel 7 landscape".'),
  userAgent: header.min(1).max(1_000).optional(),
  colorScheme: z.enum(['light', 'dark', 'no-preference']).optional(),
  reducedMotion: z.enum(['reduce', 'no-preference']).optional(),
  forcedColors: z.enum(['active', 'none']).optional(),
  contrast: z.enum(['more', 'no-preference']).optional(),
  media: z.enum(['screen', 'print']).optional(),
  locale: z.string().max(40).optional().describe('Such as de-DE.'),
  timezone: z.string().max(60).optional().describe('Such as Europe/Berlin.'),
  network: lineSchema.optional().describe('Slows the line down.'),
  cpuSlowdown: z.number().min(1).max(20).optional().describe('4 is four times slower.'),
  extraHeaders: z
    .record(z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, 'must be a header name'), header)
    .optional()
    .meta({ secret: true })
    .describe('Sent with every request.'),
};

const sessionSettings = {
  geolocation: z
    .strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).optional(),
    })
    .optional()
    .describe('Needs the permission geolocation too.'),
  permissions: z
    .array(z.string().max(40))
    .max(30)
    .optional()
    .describe('Those granted; all others are not.'),
  offline: z.boolean().optional(),
  httpCredentials: z
    .strictObject({
      origin: z.string().max(300).describe('The only one they are sent to.'),
      username: z.string().max(1_000),
      password: z.string().max(1_000),
    })
    .optional()
    .meta({ secret: true }),
};

export const emulate = defineTool({
  name: 'browser_emulate',
  summary: 'Make pages believe in another device, place, language, line or preference.',
  effect: ({ action }) => (action === 'get' ? 'read' : 'config'),
  effects: ['read', 'config'],
  scope: 'page',
  pack: 'emulate',
  limit: 'action',
  opensPage: true,
  input: z.strictObject({
    action: z
      .enum(['set', 'get', 'clear'])
      .default('set')
      .describe('`clear` undoes all that was set, routes and clock too.'),
    ...settings,
    ...sessionSettings,
    ...pageArgs,
    page: pageArgs.page.describe('Only this page; without it the whole session.'),
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    active: z.array(z.string()).describe('What is set now.'),
  }),
  examples: [
    { title: 'See the site in dark', on: '/', input: { colorScheme: 'dark' } },
    { title: 'Undo it', input: { action: 'clear' } },
  ],
  async run(run, input) {
    const { page, deps, signal } = run;
    const stage = deps.stages.of(page.raw.context());
    if (input.action === 'clear') {
      const was = await stage.clear(signal);
      const done = was.length === 0 ? 'Nothing was set.' : `Cleared: ${was.join('; ')}.`;
      return { done, active: stage.list() };
    }
    if (input.action === 'set') {
      const only = input.page === undefined ? null : page.raw;
      const { geolocation, permissions, offline, httpCredentials } = input;
      const forSession = { geolocation, permissions, offline, httpCredentials };
      const names = Object.entries(forSession).filter(([, value]) => value !== undefined);
      if (only && names.length > 0) {
        throw new OrielError('bad_input', `\`${names[0]?.[0]}\` holds for a whole session.`, {
          hint: 'Leave out `page`, or use a session of its own.',
        });
      }
      const forPage = await pageSettings(run, input);
      if (httpCredentials) requireOrigin(httpCredentials.origin);
      await stage.setSession(forSession, signal);
      await stage.set(forPage, only, signal);
    }
    return { done: input.action === 'set' ? 'Set.' : '', active: stage.list() };
  },
  render({ done, active }) {
    const lines = active.map((line) => `- ${line}`);
    const text = [done, ...(lines.length === 0 ? ['Nothing is set.'] : ['Set now:', ...lines])];
    return [{ source: 'oriel', text: text.filter(Boolean).join('\n') }];
  },
});

async function pageSettings(
  { deps }: PageRun,
  input: z.output<z.ZodObject<typeof settings>>,
): Promise<PageSettings> {
  const { device, network, locale, timezone, extraHeaders, ...plain } = input;
  const { userAgent, colorScheme, reducedMotion, forcedColors, contrast, media, cpuSlowdown } =
    plain;
  if (locale !== undefined) requireLocale(locale);
  if (timezone !== undefined) requireTimezone(timezone);
  return {
    device: device === undefined ? undefined : await findDevice(deps, device),
    userAgent,
    colorScheme,
    reducedMotion,
    forcedColors,
    contrast,
    media,
    locale,
    timezone,
    line: network,
    cpuSlowdown,
    extraHeaders,
  };
}

async function findDevice(deps: PageRun['deps'], name: string): Promise<PageSettings['device']> {
  const devices = await deps.devices();
  const names = Object.keys(devices);
  const known = names.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  const descriptor = known === undefined ? undefined : devices[known];
  if (known !== undefined && descriptor) return { name: known, descriptor };
  const near = nearest(name, names);
  throw new OrielError('bad_input', `There is no device ${JSON.stringify(name)}.`, {
    hint: near
      ? `Did you mean ${near}?`
      : 'For example: iPhone 15, Pixel 7, iPad Mini, Desktop Chrome HiDPI.',
  });
}

function requireLocale(locale: string): void {
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0) return;
  } catch {
    // Not even the form of one.
  }
  throw new OrielError('bad_input', `There is no locale ${JSON.stringify(locale)}.`, {
    hint: 'Give a language tag such as de-DE or pt-BR.',
  });
}

/** Chromium takes any text for a time zone and then goes on in UTC. */
function requireTimezone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch (cause) {
    throw new OrielError('bad_input', `There is no time zone ${JSON.stringify(timeZone)}.`, {
      hint: 'Give an IANA name such as Europe/Berlin.',
      cause,
    });
  }
}

function requireOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new OrielError('bad_input', '`httpCredentials.origin` is no origin.', {
    hint: 'Give scheme, host and port alone, such as https://example.com.',
  });
}
