import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { routeFactsSchema, type RouteRule } from '../../model/emulation.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

const name = z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, 'must be a header name');
const value = z
  .string()
  .max(8_192)
  .regex(/^[^\r\n\0]*$/, 'must be one line');

export const route = defineTool({
  name: 'browser_route',
  summary: 'Block, answer or change requests of this session by their address.',
  // What is answered in a site's name can run there as its script.
  effect: ({ action, kind }) =>
    action === 'list' ? 'read' : action === 'add' && kind === 'fulfil' ? 'script' : 'config',
  effects: ['read', 'script', 'config'],
  scope: 'page',
  pack: 'emulate',
  limit: 'action',
  opensPage: true,
  aliases: { url: 'pattern', urlPattern: 'pattern' },
  input: z.strictObject({
    action: z.enum(['list', 'add', 'clear']).default('list').describe('clear: one id, or all.'),
    id: z.string().max(20).optional(),
    kind: z.enum(['block', 'fulfil', 'modify']).optional(),
    pattern: z.string().min(1).max(2_000).optional().describe('Glob such as **/*.png.'),
    status: z.int().min(200).max(599).default(200).describe('fulfil: of the answer.'),
    contentType: value.default('text/plain').describe('fulfil: of the answer.'),
    body: z.string().max(1_048_576).default('').describe('fulfil: of the answer.'),
    headers: z
      .record(name, value.nullable())
      .default({})
      .meta({ secret: true })
      .describe('fulfil: of the answer; modify: of the request, null removes.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
    postData: z.string().max(1_048_576).optional().describe('modify: the new body.'),
    ...pageArgs,
  }),
  output: z.strictObject({
    done: z.string().describe('What was done, in one sentence.'),
    routes: z.array(routeFactsSchema).describe('The routes in force, oldest first.'),
  }),
  examples: [
    { title: 'Load no pictures', input: { action: 'add', kind: 'block', pattern: '**/*.png' } },
    { title: 'Let all through again', input: { action: 'clear' } },
  ],
  async run({ page, deps, signal }, input) {
    const { routes } = deps.stages.of(page.raw.context());
    let done = '';
    if (input.action === 'add') {
      const rule = toRule(input);
      signal.throwIfAborted();
      const added = await routes.add(rule);
      done = `${added.id}: ${added.kind} ${added.pattern}.`;
    } else if (input.action === 'clear') {
      const count = await routes.clear(input.id);
      done = count === 1 ? '1 route is gone.' : `${count} routes are gone.`;
    }
    return { done, routes: routes.list() };
  },
  render({ done, routes }) {
    const lines = routes.map(
      ({ id, kind, pattern, hits }) => `- ${id} ${kind} ${pattern} (${hits} requests)`,
    );
    return [
      {
        source: 'oriel',
        text: [done, ...(lines.length > 0 ? lines : ['No routes.'])].join('\n').trim(),
      },
    ];
  },
});

function toRule(input: {
  readonly kind?: RouteRule['kind'] | undefined;
  readonly pattern?: string | undefined;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly method?: string | undefined;
  readonly postData?: string | undefined;
}): RouteRule {
  const { kind, pattern, status, contentType, body, headers, method, postData } = input;
  if (kind === undefined || pattern === undefined) {
    throw new OrielError('bad_input', '`kind` and `pattern` are needed to add a route.', {
      hint: 'For example: {"action": "add", "kind": "block", "pattern": "**/*.png"}.',
    });
  }
  switch (kind) {
    case 'block':
      return { kind, pattern };
    case 'modify':
      return { kind, pattern, headers, method, postData };
    case 'fulfil': {
      const given = Object.entries(headers).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      );
      return { kind, pattern, status, contentType, body, headers: Object.fromEntries(given) };
    }
  }
}
