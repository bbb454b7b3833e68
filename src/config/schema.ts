import { z } from 'zod';
import { networkPolicySchema } from '../model/network.ts';
import { policyRuleSchema } from '../model/policy.ts';
import { DIALOG_POLICIES } from '../model/session.ts';

const ms = (value: number) => z.int().min(0).max(3_600_000).default(value);

/**
 * The whole configuration. Flags, environment names, help, the table in the docs and redaction
 * derive from this one object. `meta({flag})` gives a short flag, `meta({secret})` keeps a value
 * out of every output.
 */
export const configSchema = z.strictObject({
  browser: z
    .strictObject({
      executablePath: z
        .string()
        .default('')
        .describe('Absolute path of a Chromium to use before anything else; empty: find one.')
        .meta({ flag: 'executable-path' }),
      headless: z
        .boolean()
        .default(true)
        .describe('Run without a window.')
        .meta({ flag: 'headless' }),
      sandbox: z
        .enum(['auto', 'on', 'off'])
        .default('auto')
        .describe("Chromium's own sandbox; auto: on, except as root, where it cannot start."),
      args: z
        .array(z.string())
        .default([])
        .describe('More flags for Chromium; those that touch the network gate are refused.'),
      launchTimeoutMs: ms(60_000).describe('How long a browser may take to start.'),
    })
    .prefault({})
    .describe('The browser itself.'),
  sandbox: z
    .strictObject({
      files: z
        .boolean()
        .default(false)
        .describe(
          'Let the browser write nowhere but in its own temporary folders; Linux, kernel level.',
        ),
    })
    .prefault({})
    .describe('What holds the browser besides its own sandbox.'),
  network: networkPolicySchema.prefault({}).describe('What pages may reach.'),
  viewport: z
    .strictObject({
      width: z.int().min(320).max(7680).default(1280).describe('Width in CSS pixels.'),
      height: z.int().min(320).max(7680).default(720).describe('Height in CSS pixels.'),
    })
    .prefault({})
    .describe('Size of a new page.'),
  timeouts: z
    .strictObject({
      navigationMs: ms(30_000).describe('Default limit of a navigation.'),
      actionMs: ms(8_000).describe('Default limit of an action such as a click.'),
      waitMs: ms(20_000).describe('Default limit of a wait.'),
      scriptMs: ms(30_000).describe('Default limit of a script.'),
      captureMs: ms(30_000).describe('Default limit of a screenshot.'),
      unbounded: z
        .boolean()
        .default(false)
        .describe('Let a call ask for any limit, beyond the bounds of its tool.'),
      settleMs: ms(1_500).describe('Longest wait for a page to become quiet after an action.'),
    })
    .prefault({})
    .describe('Time limits, in milliseconds; 0 means none.'),
  answer: z
    .strictObject({
      snapshotChars: z
        .int()
        .min(500)
        .max(200_000)
        .default(6_000)
        .describe('Most characters of a snapshot.'),
      deltaChars: z
        .int()
        .min(200)
        .max(50_000)
        .default(2_000)
        .describe('Most characters of what an action changed.'),
      maxChars: z
        .int()
        .min(2_000)
        .max(1_000_000)
        .default(25_000)
        .describe('Most characters of one answer; the rest goes to a file that it names.'),
    })
    .prefault({})
    .describe('How much an answer may hold.'),
  dialogs: z
    .strictObject({
      policy: z
        .enum(DIALOG_POLICIES)
        .default('accept')
        .describe('What happens to alert, confirm, prompt and beforeunload; all are reported.'),
    })
    .prefault({})
    .describe('Dialogs of pages.'),
  downloads: z
    .strictObject({
      save: z
        .boolean()
        .default(true)
        .describe('Keep what pages download; without it they are announced by name alone.'),
      dir: z
        .string()
        .default('')
        .describe("One folder for all of them; empty: `downloads` in each session's own folder."),
      maxBytes: z
        .int()
        .min(1)
        .default(512 * 1024 * 1024)
        .describe('Largest download; a larger one is stopped.'),
      maxCount: z
        .int()
        .min(1)
        .max(100_000)
        .default(200)
        .describe('Most downloads a session keeps; further ones are stopped.'),
    })
    .prefault({})
    .describe('Files that pages give.'),
  uploads: z
    .strictObject({
      roots: z
        .array(z.string())
        .default([])
        .describe('Folders besides the workspace that files may be read from and saved to.'),
    })
    .prefault({})
    .describe('Files that pages are given.'),
  artifacts: z
    .strictObject({
      maxCount: z
        .int()
        .min(1)
        .nullable()
        .default(null)
        .describe('Most artifacts of a session; the oldest make room. Empty: all are kept.'),
      maxBytes: z
        .int()
        .min(1)
        .nullable()
        .default(null)
        .describe('Most bytes of them; the oldest make room. Empty: all are kept.'),
    })
    .prefault({})
    .describe('Screenshots and other files that tools make.'),
  sessions: z
    .strictObject({
      max: z.int().min(1).max(10_000).default(100).describe('Sessions at one time.'),
      maxPages: z.int().min(1).max(1_000).default(20).describe('Pages of one session.'),
      idleMs: z
        .int()
        .min(1_000)
        .default(300_000)
        .describe('Idle time after which a session made without being asked for ends.'),
      sweepMs: z
        .int()
        .min(100)
        .max(3_600_000)
        .default(30_000)
        .describe('How often idle sessions are looked for.'),
      pageIds: z
        .enum(['counted', 'unique'])
        .default('counted')
        .describe('p1, p2 within each session, or ids that nobody can guess.'),
      pageWindows: z
        .enum(['shared', 'own'])
        .default('shared')
        .describe('Whether pages that are opened share a window, or each has its own.'),
      maxPagesTotal: z
        .int()
        .min(1)
        .max(10_000)
        .nullable()
        .default(null)
        .describe('Pages of all sessions, over which the least recently used closes; null: any.'),
    })
    .prefault({})
    .describe('Caps and life time of sessions.'),
  mode: z
    .enum(['full', 'readonly'])
    .default('full')
    .describe('readonly lists and admits only tools that change nothing.')
    .meta({ flag: 'mode' }),
  script: z
    .boolean()
    .default(true)
    .describe('Whether page scripts of the agent may run, by whatever tool.')
    .meta({ flag: 'script' }),
  policy: z
    .strictObject({
      rules: z
        .array(policyRuleSchema)
        .default([])
        .describe('Rules by tool, effect and origin; the first that matches decides.'),
    })
    .prefault({})
    .describe('What the agent may do without a person.'),
  packs: z
    .array(z.string())
    .default([])
    .describe('Further tool packs to list, or `all`.')
    .meta({ flag: 'packs' }),
  dialect: z
    .string()
    .default('')
    .describe('Another system whose tools are spoken instead; `oriel dialects` lists them.')
    .meta({ flag: 'dialect' }),
  dialectOptions: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("The dialect's settings, by the names of its system."),
  workspace: z
    .string()
    .default('')
    .describe('Folder whose files may be uploaded or opened; empty: the working directory.')
    .meta({ flag: 'workspace' }),
  dataDir: z
    .string()
    .default('')
    .describe('Where Oriel keeps what it needs; empty: the data folder of this system.')
    .meta({ flag: 'data-dir' }),
  outputDir: z
    .string()
    .default('')
    .describe('Where screenshots and other files go; empty: `output` in the data folder.')
    .meta({ flag: 'output-dir' }),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error'])
        .default('warn')
        .describe('Least severe entry written to stderr.')
        .meta({ flag: 'log-level' }),
    })
    .prefault({})
    .describe('Diagnostics.'),
});

/** What a caller may give: every field optional. */
export type ConfigInput = z.input<typeof configSchema>;
/** The effective configuration, whole and frozen. */
export type Config = z.output<typeof configSchema>;
