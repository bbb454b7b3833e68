import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { EGRESS_LEVELS, type NetworkPolicy } from '../../model/network.ts';
import { sessionFactsSchema } from '../../model/session.ts';
import { sessionArg, timeoutArg } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const SHOWN_REFUSALS = 5;
const ENDED = {
  root: 'The session has ended, with its pages and logins.',
  child: 'The session has ended; the pages and logins of its parent stay.',
  nothing: 'There was no session.',
} as const;

export const session = defineTool({
  name: 'browser_session',
  summary: 'See, make or end sessions; each has cookies, storage and pages of its own.',
  effect: (input) => (input.action === 'status' || input.action === 'list' ? 'read' : 'act'),
  effects: ['read', 'act'],
  scope: 'server',
  limit: 'action',
  peerNames: ['browser_status'],
  input: z.strictObject({
    action: z
      .enum(['status', 'list', 'new', 'restrict', 'close'])
      .default('status')
      .describe('`new` answers with the handle to pass as `session`.'),
    name: z.string().min(1).max(80).optional().describe('Name for a new session, for lists.'),
    parent: sessionArg.describe('For new: session whose pages and logins it shares.'),
    network: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Narrower network policy, such as {"allowlist": ["example.com"]}.'),
    session: sessionArg,
    timeoutMs: timeoutArg,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    sessions: z.array(sessionFactsSchema).describe('The sessions asked about.'),
    browser: z
      .strictObject({
        generation: z.int(),
        kind: z.string(),
        version: z.string(),
        isHeadless: z.boolean(),
        isSandboxed: z.boolean(),
      })
      .nullable()
      .describe('The browser that runs; null when none does.'),
    network: z
      .strictObject({
        egress: z
          .enum(EGRESS_LEVELS)
          .nullable()
          .describe('How traffic is held; null before the first page.'),
        reason: z.string().describe('Why the level is not a higher one; empty at the highest.'),
        blocked: z.int().describe('Connections refused so far.'),
        lastBlocked: z
          .array(
            z.strictObject({
              host: z.string(),
              port: z.int(),
              rule: z.string().describe('The rule that refused.'),
              reason: z.string(),
              remedy: z.string().describe('How an operator would allow it.'),
              count: z.int().describe('How many connections this stands for.'),
            }),
          )
          .describe('The last refusals, newest last.'),
        exemptHosts: z.array(z.string()),
        allowlist: z.array(z.string()).nullable(),
        blockPrivate: z.boolean(),
      })
      .describe('The network policy in force.'),
  }),
  examples: [
    { title: 'See where things stand', input: {} },
    { title: 'Make a session for a second login', input: { action: 'new', name: 'second' } },
  ],
  async run({ deps, caller }, input) {
    const { sessions } = deps;
    const own = sessions.ownOf(caller);
    const isNamed = input.session !== undefined && input.action !== 'close';
    const named = isNamed ? sessions.resolve(caller, input.session) : null;
    let shown = named ? [named] : own ? [own] : [];
    let done = '';
    if (input.action === 'list') shown = [...sessions.list(caller)];
    if (input.network !== undefined) {
      deps.urls.checkNarrower(input.network as Partial<NetworkPolicy>);
    }
    if (input.action === 'restrict') {
      const restricted = named ?? sessions.resolve(caller, undefined);
      await restricted.narrow((input.network ?? {}) as Partial<NetworkPolicy>);
      done = 'The network policy of the session is narrower from now on.';
      shown = [restricted];
    }
    let child: string | null = null;
    if (input.action === 'new' && input.parent !== undefined) {
      if (input.network !== undefined) {
        throw new OrielError(
          'bad_input',
          'A session with a `parent` has the policy of its parent.',
          {
            hint: 'Leave out `network`, or narrow the parent with {"action": "restrict"}.',
          },
        );
      }
      const made = sessions.createChild(caller, input.parent);
      child = made.id;
      done = `Session ${made.id} is ready and shares the pages and logins of its parent.`;
      shown = [made.root];
    } else if (input.action === 'new') {
      const made = sessions.create(caller, input.name ?? null);
      await made.narrow((input.network ?? {}) as Partial<NetworkPolicy>);
      done = `Session ${made.id} is ready; pass it as \`session\`.`;
      shown = [made];
    }
    if (input.action === 'close') {
      const handle = input.session ?? own?.id;
      const ended = handle === undefined ? 'nothing' : await sessions.endHandle(caller, handle);
      done = ENDED[ended];
      shown = [];
    }
    const running = deps.engine.running;
    const subject = shown[0] ?? own;
    const hold = subject?.context?.network;
    const policy = { ...deps.config.network, ...subject?.narrower };
    return {
      done,
      sessions: await Promise.all(
        shown.map(async (one) => {
          const settings = one.context ? deps.stages.of(one.context.context).list() : [];
          return {
            ...(await one.describe(one === own, settings)),
            ...(child === null ? {} : { session: child, name: input.name ?? null, isYours: false }),
          };
        }),
      ),
      browser: running
        ? {
            generation: running.generation,
            kind: running.facts.kind,
            version: running.facts.version,
            isHeadless: running.facts.isHeadless,
            isSandboxed: running.facts.isSandboxed,
          }
        : null,
      network: {
        egress: hold?.level ?? null,
        reason: hold?.reason ?? '',
        blocked: hold?.blockedCount ?? 0,
        lastBlocked: (hold?.latestBlocked(SHOWN_REFUSALS) ?? []).map(
          ({ host, port, rule, reason, remedy, count }) => ({
            host,
            port,
            rule,
            reason,
            remedy,
            count,
          }),
        ),
        exemptHosts: [...policy.exemptHosts],
        allowlist: policy.allowlist ? [...policy.allowlist] : null,
        blockPrivate: policy.blockPrivate,
      },
    };
  },
  render({ done, sessions, browser, network }) {
    const ours = [
      done,
      browser
        ? `Browser: ${browser.kind} ${browser.version}, generation ${browser.generation}` +
          `${browser.isHeadless ? ', headless' : ''}${browser.isSandboxed ? '' : ', WITHOUT its sandbox'}.`
        : 'No browser runs yet; the first page starts one.',
      networkText(network),
      ...sessions.map(
        (one) =>
          `Session ${one.session}${one.name ? ` "${one.name}"` : ''}${one.isYours ? ' (yours)' : ''}: ` +
          `${one.pages.length} page${one.pages.length === 1 ? '' : 's'}` +
          (one.egress === null ? '' : `, egress ${one.egress}`) +
          `${one.settings.length === 0 ? '' : `; set: ${one.settings.join('; ')}`}.`,
      ),
    ].filter((line) => line !== '');
    const pages = sessions.flatMap((one) =>
      one.pages.map((page) => `- ${page.page}: ${page.url} ${JSON.stringify(page.title)}`),
    );
    // Hosts are the page's choice of words.
    const refusals = network.lastBlocked.map(
      ({ host, port, count, reason, remedy }) =>
        `- refused ${host}:${port}${count > 1 ? ` (${count} times)` : ''}: ${reason} ${remedy}`,
    );
    return [
      { source: 'oriel', text: ours.join('\n') },
      { source: 'page', text: [...pages, ...refusals].join('\n') },
    ];
  },
});

function networkText(network: {
  egress: string | null;
  reason: string;
  exemptHosts: readonly string[];
  allowlist: readonly string[] | null;
  blockPrivate: boolean;
  blocked: number;
}): string {
  const facts = [
    network.egress ? `egress level ${network.egress}` : '',
    network.egress && network.reason ? network.reason.replace(/\.$/, '') : '',
    `private addresses ${network.blockPrivate ? 'refused' : 'allowed'}` +
      (network.exemptHosts.length > 0 ? ` but for ${network.exemptHosts.join(', ')}` : ''),
    network.allowlist ? `only ${network.allowlist.join(', ') || 'nothing'}` : '',
    network.blocked > 0 ? `${network.blocked} connections refused` : '',
  ];
  return `Network: ${facts.filter(Boolean).join('; ')}.`;
}
