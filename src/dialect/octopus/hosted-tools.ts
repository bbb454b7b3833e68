import { z } from 'zod';
import { toAddress } from '../../tool/address.ts';
import { defineTool, type AnyTool } from '../../tool/declaration.ts';
import type { HostedSessions } from './hosted-sessions.ts';

const elementRef = z.string().min(1).max(2_000).describe('Of the backend.');
const shown = z.record(z.string(), z.unknown());

/**
 * What a backend of the host does, as tools that are called and never listed: so it is admitted,
 * limited in time and recorded as native calls are.
 */
export function hostedTools(sessions: HostedSessions): readonly AnyTool[] {
  return [
    defineTool({
      ...hosted('navigate', 'act'),
      limit: 'navigation',
      address: ({ url }) => url,
      input: z.strictObject({ url: z.string().max(8_192).describe('Address.') }),
      output: z.strictObject({
        url: z.string(),
        title: z.string(),
        status: z.int().nullable(),
      }),
      examples: [{ title: 'Open a page', input: { url: 'https://example.com' } }],
      async run(run, { url }) {
        const { deps, session, signal } = run;
        const address = deps.urls.admit(toAddress(url), session.narrower);
        const arrival = await sessions.use(run, (backend, id) =>
          backend.navigate(id, address, signal),
        );
        return { url: arrival.url, title: arrival.title, status: arrival.status };
      },
    }),
    defineTool({
      ...hosted('snapshot', 'read'),
      input: z.strictObject({}),
      output: z.strictObject({
        url: z.string(),
        title: z.string(),
        snapshot: z.string(),
        elements: z.array(shown),
      }),
      examples: [{ title: 'See the page', input: {} }],
      async run(run) {
        const seen = await sessions.use(run, (backend, id) => backend.getSnapshot(id, run.signal));
        const { url, title, snapshot, elements } = seen;
        return { url, title, snapshot, elements: elements.map((element) => ({ ...element })) };
      },
    }),
    defineTool({
      ...hosted('click', 'act'),
      input: z.strictObject({ elementRef }),
      output: z.strictObject({}),
      examples: [{ title: 'Click', input: { elementRef: '@e0' } }],
      async run(run, { elementRef: ref }) {
        await sessions.use(run, (backend, id) => backend.click(id, ref, run.signal));
        return {};
      },
    }),
    defineTool({
      ...hosted('type', 'act'),
      input: z.strictObject({
        elementRef,
        text: z.string().max(1_000_000).describe('What to type.').meta({ secret: true }),
      }),
      output: z.strictObject({}),
      examples: [{ title: 'Type', input: { elementRef: '@e0', text: 'lamp' } }],
      async run(run, { elementRef: ref, text }) {
        await sessions.use(run, (backend, id) => backend.typeText(id, ref, text, run.signal));
        return {};
      },
    }),
    defineTool({
      ...hosted('get_text', 'read'),
      input: z.strictObject({ elementRef }),
      output: z.strictObject({ text: z.string() }),
      examples: [{ title: 'Read', input: { elementRef: '@e0' } }],
      async run(run, { elementRef: ref }) {
        return {
          text: await sessions.use(run, (backend, id) => backend.getText(id, ref, run.signal)),
        };
      },
    }),
    defineTool({
      ...hosted('execute_js', 'script'),
      limit: 'script',
      input: z.strictObject({ script: z.string().min(1).max(200_000).describe('JavaScript.') }),
      output: z.strictObject({ result: z.unknown() }),
      examples: [{ title: 'Read the title', input: { script: 'document.title' } }],
      async run(run, { script }) {
        const result = await sessions.use(run, (backend, id) =>
          backend.executeJs(id, script, run.signal),
        );
        return { result: result ?? null };
      },
    }),
    defineTool({
      ...hosted('screenshot', 'read'),
      limit: 'capture',
      input: z.strictObject({ fullPage: z.boolean().describe('Beyond the viewport.') }),
      output: z.strictObject({ base64: z.string() }),
      examples: [{ title: 'Take a picture', input: { fullPage: false } }],
      async run(run, { fullPage }) {
        return {
          base64: await sessions.use(run, (backend, id) =>
            backend.screenshot(id, fullPage, run.signal),
          ),
        };
      },
    }),
  ];
}

/** What they have in common; each is worded by the dialect's tool that calls it. */
function hosted<Name extends string, const Effect extends 'read' | 'act' | 'script'>(
  name: Name,
  effect: Effect,
) {
  return {
    name: `octopus_backend_${name}`,
    summary: `Let the host's backend do ${name}.`,
    effect,
    scope: 'session',
    limit: 'action',
    render: () => [],
  } as const;
}
