import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDemoSite, type DemoSite } from '../../src/app/demo/site.ts';
import type { AnyTool, Example } from '../../src/tool/declaration.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { CASES, type ContractCase } from './cases.ts';
import { CONTRACT_PAGE } from './contract-page.ts';
import { openSurfaces, type Surface, type Told } from './surfaces.ts';

let server: FixtureServer;
let shop: DemoSite;
let surfaces: readonly Surface[] = [];

beforeAll(async () => {
  server = await startFixtureServer();
  shop = await serveDemoSite();
  server.route('/contract', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(CONTRACT_PAGE);
  });
  surfaces = await openSurfaces();
  // One after the other: three browsers that start at once keep each other waiting.
  for (const surface of surfaces) await openPage(surface, server.url('/contract'));
}, 180_000);

afterAll(async () => {
  await Promise.all(surfaces.map((surface) => surface[Symbol.asyncDispose]()));
  await shop?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** Runs the case on every surface at once and expects one and the same outcome of all. */
async function hold(tool: string, given: ContractCase): Promise<Told> {
  const { on, before = [], input, code = null, output, outcome } = placed(given);
  const told = await Promise.all(
    surfaces.map(async (surface) => {
      await openPage(surface, on ?? server.url('/contract'));
      for (const [earlier, words] of before) await surface.call(earlier, words);
      return surface.call(tool, input);
    }),
  );
  const [library, commandLine, mcp] = told as [Told, Told, Told];
  expect({ library: library.code, commandLine: commandLine.code, mcp: mcp.code }).toEqual({
    library: code,
    commandLine: code,
    mcp: code,
  });
  expect(told.map((one) => one.isFailed)).toEqual(told.map(() => code !== null));
  if (given.isMeasured) {
    expect(namesIn(commandLine)).toEqual(namesIn(library));
    expect(mcp.content).toHaveLength(library.content?.length ?? 0);
  } else {
    expect(commandLine.data).toEqual(library.data);
    expect(mcp.content).toEqual(library.content);
  }
  if (output) expect(library.data?.['output']).toMatchObject(output);
  if (outcome) expect(library.data).toMatchObject(outcome);
  return library;
}

function namesIn({ data }: Told): string[] {
  return Object.keys(data?.['output'] as object).toSorted();
}

/** A page may be busy for a moment more with what an answered dialog has let go on. */
async function openPage(surface: Surface, url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const told = await surface.call('browser_navigate', { url });
    if (!told.isFailed) return;
    if (told.code !== 'busy' || attempt === 100) {
      throw new Error(`${surface.name}: ${JSON.stringify(told)}`);
    }
    await delay(20);
  }
}

function placed(given: ContractCase): ContractCase {
  return JSON.parse(
    JSON.stringify(given)
      .replaceAll('{origin}', server.origin)
      .replaceAll('{shop}', shop.url.slice(0, -1)),
  ) as ContractCase;
}

/** A tool without cases of its own is held to its examples, on the demo shop. */
function casesOf(tool: AnyTool): readonly ContractCase[] {
  const examples = tool.examples as readonly Example<Record<string, unknown>>[];
  return (
    CASES[tool.name] ??
    examples.map(({ title, on = '/', input }) => {
      const { url } = input;
      const address = typeof url === 'string' ? { url: `{shop}${url}` } : {};
      return { title, on: `{shop}${on}`, input: { ...input, ...address }, isMeasured: true };
    })
  );
}

/** Some input that the tool takes. */
function inputOf(tool: AnyTool): Record<string, unknown> | undefined {
  return casesOf(tool).find((given) => given.code === undefined)?.input;
}

it('has cases for every tool, and for no other', () => {
  const without = TOOLS.filter((tool) => casesOf(tool).length === 0).map((tool) => tool.name);
  expect(without, 'Give them an example, or a row in test/contract/cases.ts.').toEqual([]);
  const names = TOOLS.map((tool) => tool.name);
  expect(Object.keys(CASES).filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it.each(casesOf(tool).map((given) => [given.title, given] as const))('%s', async (_, given) => {
    await hold(name, given);
    // A dialog that is left would be met by the next case.
    if (given.code === 'dialog_open') {
      await Promise.all(
        surfaces.map((surface) => surface.call('browser_dialog', { action: 'accept' })),
      );
    }
  });

  it('refuses an argument it does not have, by name', async () => {
    const library = await hold(name, {
      title: '',
      input: { ...inputOf(tool), zzzz: 1 },
      code: 'bad_input',
    });
    expect(library.content?.join('\n')).toContain('`zzzz`');
  });

  it.runIf(tool.scope === 'page' && !tool.opensPage)('does not know a page of that name', () =>
    hold(name, {
      title: '',
      input: { ...inputOf(tool), page: 'p99' },
      code: 'not_found',
    }),
  );
});
